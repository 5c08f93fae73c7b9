#include "sim/check/barrier_watch.hpp"

#include <algorithm>

#include "sim/check/lane_count.hpp"

namespace sassafras::sim {

namespace {

std::uint32_t members(std::uint32_t threads, std::uint32_t warp) {
    const std::uint32_t left = threads - warp * lane_count;
    return left >= lane_count ? 0xffffffffU : (1U << left) - 1U;
}

/// Whether control can go from the instruction `from` to `to`.
bool leads_to(const isa::Program& program, std::uint32_t from, std::uint32_t to) {
    const std::uint32_t first = program.block_of[from];
    const std::uint32_t last = program.block_of[to];
    if (first == last && from <= to) return true;
    std::vector<bool> seen(program.blocks.size());
    std::vector<std::uint32_t> open{first};
    while (!open.empty()) {
        const std::uint32_t block = open.back();
        open.pop_back();
        for (const std::uint32_t next : program.blocks[block].successors) {
            if (next == last) return true;
            if (seen[next]) continue;
            seen[next] = true;
            open.push_back(next);
        }
    }
    return false;
}

}  // namespace

bool stands_for_others(const isa::Program& program, std::uint32_t instruction) {
    const auto opcode = [&](std::uint32_t at) { return program.instructions[at].opcode; };
    if (program.instructions[instruction].form == isa::Form::name_and_count) return true;
    return instruction != 0 && instruction + 1 < program.instructions.size() &&
           opcode(instruction - 1) == isa::Opcode::WARPSYNC && opcode(instruction + 1) == isa::Opcode::RET;
}

void BarrierWatch::start(std::uint32_t threads) {
    threads_ = threads;
    barriers_ = {};
    exits_.clear();
    leads_.clear();
}

bool BarrierWatch::reach(const ExecutionPlace& place, std::uint32_t barrier, std::uint32_t expected, bool waits,
                         bool anywhere) {
    Barrier& state = barriers_[barrier];
    const bool elsewhere = state.reached && waits && expected == 0 && state.expected == 0 && !anywhere &&
                           !state.anywhere && state.instruction != place.instruction;
    if (!state.reached || state.anywhere) {
        state.instruction = place.instruction;
        state.anywhere = anywhere;
    }
    state.reached = true;
    state.expected = expected;
    state.arrived[place.warp] |= place.lanes;
    return elsewhere;
}

void BarrierWatch::exit(const ExecutionPlace& place) { exits_.push_back({place.instruction, place.warp, place.lanes}); }

std::optional<BarrierGoneAround> BarrierWatch::complete(std::uint32_t barrier, const isa::Program& program) {
    Barrier& state = barriers_[barrier];
    std::optional<BarrierGoneAround> around;
    if (state.expected == 0) {
        for (const Exit& exit : exits_) {
            const std::uint32_t missing = exit.lanes & members(threads_, exit.warp) & ~state.arrived[exit.warp];
            if (missing == 0) continue;
            const auto [known, is_new] = leads_.try_emplace({state.instruction, exit.instruction}, false);
            if (is_new) known->second = leads_to(program, state.instruction, exit.instruction);
            if (!known->second) continue;
            around = BarrierGoneAround{state.instruction, exit.warp, missing};
            break;
        }
    }
    state = {};
    return around;
}

}  // namespace sassafras::sim
