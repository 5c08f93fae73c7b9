#include "sim/formats/accel_sim/kernel_trace.hpp"

#include <array>
#include <charconv>
#include <utility>

#include <fmt/format.h>

namespace sassafras::sim::accel_sim {

namespace {

constexpr std::uint64_t most_blocks = std::uint64_t{1} << 31U;
constexpr std::uint64_t most_threads = 1024;  ///< of a block, on every GPU so far
constexpr std::uint32_t oldest_binary = 70;   ///< before Volta, instructions had 8 bytes and other names

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return text;
}

template <class Number>
bool parse_number(std::string_view text, Number& value, int base = 10) {
    text = trimmed(text);
    if (base == 16 && text.starts_with("0x")) text.remove_prefix(2);
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    return code == std::errc() && end == text.data() + text.size();
}

/// "1,2,3"
bool parse_three(std::string_view text, Dim3& value) {
    text = trimmed(text);
    const std::size_t first = text.find(',');
    const std::size_t second = first == std::string_view::npos ? first : text.find(',', first + 1);
    return second != std::string_view::npos && parse_number(text.substr(0, first), value.x) &&
           parse_number(text.substr(first + 1, second - first - 1), value.y) &&
           parse_number(text.substr(second + 1), value.z);
}

/// What follows "key = " if the line is of that key.
std::optional<std::string_view> value_of(std::string_view line, std::string_view key) {
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos || trimmed(line.substr(0, equals)) != key) return std::nullopt;
    return trimmed(line.substr(equals + 1));
}

}  // namespace

Error KernelTraceReader::fault(std::string what, ErrorKind kind, std::string remedy) const {
    if (remedy.empty()) remedy = "the trace is damaged, or of another version than its header says";
    return {kind, std::move(what), lines_.place(), std::move(remedy)};
}

Result<KernelTraceReader> KernelTraceReader::open(LineReader lines) {
    KernelTraceReader reader(std::move(lines));
    if (auto done = reader.read_header(); !done) return done.error();
    if (auto done = reader.check_header(); !done) return done.error();
    return reader;
}

Result<std::string_view> KernelTraceReader::line(const char* expected) {
    for (;;) {
        auto next = lines_.next();
        if (!next) return next.error();
        if (!*next) return fault(fmt::format("the file ends here; expected {}", expected));
        const std::string_view text = trimmed(**next);
        if (!text.empty()) return text;
    }
}

Result<void> KernelTraceReader::read_header() {
    for (;;) {
        auto text = line("a header up to a line that begins with #");
        if (!text) return text.error();
        if ((*text).starts_with("#BEGIN_TB"))
            return fault("the header ends without the line that says the format (#traces format = ...)");
        if ((*text).front() == '#') return {};
        if ((*text).front() != '-') return fault("a line of the header that begins with neither - nor #");
        if (auto done = read_header_line((*text).substr(1)); !done) return done;
    }
}

Result<void> KernelTraceReader::read_header_line(std::string_view line) {
    const auto wrong = [&](const char* expected) { return fault(fmt::format("\"{}\" is not {}", line, expected)); };
    const auto three = [](std::string_view text, Dim3& value) {
        return text.size() >= 2 && text.front() == '(' && text.back() == ')' &&
               parse_three(text.substr(1, text.size() - 2), value);
    };
    if (const auto name = value_of(line, "kernel name")) header_.name = *name;
    if (const auto text = value_of(line, "grid dim"); text && !three(*text, header_.grid)) return wrong("(x,y,z)");
    if (const auto text = value_of(line, "block dim"); text && !three(*text, header_.block)) return wrong("(x,y,z)");
    if (const auto text = value_of(line, "shmem"); text && !parse_number(*text, header_.shared_bytes))
        return wrong("a number of bytes");
    if (const auto text = value_of(line, "nregs"); text && !parse_number(*text, header_.registers))
        return wrong("a number of registers");
    if (const auto text = value_of(line, "binary version"); text && !parse_number(*text, header_.binary_version))
        return wrong("a number");
    if (const auto text = value_of(line, "accelsim tracer version");
        text && !parse_number(*text, header_.format.version))
        return wrong("a number");
    if (const auto text = value_of(line, "shmem base_addr"); text && !parse_number(*text, header_.shared_base, 16))
        return wrong("a hexadecimal number");
    if (const auto text = value_of(line, "local mem base_addr"); text && !parse_number(*text, header_.local_base, 16))
        return wrong("a hexadecimal number");
    if (const auto text = value_of(line, "enable lineinfo")) {
        if (*text != "0" && *text != "1") return wrong("0 or 1");
        header_.format.source_lines = *text == "1";
    }
    return {};
}

Result<void> KernelTraceReader::check_header() const {
    const int version = header_.format.version;
    if (version == 0) return fault("the header does not say \"-accelsim tracer version = ...\"");
    if (version < oldest_version || version > newest_version)
        return fault(fmt::format("version {} of the tracer is not read", version), ErrorKind::not_modelled,
                     fmt::format("trace with one that writes versions {} to {}", oldest_version, newest_version));
    if (header_.grid.volume() == 0 || header_.block.volume() == 0)
        return fault("the header does not say \"-grid dim = (x,y,z)\" and \"-block dim = (x,y,z)\"");
    const auto too_large = [](const Dim3& extents, std::uint64_t most) {
        const std::uint64_t plane = std::uint64_t{extents.x} * extents.y;
        return plane > most || plane * extents.z > most;
    };
    if (too_large(header_.grid, most_blocks) || too_large(header_.block, most_threads))
        return fault(fmt::format("no GPU takes more than {} blocks of {} threads", most_blocks, most_threads));
    if (header_.binary_version < oldest_binary)
        return fault(fmt::format("binary version {}: code for GPUs before sm_70 is not read", header_.binary_version),
                     ErrorKind::not_modelled, "trace the program on Volta or a later GPU");
    if (header_.registers == 0 || header_.registers > 255) return fault("\"-nregs = ...\" is not from 1 to 255");
    return {};
}

Result<std::optional<std::uint64_t>> KernelTraceReader::next_block() {
    const std::uint64_t all = header_.grid.volume();
    if (blocks_ == all) {
        for (;;) {
            auto next = lines_.next();
            if (!next) return next.error();
            if (!*next) return std::optional<std::uint64_t>();
            if (!trimmed(**next).empty()) return fault("more after the last block of the grid");
        }
    }
    const std::string expected = fmt::format("#BEGIN_TB ({} of {} blocks have come)", blocks_, all);
    auto begin = line(expected.c_str());
    if (!begin) return begin.error();
    if (*begin != "#BEGIN_TB") return fault(fmt::format("expected {}", expected));
    auto name = line("thread block = x,y,z");
    if (!name) return name.error();
    const auto text = value_of(*name, "thread block");
    Dim3 at;
    if (!text || !parse_three(*text, at)) return fault("expected thread block = x,y,z");
    const Dim3& grid = header_.grid;
    if (at.x >= grid.x || at.y >= grid.y || at.z >= grid.z)
        return fault(fmt::format("the grid of ({},{},{}) blocks has no such block", grid.x, grid.y, grid.z));
    const std::uint64_t index = at.x + std::uint64_t{grid.x} * (at.y + std::uint64_t{grid.y} * at.z);
    if (index >= seen_.size()) seen_.resize(index + 1);
    if (seen_[index]) return fault("this block has come before");
    seen_[index] = true;
    ++blocks_;
    warps_seen_.assign(header_.warps_per_block(), false);
    left_ = 0;
    return std::optional(index);
}

Result<std::optional<std::uint32_t>> KernelTraceReader::next_warp() {
    require_invariant(left_ == 0, "next_warp() before the end of a warp");
    for (;;) {
        auto text = line("warp = w, or #END_TB");
        if (!text) return text.error();
        if (*text == "#END_TB") return std::optional<std::uint32_t>();
        if (header_.format.version >= 6 && (*text).starts_with("cluster ")) continue;
        const auto number = value_of(*text, "warp");
        std::uint32_t warp = 0;
        if (!number || !parse_number(*number, warp)) return fault("expected warp = w, or #END_TB");
        if (warp >= warps_seen_.size())
            return fault(fmt::format("a block of {} threads has {} warps", header_.block.volume(), warps_seen_.size()));
        if (warps_seen_[warp]) return fault("this warp of the block has come before");
        warps_seen_[warp] = true;
        auto count = line("insts = n");
        if (!count) return count.error();
        const auto instructions = value_of(*count, "insts");
        if (!instructions || !parse_number(*instructions, left_)) return fault("expected insts = n");
        return std::optional(warp);
    }
}

Result<bool> KernelTraceReader::next_instruction(InstructionLine& out) {
    if (left_ == 0) return false;
    auto text = line("an instruction");
    if (!text) return text.error();
    if ((*text).front() == '#' || (*text).starts_with("warp ") || (*text).starts_with("insts "))
        return fault(fmt::format("the warp has {} fewer instructions than insts says", left_));
    if (auto done = parse_instruction_line(*text, header_.format, out); !done) {
        Error error = done.error();
        error.where = lines_.place();
        return error;
    }
    --left_;
    return true;
}

}  // namespace sassafras::sim::accel_sim
