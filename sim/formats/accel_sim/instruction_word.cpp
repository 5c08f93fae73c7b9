#include "sim/formats/accel_sim/instruction_word.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "isa/sass/fields.hpp"
#include "isa/sass/instruction.hpp"
#include "isa/sass/table.hpp"
#include "isa/sass/table_rows.hpp"
#include "sim/formats/accel_sim/modifiers.hpp"

namespace sassafras::sim::accel_sim {

namespace {

using isa::Field;
using isa::Opcode;
using isa::OpcodeRow;
using isa::Source;
using isa::Word128;
namespace fields = isa::fields;

/// Names of other architectures for what sm_90 calls otherwise, where it takes the same unit as long.
struct Alias {
    std::string_view name;
    Opcode opcode;
};
constexpr std::array aliases{
    Alias{"RED", Opcode::RED},         Alias{"FADD32I", Opcode::FADD},    Alias{"FMUL32I", Opcode::FMUL},
    Alias{"FFMA32I", Opcode::FFMA},    Alias{"IADD32I", Opcode::IADD3},   Alias{"IADD", Opcode::IADD3},
    Alias{"LOP32I", Opcode::LOP3},     Alias{"LOP", Opcode::LOP3},        Alias{"IMUL", Opcode::IMAD},
    Alias{"IMUL32I", Opcode::IMAD},    Alias{"HADD2_32I", Opcode::HADD2}, Alias{"HMUL2_32I", Opcode::HMUL2},
    Alias{"HFMA2_32I", Opcode::HFMA2}, Alias{"MOV32I", Opcode::MOV},      Alias{"FOOTPRINT", Opcode::TEX}};

Opcode opcode_of(const Modifiers& modifiers) {
    const std::string_view name = modifiers.name();
    if (name == "IMAD" && modifiers.has("WIDE")) return Opcode::IMAD_WIDE;
    if (name == "IMAD" && modifiers.has("HI")) return Opcode::IMAD_HI;
    if (name == "UIMAD" && modifiers.has("WIDE")) return Opcode::UIMAD_WIDE;
    if (name == "UIMAD" && modifiers.has("HI")) return Opcode::UIMAD_HI;
    if (name == "HFMA2" && modifiers.has("MMA")) return Opcode::HFMA2_MMA;
    for (const Alias& alias : aliases)
        if (alias.name == name) return alias.opcode;
    for (std::uint16_t i = 1; i < static_cast<std::uint16_t>(Opcode::count_); ++i)
        if (name == isa::mnemonic(static_cast<Opcode>(i))) return static_cast<Opcode>(i);
    return Opcode::invalid;
}

/// What the trace says too little of, or the model has no time for.
bool has_no_time(Opcode opcode) {
    switch (opcode) {
        case Opcode::HGMMA:
        case Opcode::IGMMA:
        case Opcode::BGMMA:
        case Opcode::QGMMA:
        case Opcode::STAS:
        case Opcode::REDAS:
        case Opcode::SYNCS:
        case Opcode::TEX:
        case Opcode::TLD:
        case Opcode::TLD4:
        case Opcode::TXQ:
        case Opcode::TXD:
        case Opcode::TMML:
        case Opcode::SULD:
        case Opcode::SUST:
        case Opcode::SUATOM:
        case Opcode::SURED: return true;
        default: return false;
    }
}

bool is_vector(Source source) { return source == Source::a || source == Source::b || source == Source::c; }
bool is_uniform(Source source) {
    return source == Source::uniform_a || source == Source::uniform_b || source == Source::uniform_c;
}

struct Operands {
    std::vector<std::uint8_t> vectors;
    std::vector<std::uint8_t> uniforms;
};

Operands sources_of(const InstructionLine& line) {
    Operands operands;
    for (const TracedRegister& source : line.sources()) {
        if (source.file == TracedRegister::File::vector) operands.vectors.push_back(source.number);
        if (source.file == TracedRegister::File::uniform) operands.uniforms.push_back(source.number);
    }
    return operands;
}

/// How well the form of operands fits; -1: not at all. A trace leaves out constants and immediates: the rest of a form
/// with more sources is taken for an immediate.
int fit(const OpcodeRow& row, std::size_t vectors, std::size_t uniforms) {
    constexpr int of_a_register = 16;
    int score = 100;
    std::size_t vector_slots = 0;
    std::size_t uniform_slots = 0;
    for (std::size_t i = 0; i < row.sources.size(); ++i) {
        if (is_vector(row.sources[i])) ++vector_slots;
        if (is_uniform(row.sources[i])) ++uniform_slots;
        if (row.sources[i] == Source::bindless) score -= 8;
        if (row.sources[i] == Source::constant) score -= 4;
        if (row.sources[i] == Source::immediate && i == 2) score -= 1;  // more often the second is the one
    }
    score += of_a_register * static_cast<int>(std::min(vectors, vector_slots) + std::min(uniforms, uniform_slots));
    score -= 2 * static_cast<int>((vector_slots > vectors ? vector_slots - vectors : 0) +
                                  (uniform_slots > uniforms ? uniform_slots - uniforms : 0));
    return score;
}

const OpcodeRow* row_of(Opcode opcode, const Modifiers& modifiers, const Operands& operands) {
    const auto is_there = [](std::uint8_t number) { return number != isa::register_zero; };
    const auto vectors =
        static_cast<std::size_t>(std::count_if(operands.vectors.begin(), operands.vectors.end(), is_there));
    const OpcodeRow* best = nullptr;
    int best_fit = std::numeric_limits<int>::min();
    for (const OpcodeRow& row : isa::table::rows) {
        if (row.opcode != opcode || !row.holds_for(isa::Architecture::sm_90)) continue;
        if (is_conversion(opcode) && (row.form == isa::Form::wide) != is_wide_conversion(modifiers)) continue;
        const int fits = fit(row, vectors, operands.uniforms.size());
        if (fits > best_fit) {
            best = &row;
            best_fit = fits;
        }
    }
    return best;
}

void put_sources(Word128& word, const OpcodeRow& row, Operands operands) {
    const auto slots = static_cast<std::size_t>(std::count_if(row.sources.begin(), row.sources.end(), is_vector));
    if (operands.vectors.size() > slots) std::erase(operands.vectors, isa::register_zero);
    std::size_t vector = 0;
    std::size_t uniform = 0;
    const auto next_vector = [&]() -> std::uint64_t {
        return vector < operands.vectors.size() ? operands.vectors[vector++] : isa::register_zero;
    };
    const auto next_uniform = [&]() -> std::uint64_t {
        return uniform < operands.uniforms.size() ? operands.uniforms[uniform++] : isa::uniform_register_zero;
    };
    for (const Source source : row.sources) {
        switch (source) {
            case Source::a: put(word, fields::register_a, next_vector()); break;
            case Source::b: put(word, fields::register_b, next_vector()); break;
            case Source::c: put(word, fields::register_c, next_vector()); break;
            case Source::uniform_a: put(word, fields::uniform_register_a, next_uniform()); break;
            case Source::uniform_b: put(word, fields::uniform_register_b, next_uniform()); break;
            case Source::uniform_c: put(word, fields::uniform_register_c, next_uniform()); break;
            case Source::bindless: put(word, fields::uniform_register_b, isa::uniform_register_zero); break;
            case Source::none:
            case Source::immediate:
            case Source::constant: break;
        }
    }
}

void put_destination(Word128& word, const OpcodeRow& row, const InstructionLine& line) {
    const auto wanted =
        row.destination == isa::Destination::vector ? TracedRegister::File::vector : TracedRegister::File::uniform;
    std::uint64_t number =
        row.destination == isa::Destination::vector ? isa::register_zero : isa::uniform_register_zero;
    // Where a version writes every register of a wide result, the first is what the instruction names.
    for (const TracedRegister& destination : line.destinations()) {
        if (destination.file != wanted) continue;
        number = destination.number;
        break;
    }
    if (row.destination == isa::Destination::vector) put(word, fields::destination, number);
    if (row.destination == isa::Destination::uniform) put(word, fields::uniform_destination, number);
}

std::size_t predicate_spans(const Word128& word) {
    const auto instruction = isa::decode(word);
    if (!instruction) return 0;
    const isa::RegisterUse use = isa::register_use(*instruction);
    const auto is_predicate = [](const isa::RegisterSpan& span) {
        return span.file == isa::RegisterSpan::File::predicate ||
               span.file == isa::RegisterSpan::File::uniform_predicate;
    };
    return static_cast<std::size_t>(
        std::count_if(use.reads.begin(), use.reads.begin() + use.read_count, is_predicate) +
        std::count_if(use.writes.begin(), use.writes.begin() + use.write_count, is_predicate));
}

/// PT in every field that is a predicate of this operation; then those that the trace names (version 6): the first
/// destination, and as guard the first source.
void put_predicates(Word128& word, const InstructionLine& line) {
    bool writes = false;
    for (const Field field :
         {fields::predicate_u, fields::predicate_v, fields::predicate_p, fields::predicate_q, fields::predicate_r}) {
        Word128 changed = word;
        put(changed, field, isa::predicate_true);
        if (predicate_spans(changed) >= predicate_spans(word)) continue;
        word = changed;
        writes = writes || field.first == fields::predicate_u.first;
    }
    const auto first = [](std::span<const TracedRegister> registers) -> std::uint64_t {
        for (const TracedRegister& one : registers)
            if (one.file == TracedRegister::File::predicate) return one.number & 7U;
        return isa::predicate_true;
    };
    if (writes) put(word, fields::predicate_u, first(line.destinations()));
    put(word, fields::guard_predicate, first(line.sources()));
}

}  // namespace

Result<Word128> word_of(const InstructionLine& line) {
    const Modifiers modifiers(line.opcode);
    const Opcode opcode = opcode_of(modifiers);
    const auto refuse = [&](const char* what) {
        return Error{ErrorKind::not_modelled, fmt::format("{} {}", line.opcode, what), "",
                     "leave the kernel out of kernelslist.g"};
    };
    if (opcode == Opcode::invalid) return refuse("is no operation that the model knows");
    if (has_no_time(opcode)) return refuse("is not modelled");
    Operands operands = sources_of(line);
    // The tracer gives the register of the address in shared memory, then that of the address in global memory.
    std::uint64_t shared_address = isa::register_zero;
    if (opcode == Opcode::LDGSTS && operands.vectors.size() >= 2) {
        shared_address = operands.vectors.front();
        operands.vectors.erase(operands.vectors.begin());
    }
    const OpcodeRow* row = row_of(opcode, modifiers, operands);
    if (row == nullptr) return refuse("is no operation that the model knows");

    Word128 word;
    put(word, fields::opcode_low, row->key & 0xfffU);
    put(word, fields::opcode_high, row->key >> 12U);
    put(word, fields::guard_predicate, isa::predicate_true);
    constexpr std::uint64_t no_control = 1U | 7U << 5U | 7U << 8U;  // a stall of 1 cycle, no scoreboards
    put(word, fields::control, no_control);
    put_modifiers(word, opcode, modifiers, line.immediate);
    put_destination(word, *row, line);
    put_sources(word, *row, std::move(operands));
    if (opcode == Opcode::LDGSTS) {
        put(word, fields::destination, shared_address);
        put(word, fields::uniform_register_c, isa::uniform_register_zero);
    }
    put_predicates(word, line);
    return word;
}

}  // namespace sassafras::sim::accel_sim
