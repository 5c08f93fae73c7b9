#include "sim/execute/observed_access.hpp"

#include <algorithm>
#include <array>

#include "sim/access/memory_site.hpp"

namespace sassafras::sim {

namespace {

ExecutionPlace place_of(const Warp& warp, const MicroOp& op, std::uint32_t mask) {
    return {warp.block->slot, warp.index, instruction_index(warp, op), mask, warp.alive};
}

void observe_values(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    Launch& launch = *warp.launch;
    const ObservedInstruction& plain = launch.observed[instruction_index(warp, op)];
    if (warp.values_observed)
        warp.values_observed = launch.observer->computing(
            {place_of(warp, op, mask), warp.predicates.data(), words(row(warp, op.a)), words(row(warp, op.b))});
    (mask == full_mask ? plain.full : plain.masked)(warp, op, mask);
}

/// From here on the observer can see what computes.
void make_values_observable(Launch& launch) {
    launch.values_observable = true;
    for (std::uint32_t index = 0; index < launch.observed.size(); ++index) {
        MicroOp& op = launch.ops[index];
        if ((op.control == Control::none || op.control == Control::turn) && op.full == launch.observed[index].full)
            op.full = op.masked = &observe_values;
    }
}

void observe_access(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    Launch& launch = *warp.launch;
    const ObservedInstruction& plain = launch.observed[instruction_index(warp, op)];
    const std::size_t before = warp.trace->buffered_payload();
    (mask == full_mask ? plain.full : plain.masked)(warp, op, mask);
    if (mask == 0) return;
    const ObservedAccess access{
        place_of(warp, op, mask), warp.trace->last_payload(warp.trace->buffered_payload() - before),
        plain.stores_registers ? words(row(warp, op.b)) : nullptr, warp.shared, warp.predicates.data()};
    if (launch.fault.reason == Fault::Reason::none) {
        warp.values_observed = launch.observer->accessed(access);
        if (warp.values_observed && !launch.values_observable) make_values_observable(launch);
    } else if (launch.fault.pc == access.at.instruction && launch.fault.warp == warp.index) {
        launch.observer->faulted(access, launch.fault);
    }
}

void observe_order(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    if (mask != 0) warp.launch->observer->ordered(place_of(warp, op, mask));
}

void observe_copies_arriving(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    Launch& launch = *warp.launch;
    const ObservedInstruction& plain = launch.observed[instruction_index(warp, op)];
    (mask == full_mask ? plain.full : plain.masked)(warp, op, mask);
    if (mask == 0 || launch.fault.reason != Fault::Reason::none) return;
    std::array<std::uint32_t, warp_size> barrier;
    for (std::size_t lane = 0; lane < warp_size; ++lane)
        barrier[lane] = words(row(warp, op.a))[lane] + words(row(warp, op.c))[lane] + op.m0;
    launch.observer->copies_arrive(place_of(warp, op, mask), barrier.data());
}

void observe_warp_barrier(Warp& warp, const MicroOp&, std::uint32_t mask) {
    if (mask != 0) warp.launch->observer->warp_synchronised(warp.block->slot, warp.index, mask);
}

/// A NOP is a __syncwarp() of converged lanes if the kernel lists it among its warp-wide instructions. Functions of
/// other sections bring no such list here: any NOP of theirs may be one.
bool stands_for_warp_barrier(const isa::Kernel& kernel, std::uint32_t offset) {
    const auto& listed = kernel.warp_wide_offsets;
    if (std::find(listed.begin(), listed.end(), offset) != listed.end()) return true;
    return std::any_of(kernel.functions.begin(), kernel.functions.end(), [&](const isa::LocalFunction& function) {
        return offset >= function.offset && offset - function.offset < function.size;
    });
}

}  // namespace

void observe_instructions(Launch& launch) {
    const auto& instructions = launch.program->instructions;
    launch.observed.resize(instructions.size());
    for (std::uint32_t index = 0; index < instructions.size(); ++index) {
        const isa::Instruction& instruction = instructions[index];
        MicroOp& op = launch.ops[index];
        ObservedInstruction& plain = launch.observed[index];
        plain.full = op.full;
        plain.masked = op.masked;
        if (op.control != Control::none && op.control != Control::try_wait && op.control != Control::turn) continue;
        const MemorySite site = memory_site(instruction);
        if (site.space != MemorySpace::none) {
            plain.stores_registers = site.kind == SharedAccessKind::store;
            op.full = op.masked = &observe_access;
            continue;
        }
        switch (instruction.opcode) {
            case isa::Opcode::MEMBAR:
            case isa::Opcode::LDGDEPBAR:
            case isa::Opcode::DEPBAR: op.full = op.masked = &observe_order; break;
            case isa::Opcode::ARRIVES: op.full = op.masked = &observe_copies_arriving; break;
            case isa::Opcode::NOP:
                if (stands_for_warp_barrier(launch.program->kernel, index * isa::instruction_bytes))
                    op.full = op.masked = &observe_warp_barrier;
                break;
            default: break;
        }
    }
}

}  // namespace sassafras::sim
