#include "sim/check/undefined_values.hpp"

#include <bit>

#include "isa/sass/fields.hpp"

namespace sassafras::sim {

namespace {

using isa::Opcode;
using isa::RegisterSpan;
namespace fields = isa::fields;

constexpr std::uint32_t all_lanes = 0xffffffffU;

/// A predicate that an instruction reads: lanes where it holds.
std::uint32_t held(const ObservedValues& values, std::uint64_t index, bool negate) {
    const std::uint32_t lanes = values.predicates[index];
    return negate ? ~lanes : lanes;
}

/// Lanes in which an integer comparison holds.
std::uint32_t compare(const isa::Instruction& instruction, const ObservedValues& values) {
    const bool is_signed = instruction.word.get(fields::integer_signed) != 0;
    // The codes F, LT, EQ, LE, GT, NE, GE, T are sets of outcomes: 1 less, 2 equal, 4 greater.
    const std::uint64_t outcomes = instruction.word.get(fields::integer_compare);
    std::uint32_t holds = 0;
    for (std::uint32_t lane = 0; lane < static_cast<std::uint32_t>(warp_size); ++lane) {
        const std::uint32_t a = values.a[lane];
        const std::uint32_t b = values.b[lane];
        const bool less = is_signed ? static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b) : a < b;
        const std::uint64_t outcome = a == b ? 2 : less ? 1 : 4;
        holds |= static_cast<std::uint32_t>((outcomes & outcome) != 0) << lane;
    }
    return holds;
}

/// What crosses lanes or goes to the uniform datapath is used there and then.
bool leaves_the_thread(Opcode opcode) {
    switch (opcode) {
        case Opcode::VOTE:
        case Opcode::VOTEU:
        case Opcode::MATCH:
        case Opcode::REDUX:
        case Opcode::R2UR: return true;
        default: return false;
    }
}

bool is_zero(const isa::Operand& operand) {
    return operand.kind == isa::OperandKind::reg && operand.reg == isa::register_zero;
}

/// What it gives is one of its operands, as that is. nvcc also moves by IMAD R, RZ, RZ, R.
bool moves(const isa::Instruction& instruction) {
    switch (instruction.opcode) {
        case Opcode::MOV:
        case Opcode::SEL:
        case Opcode::SHFL: return true;
        case Opcode::IMAD: return is_zero(instruction.a) || is_zero(instruction.b);
        default: return false;
    }
}

}  // namespace

std::uint32_t UndefinedValues::read(const isa::RegisterUse& use, bool vectors, bool predicates) const {
    std::uint32_t lanes = 0;
    for (std::uint8_t i = 0; i < use.read_count; ++i) {
        const RegisterSpan& span = use.reads[i];
        for (std::uint32_t reg = span.first; reg < std::uint32_t{span.first} + span.count; ++reg) {
            if (vectors && span.file == RegisterSpan::File::vector) lanes |= registers_[reg & 0xffU];
            if (predicates && span.file == RegisterSpan::File::predicate) lanes |= predicates_[reg & 7U];
        }
    }
    return lanes;
}

void UndefinedValues::load(const UninitialisedRead& read, std::uint8_t first, std::uint32_t lane) {
    if (first == isa::register_zero) return;
    for (std::uint32_t missing = read.missing; missing != 0; missing &= missing - 1) {
        const std::uint32_t reg = (first + static_cast<std::uint32_t>(std::countr_zero(missing))) & 0xffU;
        set(registers_[reg], registers_[reg] | 1U << lane);
        padding_[reg] = (padding_[reg] & ~(1U << lane)) | (read.is_partial ? 1U << lane : 0U);
    }
    origin_[lane] = read;
}

std::uint32_t UndefinedValues::used_by_access(const isa::RegisterUse& use, std::uint8_t stored,
                                              std::uint32_t lanes) const {
    std::uint32_t undefined = read(use, false, true);
    for (std::uint8_t i = 0; i < use.read_count; ++i) {
        const RegisterSpan& span = use.reads[i];
        if (span.file != RegisterSpan::File::vector) continue;
        const bool is_stored = stored != isa::register_zero && span.first == stored;
        for (std::uint32_t reg = span.first; reg < std::uint32_t{span.first} + span.count; ++reg)
            undefined |= registers_[reg & 0xffU] & ~(is_stored ? padding_[reg & 0xffU] : 0U);
    }
    return undefined & lanes;
}

std::uint32_t UndefinedValues::read_no_padding(const isa::RegisterUse& use) const {
    std::uint32_t lanes = 0;
    for (std::uint8_t i = 0; i < use.read_count; ++i) {
        const RegisterSpan& span = use.reads[i];
        if (span.file != RegisterSpan::File::vector) continue;
        for (std::uint32_t reg = span.first; reg < std::uint32_t{span.first} + span.count; ++reg)
            lanes |= registers_[reg & 0xffU] & ~padding_[reg & 0xffU];
    }
    return lanes;
}

void UndefinedValues::define(const isa::RegisterUse& use, std::uint32_t lanes) {
    for (std::uint8_t i = 0; i < use.write_count; ++i) {
        const RegisterSpan& span = use.writes[i];
        for (std::uint32_t reg = span.first; reg < std::uint32_t{span.first} + span.count; ++reg) {
            if (span.file == RegisterSpan::File::vector) set(registers_[reg & 0xffU], registers_[reg & 0xffU] & ~lanes);
            if (span.file == RegisterSpan::File::predicate) set(predicates_[reg & 7U], predicates_[reg & 7U] & ~lanes);
        }
    }
}

std::uint32_t UndefinedValues::used_by_branch(const isa::RegisterUse& use, std::uint32_t lanes) const {
    return read(use, true, true) & lanes;
}

/// ISETP and its like: (a compared with b) AND, OR or XOR a predicate.
std::uint32_t UndefinedValues::compared(const isa::Instruction& instruction, const isa::RegisterUse& use,
                                        const ObservedValues& values) const {
    const std::uint64_t index = instruction.word.get(fields::predicate_p);
    const std::uint32_t other = held(values, index, instruction.word.get(fields::predicate_p_negate) != 0);
    const std::uint32_t other_undefined = predicates_[index];
    const bool is_plain = instruction.opcode == Opcode::ISETP && instruction.word.get(fields::isetp_extended) == 0;
    // The low half's result, of .EX, is among the predicates read.
    const std::uint32_t undefined = read(use, true, !is_plain);
    // Its second result is of the opposite comparison: what decides one does not decide the other.
    const bool is_known = is_plain && instruction.word.get(fields::predicate_v) == isa::predicate_true;
    const std::uint32_t holds = is_known ? compare(instruction, values) : 0;
    const std::uint32_t either = undefined | other_undefined;
    const auto deciding = [&](std::uint32_t where) {  // lanes in which a defined operand decides alone
        const std::uint32_t by_other = ~other_undefined & (other ^ ~where);
        const std::uint32_t by_comparison = is_known ? ~undefined & (holds ^ ~where) : 0;
        return by_other | by_comparison;
    };
    switch (static_cast<fields::SetOperation>(instruction.word.get(fields::set_operation))) {
        case fields::SetOperation::logical_and: return either & ~deciding(0);
        case fields::SetOperation::logical_or: return either & ~deciding(all_lanes);
        default: return either;
    }
}

std::uint32_t UndefinedValues::selected(const isa::Instruction& instruction, const ObservedValues& values) const {
    const std::uint64_t index = instruction.word.get(fields::predicate_p);
    const std::uint32_t takes_a = held(values, index, instruction.word.get(fields::predicate_p_negate) != 0);
    return predicates_[index] | (takes_a & of_operand(instruction.a)) | (~takes_a & of_operand(instruction.b));
}

std::uint32_t UndefinedValues::looked_up(const isa::Instruction& instruction, const ObservedValues& values,
                                         std::uint32_t table) const {
    struct Input {
        std::uint32_t holds = 0;
        std::uint32_t undefined = 0;
    };
    const auto input = [&](isa::Field field, isa::Field negate, bool uniform) {
        const std::uint64_t index = instruction.word.get(field);
        return Input{held(values, index + (uniform ? 8U : 0U), instruction.word.get(negate) != 0),
                     uniform ? 0 : predicates_[index]};
    };
    const std::array<Input, 3> inputs{input(fields::predicate_p, fields::predicate_p_negate, false),
                                      input(fields::predicate_q, fields::predicate_q_negate, false),
                                      input(fields::predicate_r, fields::predicate_r_negate,
                                            instruction.word.get(fields::plop3_uniform_source) != 0)};
    std::uint32_t may_hold = 0;
    std::uint32_t may_not = 0;
    for (std::uint32_t row = 0; row < 8; ++row) {
        std::uint32_t possible = all_lanes;
        for (std::uint32_t i = 0; i < 3; ++i) {
            const bool wanted = (row >> (2 - i) & 1U) != 0;
            possible &= inputs[i].undefined | (wanted ? inputs[i].holds : ~inputs[i].holds);
        }
        ((table >> row & 1U) != 0 ? may_hold : may_not) |= possible;
    }
    return may_hold & may_not;
}

std::uint32_t UndefinedValues::compute(const isa::Instruction& instruction, const isa::RegisterUse& use,
                                       const ObservedValues& values) {
    const std::uint32_t lanes = values.at.lanes;
    const std::uint32_t guard =
        instruction.guard.uniform || instruction.guard.always() ? 0 : predicates_[instruction.guard.predicate];
    std::uint32_t result = 0;
    switch (instruction.opcode) {
        case Opcode::ISETP:
        case Opcode::FSETP:
        case Opcode::DSETP: result = compared(instruction, use, values); break;
        case Opcode::SEL:
        case Opcode::FSEL: result = selected(instruction, values); break;
        case Opcode::PLOP3:
            if (instruction.a.kind == isa::OperandKind::none) {
                const std::uint64_t table = instruction.word.get(fields::plop3_table_low) |
                                            instruction.word.get(fields::plop3_table_high) << 3U;
                result = looked_up(instruction, values, static_cast<std::uint32_t>(table)) |
                         looked_up(instruction, values,
                                   static_cast<std::uint32_t>(instruction.word.get(fields::plop3_second_table)));
                break;
            }
            result = read(use, true, true);
            break;
        case Opcode::SHFL: {
            const std::uint32_t undefined = read(use, true, true);
            result = (undefined & lanes) != 0 ? all_lanes : 0;
            if (result == 0) break;
            // What comes to lanes that have read nothing undefined themselves is from the first that has.
            const UninitialisedRead from = origin_[static_cast<std::size_t>(std::countr_zero(undefined & lanes))];
            for (UninitialisedRead& origin : origin_)
                if (origin.bytes == 0) origin = from;
            break;
        }
        default: result = read(use, true, true); break;
    }
    if (leaves_the_thread(instruction.opcode)) return result & lanes;
    std::uint32_t padding = moves(instruction) ? result & ~read_no_padding(use) : 0;
    if (instruction.opcode == Opcode::SHFL && padding != all_lanes) padding = 0;
    for (std::uint8_t i = 0; i < use.write_count; ++i) {
        const RegisterSpan& span = use.writes[i];
        for (std::uint32_t reg = span.first; reg < std::uint32_t{span.first} + span.count; ++reg) {
            if (span.file == RegisterSpan::File::vector || span.file == RegisterSpan::File::predicate) {
                std::uint32_t& entry =
                    span.file == RegisterSpan::File::vector ? registers_[reg & 0xffU] : predicates_[reg & 7U];
                set(entry, (entry & ~lanes) | (result & lanes) | (guard & values.at.alive));
            }
            if (span.file == RegisterSpan::File::vector)
                padding_[reg & 0xffU] = (padding_[reg & 0xffU] & ~lanes) | (padding & lanes);
        }
    }
    return 0;
}

}  // namespace sassafras::sim
