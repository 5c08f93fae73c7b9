#include "sim/formats/accel_sim/instruction_line.hpp"

#include <bit>
#include <charconv>
#include <string>

#include <fmt/format.h>

namespace sassafras::sim::accel_sim {

namespace {

Error bad(std::string what) {
    return {ErrorKind::bad_input, std::move(what), "",
            "the trace is damaged, or of another version than its header says"};
}

/// Words between spaces.
class Words {
  public:
    explicit Words(std::string_view text) : text_(text) {}

    [[nodiscard]] std::string_view next() {
        skip();
        const std::size_t begin = at_;
        while (at_ < text_.size() && !is_space(text_[at_])) ++at_;
        return text_.substr(begin, at_ - begin);
    }
    /// Where the next word begins.
    [[nodiscard]] std::size_t position() {
        skip();
        return at_;
    }
    [[nodiscard]] std::size_t end_of_last() const { return at_; }
    [[nodiscard]] std::string_view rest() { return text_.substr(position()); }
    [[nodiscard]] bool at_end() { return position() == text_.size(); }

    /// False unless the next word is such a number and nothing else.
    template <class Number>
    [[nodiscard]] bool number(Number& value, int base = 10) {
        std::string_view word = next();
        if (base == 16 && (word.starts_with("0x") || word.starts_with("0X"))) word.remove_prefix(2);
        const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value, base);
        return code == std::errc() && end == word.data() + word.size();
    }

  private:
    static bool is_space(char c) { return c == ' ' || c == '\t'; }
    void skip() {
        while (at_ < text_.size() && is_space(text_[at_])) ++at_;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

bool parse_register(std::string_view word, TracedRegister& out) {
    using File = TracedRegister::File;
    const auto take = [&](std::string_view prefix, File file) {
        if (!word.starts_with(prefix)) return false;
        const auto digits = word.substr(prefix.size());
        std::uint32_t number = 0;
        const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
        if (code != std::errc() || end != digits.data() + digits.size() || number > 255) return false;
        out = {file, static_cast<std::uint8_t>(number)};
        return true;
    };
    return take("UR", File::uniform) || take("R", File::vector) || take("UP", File::uniform_predicate) ||
           take("P", File::predicate);
}

Result<void> parse_registers(Words& words, const char* kind, int version, TracedRegister* into, std::size_t& count) {
    if (!words.number(count)) return bad(fmt::format("the number of {} registers is no number", kind));
    if (count > InstructionLine::most_registers)
        return bad(fmt::format("{} {} registers; an instruction has at most {}", count, kind,
                               InstructionLine::most_registers));
    for (std::size_t i = 0; i < count; ++i) {
        const std::string_view word = words.next();
        if (!parse_register(word, into[i]) || (version < 6 && into[i].file != TracedRegister::File::vector))
            return bad(fmt::format("\"{}\" is no {} register of version {}", word, kind, version));
    }
    return {};
}

Result<void> parse_addresses(Words& words, InstructionLine& out) {
    std::uint32_t mode = 0;
    if (!words.number(mode) || mode > 2) return bad("the mode of the addresses is none of 0, 1 and 2");
    const auto missing = [&] { return bad("fewer addresses than lanes in the mask, or one that is no number"); };
    std::uint64_t address = 0;
    if (mode != 0 && !words.number(address, 16)) return bad("the base of the addresses is no hexadecimal number");
    std::int64_t stride = 0;
    if (mode == 1 && !words.number(stride)) return bad("the stride of the addresses is no decimal number");
    if (mode == 1 && out.mask != 0) {
        const std::uint32_t run = out.mask >> std::countr_zero(out.mask);
        if ((run & (run + 1)) != 0) return bad("a stride (mode 1) over lanes that are not consecutive");
    }
    bool first = true;
    for (std::uint32_t rest = out.mask; rest != 0; rest &= rest - 1) {
        if (mode == 0) {
            if (!words.number(address, 16)) return missing();
        } else if (!first) {
            if (mode == 2 && !words.number(stride)) return missing();
            address += static_cast<std::uint64_t>(stride);
        }
        first = false;
        out.address[static_cast<std::size_t>(std::countr_zero(rest))] = address;
    }
    return {};
}

/// Version 6: what follows the first immediate.
Result<void> parse_values(Words& words, const InstructionLine& out) {
    std::string_view word = words.next();
    std::int64_t second = 0;
    if (const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), second);
        code == std::errc() && end == word.data() + word.size())
        word = words.next();
    if (word == "NoVal") return {};
    if (word != "Val") return bad("neither Val nor NoVal follows the immediates");
    for (std::size_t i = 0; i < out.destination_count + out.source_count; ++i) {
        std::uint32_t count = 0;
        if (!words.number(count) || (count != 1 && count != warp_size))
            return bad("a register has neither one value nor one a lane");
        for (std::uint32_t lane = 0; lane < count; ++lane)
            if (std::uint64_t value = 0; !words.number(value, 16)) return bad("the value of a register is no number");
    }
    return {};
}

/// What may stand behind a line that we exported: lanes before the guard.
Result<void> parse_active(Words& words, InstructionLine& out) {
    constexpr std::string_view name = "active=";
    if (!words.rest().starts_with(name)) return {};
    const std::string_view digits = words.next().substr(name.size());
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), out.active, 16);
    if (code != std::errc() || end != digits.data() + digits.size())
        return bad(fmt::format("\"{}{}\" is no hexadecimal number of 32 bits", name, digits));
    if ((out.mask & ~out.active) != 0)
        return bad(
            fmt::format("lanes of the mask ({:08x}) are not among the active ones ({:08x})", out.mask, out.active));
    return {};
}

bool is_bulk_copy(std::string_view opcode) {
    for (const std::string_view name : {"UTMALDG", "UTMASTG", "UTMAPF", "UTMAREDG", "UBLKCP", "UBLKPF", "UBLKRED"})
        if (opcode.starts_with(name)) return true;
    return false;
}

}  // namespace

Result<void> parse_instruction_line(std::string_view line, const LineFormat& format, InstructionLine& out) {
    Words words(line);
    if (std::int64_t source_line = 0; format.source_lines && !words.number(source_line))
        return bad("the source line is no number");
    if (!words.number(out.pc, 16)) return bad("the pc is no hexadecimal number of 32 bits");
    if (!words.number(out.mask, 16)) return bad("the mask is no hexadecimal number of 32 bits");
    out.active = out.mask;
    const std::size_t begin = words.position();
    if (auto done = parse_registers(words, "destination", format.version, out.registers.data(), out.destination_count);
        !done)
        return done;
    out.opcode = words.next();
    if (out.opcode.empty() || out.opcode.front() < 'A' || out.opcode.front() > 'Z')
        return bad(fmt::format("\"{}\" is no opcode", out.opcode));
    if (auto done = parse_registers(words, "source", format.version, out.registers.data() + out.destination_count,
                                    out.source_count);
        !done)
        return done;
    out.instruction = line.substr(begin, words.end_of_last() - begin);
    if (format.version >= 6 && is_bulk_copy(out.opcode))
        return Error{ErrorKind::not_modelled, fmt::format("{} is not modelled", out.opcode), "",
                     "trace a program without bulk copies"};
    if (std::uint32_t group = 0;
        format.version >= 6 && out.opcode.find("GMMA") != std::string_view::npos && !words.number(group))
        return bad("the commit group of a matrix product is no number");
    if (!words.number(out.width)) return bad("the width of the memory access is no number");
    if (out.width != 0)
        if (auto done = parse_addresses(words, out); !done) return done;
    out.immediate = 0;
    const bool has_immediate = format.version >= 5 || !words.at_end();
    if (has_immediate && !words.number(out.immediate)) return bad("no immediate, or one that is no decimal number");
    if (format.version >= 6)
        if (auto done = parse_values(words, out); !done) return done;
    if (format.version == exported_version)
        if (auto done = parse_active(words, out); !done) return done;
    if (!words.at_end()) return bad(fmt::format("more than an instruction: \"{}\"", words.next()));
    return {};
}

}  // namespace sassafras::sim::accel_sim
