#include "study/conflicts/source_lines.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "core/hash.hpp"
#include "isa/cubin/cubin.hpp"
#include "sim/access/memory_site.hpp"
#include "study/conflicts/embedded_lines.hpp"

namespace sassafras::study {
namespace {

std::vector<std::string_view> split(std::string_view line, char separator) {
    std::vector<std::string_view> fields;
    while (true) {
        const std::size_t end = line.find(separator);
        fields.push_back(line.substr(0, end));
        if (end == std::string_view::npos) return fields;
        line.remove_prefix(end + 1);
    }
}

std::optional<std::uint64_t> number(std::string_view text, int base) {
    std::uint64_t value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (text.empty() || code != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::optional<SourceLine> parse_location(const std::vector<std::string_view>& fields) {
    if (fields.size() < 4 || (fields.size() - 4) % 3 != 0) return std::nullopt;
    SourceLine line;
    const auto at = number(fields[2], 10);
    if (!at) return std::nullopt;
    line.location.file = fields[1];
    line.location.line = static_cast<std::uint32_t>(*at);
    line.text = fields[3];
    for (std::size_t i = 4; i < fields.size(); i += 3) {
        const auto call = number(fields[i + 2], 10);
        if (!call) return std::nullopt;
        line.location.inlined.push_back(
            {std::string(fields[i]), std::string(fields[i + 1]), static_cast<std::uint32_t>(*call)});
    }
    return line;
}

std::string format_location(const SourceLine& line) {
    std::string text = fmt::format("L\t{}\t{}\t{}", line.location.file, line.location.line, line.text);
    for (const isa::InlinedCall& call : line.location.inlined)
        text += fmt::format("\t{}\t{}\t{}", call.function, call.file, call.line);
    return text + "\n";
}

}  // namespace

const KernelLines* find_lines(const LinesByKernel& lines, std::string_view kernel, std::uint64_t code_hash) {
    const auto [begin, end] = lines.equal_range(kernel);
    const auto found = std::find_if(
        begin, end, [&](const auto& entry) { return code_hash == 0 || entry.second.code_hash == code_hash; });
    return found == end ? nullptr : &found->second;
}

std::string place_of(const isa::SourceLocation& location, bool with_callers) {
    std::string text = fmt::format("{}:{}", location.file, location.line);
    if (with_callers)
        for (const isa::InlinedCall& call : location.inlined) text += fmt::format(" < {}:{}", call.file, call.line);
    return text;
}

std::uint64_t hash_of_code(const isa::Kernel& kernel) {
    return fnv1a_64({reinterpret_cast<const char*>(kernel.code.data()), kernel.code.size() * sizeof(isa::Word128)});
}

bool may_access_shared(const isa::Kernel& kernel, std::size_t instruction) {
    const auto decoded = isa::decode(kernel.code[instruction], kernel.architecture);
    if (!decoded) return false;
    const sim::MemorySite site = sim::memory_site(*decoded);
    return site.space == sim::MemorySpace::shared || site.space == sim::MemorySpace::generic || site.copies_to_shared;
}

Result<LinesByKernel> parse_lines(std::string_view text, std::string_view origin) {
    LinesByKernel lines;
    std::vector<SourceLine> locations;
    KernelLines* kernel = nullptr;
    std::size_t row = 0;
    for (const std::string_view line : split(text, '\n')) {
        ++row;
        if (line.empty() || line.front() == '#') continue;
        const auto fields = split(line, '\t');
        bool good = false;
        if (fields[0] == "L") {
            if (auto location = parse_location(fields)) {
                locations.push_back(std::move(*location));
                good = true;
            }
        } else if (fields[0] == "K" && fields.size() == 3) {
            const auto hash = number(fields[2], 16);
            kernel = &lines.emplace(std::string(fields[1]), KernelLines{hash.value_or(0), {}})->second;
            good = hash.has_value();
        } else if (fields[0] == "I" && fields.size() == 3 && kernel != nullptr) {
            const auto pc = number(fields[1], 16);
            const auto location = number(fields[2], 10);
            good = pc && location && *location < locations.size();
            if (good) kernel->at[*pc] = locations[*location];
        }
        if (!good)
            return Error{ErrorKind::bad_input, "the table of source lines is damaged",
                         fmt::format("{}, line {}", origin, row), "make it again with scripts/build-cubins --update"};
    }
    return lines;
}

std::string format_lines(const LinesByKernel& lines) {
    std::string locations;
    std::string kernels;
    std::map<std::string, std::size_t> numbers;
    for (const auto& [name, kernel] : lines) {
        kernels += fmt::format("K\t{}\t{:016x}\n", name, kernel.code_hash);
        for (const auto& [pc, line] : kernel.at) {
            const std::string location = format_location(line);
            const auto [found, is_new] = numbers.try_emplace(location, numbers.size());
            if (is_new) locations += location;
            kernels += fmt::format("I\t{:x}\t{}\n", pc, found->second);
        }
    }
    return locations + kernels;
}

Result<LinesByKernel> embedded_lines() {
    LinesByKernel all;
    for (const auto& [origin, text] : embedded_line_files()) {
        auto lines = parse_lines(text, origin);
        if (!lines) return lines.error();
        all.merge(*lines);
    }
    return all;
}

Result<LinesByKernel> lines_of(std::span<const std::byte> bytes, std::string_view origin) {
    auto tables = isa::read_line_info(bytes, origin);
    if (!tables) return tables.error();
    LinesByKernel lines;
    auto cubin = isa::read_cubin(bytes, origin);
    if (!cubin) return cubin.error();
    for (const isa::Kernel& kernel : cubin->kernels) {
        KernelLines& of_kernel = lines.emplace(kernel.name, KernelLines{hash_of_code(kernel), {}})->second;
        if (tables->empty()) continue;
        const isa::LineTable table = isa::lines_of_code(kernel, *tables);
        const isa::SourceLocation* last = nullptr;
        for (std::size_t i = 0; i < kernel.code.size(); ++i) {
            if (!may_access_shared(kernel, i)) continue;
            const std::uint64_t pc = i * isa::instruction_bytes;
            const isa::SourceLocation* location = table.find(pc);
            const bool same = location == nullptr
                                  ? last == nullptr
                                  : last != nullptr && *location == *last && location->source == last->source;
            if (same) continue;
            of_kernel.at[pc] = {location == nullptr ? isa::SourceLocation{} : *location, {}};
            last = location;
        }
    }
    return lines;
}

}  // namespace sassafras::study
