// Operations across the lanes of a warp: shuffles, votes, matches, reductions.
#include <array>
#include <cstring>

#include "sim/execute/handlers.hpp"
#include "sim/execute/lowering.hpp"

namespace sassafras::sim {

using isa::Opcode;
namespace fields = isa::fields;

namespace {

/// b: lane operand row, c: clamp and segment row, m0: mode. Lanes that do not take part are read as they are.
void shuffle(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    std::uint32_t* d = words(row(warp, op.d));
    const std::uint32_t* a = words(row(warp, op.a));
    const std::uint32_t* b = words(row(warp, op.b));
    const std::uint32_t* c = words(row(warp, op.c));
    std::array<std::uint32_t, warp_size> value;
    std::memcpy(value.data(), a, sizeof value);
    std::uint32_t in_range = 0;
    const auto mode = static_cast<fields::ShflMode>(op.m0);
    for_each_lane(mask, [&](int index) {
        const auto lane = static_cast<std::uint32_t>(index);
        const std::uint32_t segment = c[lane] >> 8U & 31U;
        const std::uint32_t clamp = c[lane] & 31U;
        const std::uint32_t most = (lane & segment) | (clamp & ~segment);
        const std::uint32_t least = lane & segment;
        const std::uint32_t operand = b[lane] & 31U;
        std::uint32_t from = 0;
        bool valid = false;
        switch (mode) {
            case fields::ShflMode::idx:
                from = least | (operand & ~segment);
                valid = from <= most;
                break;
            case fields::ShflMode::up:
                from = lane - operand;
                valid = static_cast<std::int32_t>(from) >= static_cast<std::int32_t>(most);
                break;
            case fields::ShflMode::down:
                from = lane + operand;
                valid = from <= most;
                break;
            case fields::ShflMode::bfly:
                from = lane ^ operand;
                valid = from <= most;
                break;
        }
        in_range |= static_cast<std::uint32_t>(valid) << lane;
        d[lane] = value[valid ? from & 31U : lane];
    });
    write_predicate(warp, op.p, in_range, mask);
}

std::uint32_t vote_outcome(std::uint32_t mode, std::uint32_t ballot, std::uint32_t mask) {
    switch (static_cast<fields::VoteMode>(mode)) {
        case fields::VoteMode::all: return ballot == mask ? full_mask : 0;
        case fields::VoteMode::any: return ballot != 0 ? full_mask : 0;
        case fields::VoteMode::eq: return ballot == mask || ballot == 0 ? full_mask : 0;
    }
    return 0;
}
void vote(Warp& warp, const MicroOp& op, std::uint32_t mask) {  // m0: mode
    const std::uint32_t ballot = source_predicate<0>(warp, op) & mask;
    write_predicate(warp, op.p, vote_outcome(op.m0, ballot, mask), mask);
    U32x8* d = row(warp, op.d);
    for (int part = 0; part < parts; ++part) store<false>(d, broadcast(ballot), mask, part);
}
void vote_uniform(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    if (mask == 0) return;
    const std::uint32_t ballot = source_predicate<0>(warp, op) & mask;
    warp.predicates[op.p] = vote_outcome(op.m0, ballot, mask);
    U32x8* d = row(warp, op.d);
    for (int part = 0; part < parts; ++part) d[part] = broadcast(ballot);
}

void match(Warp& warp, const MicroOp& op, std::uint32_t mask) {  // m0: 64 bits, m1: any
    std::uint32_t* d = words(row(warp, op.d));
    const std::uint32_t* a = words(row(warp, op.a));
    std::array<std::uint64_t, warp_size> value{};
    for_each_lane(mask,
                  [&](int lane) { value[static_cast<std::size_t>(lane)] = op.m0 != 0 ? read_pair(a, lane) : a[lane]; });
    const auto equal_to = [&](int lane) {
        std::uint32_t same = 0;
        for_each_lane(mask, [&](int other) {
            same |= static_cast<std::uint32_t>(value[static_cast<std::size_t>(other)] ==
                                               value[static_cast<std::size_t>(lane)])
                    << other;
        });
        return same;
    };
    if (op.m1 != 0) {
        for_each_lane(mask, [&](int lane) { d[lane] = equal_to(lane); });
        return;
    }
    const bool all = mask != 0 && equal_to(std::countr_zero(mask)) == mask;
    for_each_lane(mask, [&](int lane) { d[lane] = all ? mask : 0; });
    write_predicate(warp, op.p, all ? full_mask : 0, mask);
}

void reduce(Warp& warp, const MicroOp& op, std::uint32_t mask) {  // m0: operation, m1: signed
    if (mask == 0) return;
    const std::uint32_t* a = words(row(warp, op.a));
    std::uint32_t value = a[std::countr_zero(mask)];
    for_each_lane(mask & (mask - 1), [&](int lane) {
        const std::uint32_t x = a[lane];
        const bool below = op.m1 != 0 ? static_cast<std::int32_t>(x) < static_cast<std::int32_t>(value) : x < value;
        switch (static_cast<fields::ReduxOperation>(op.m0)) {
            case fields::ReduxOperation::logical_and: value &= x; break;
            case fields::ReduxOperation::logical_or: value |= x; break;
            case fields::ReduxOperation::logical_xor: value ^= x; break;
            case fields::ReduxOperation::sum: value += x; break;
            case fields::ReduxOperation::min: value = below ? x : value; break;
            case fields::ReduxOperation::max: value = below ? value : x; break;
        }
    });
    U32x8* d = row(warp, op.d);
    for (int part = 0; part < parts; ++part) d[part] = broadcast(value);
}

void elect(Warp& warp, const MicroOp& op, std::uint32_t mask) {  // the first active lane
    if (mask == 0) return;
    write_predicate(warp, op.p, mask & (0U - mask), mask);
    U32x8* d = row(warp, op.d);
    for (int part = 0; part < parts; ++part) d[part] = broadcast(static_cast<std::uint32_t>(std::countr_zero(mask)));
}

}  // namespace

bool lower_warp(Lowering& to, const isa::Instruction& instruction, MicroOp& op) {
    const auto& word = instruction.word;
    const auto register_a = static_cast<std::uint8_t>(word.get(fields::register_a));
    switch (instruction.opcode) {
        case Opcode::SHFL: {
            const bool lane_immediate = instruction.b.kind == isa::OperandKind::none;
            const bool clamp_immediate = instruction.c.kind == isa::OperandKind::none;
            op.a = to.vector_source(register_a);
            op.b = lane_immediate ? to.immediate(static_cast<std::uint32_t>(word.get(fields::shfl_lane_immediate)))
                                  : to.vector_source(static_cast<std::uint8_t>(word.get(fields::register_b)));
            op.c = clamp_immediate ? to.immediate(static_cast<std::uint32_t>(word.get(fields::shfl_clamp_immediate)))
                                   : to.vector_source(static_cast<std::uint8_t>(word.get(fields::register_c)));
            op.d = to.destination(instruction, false);
            to.predicates_written(op, instruction, false);
            op.m0 = static_cast<std::uint32_t>(word.get(fields::shfl_mode));
            set_both(op, &shuffle);
            return true;
        }
        case Opcode::VOTE:
        case Opcode::VOTEU: {
            const bool uniform = instruction.opcode == Opcode::VOTEU;
            op.d = to.destination(instruction, uniform);
            to.predicates_written(op, instruction, uniform);
            to.predicate_p(op, instruction, false);
            op.m0 = static_cast<std::uint32_t>(word.get(fields::vote_mode));
            set_both(op, uniform ? &vote_uniform : &vote);
            return true;
        }
        case Opcode::MATCH: {
            const bool pair = word.get(fields::match_64) != 0;
            op.a = to.vector_source(register_a, pair ? 2 : 1);
            op.d = to.destination(instruction, false);
            to.predicates_written(op, instruction, false);
            op.m0 = pair ? 1 : 0;
            op.m1 = static_cast<std::uint32_t>(word.get(fields::match_any));
            set_both(op, &match);
            return true;
        }
        case Opcode::REDUX:
            op.a = to.vector_source(register_a);
            op.d = to.destination(instruction, true);
            op.m0 = static_cast<std::uint32_t>(word.get(fields::redux_operation));
            op.m1 = static_cast<std::uint32_t>(word.get(fields::redux_signed));
            if (op.m0 > 5) return false;
            set_both(op, &reduce);
            return true;
        case Opcode::ELECT:
            op.d = to.destination(instruction, true);
            to.predicates_written(op, instruction, false);
            set_both(op, &elect);
            return true;
        default: return false;
    }
}

}  // namespace sassafras::sim
