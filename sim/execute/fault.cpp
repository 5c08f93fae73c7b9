#include <fmt/format.h>

#include "core/demangle.hpp"
#include "sim/execute/device_heap.hpp"
#include "sim/execute/warp_state.hpp"
#include "sim/trace/address_windows.hpp"

namespace sassafras::sim {

void record_fault(Warp& warp, const MicroOp& op, Fault fault) {
    if (warp.fault->reason != Fault::Reason::none) return;
    fault.pc = instruction_index(warp, op);
    fault.warp = warp.index;
    *warp.fault = fault;
}

std::string place(const Launch& launch, std::uint32_t pc) {
    const auto& instructions = launch.program->instructions;
    return fmt::format("kernel {}, pc {:#x}, {}", demangled(launch.program->kernel.name), pc * isa::instruction_bytes,
                       pc < instructions.size() ? isa::mnemonic(instructions[pc].opcode) : "end of code");
}

namespace {

bool is_of_freed_memory(const Launch& launch, std::uint64_t address) {
    const DeviceHeap* const heap = launch.request.heap;
    return launch.memory->freed(address).end != 0 || (heap != nullptr && heap->freed(address).end != 0);
}

}  // namespace

Error describe_fault(const Launch& launch, const Block& block) {
    const Fault& fault = launch.fault;
    const Dim3 shape = launch.request.shape.block;
    const std::uint32_t thread = fault.warp * warp_size + fault.lane;
    std::string where = fmt::format("{}, block ({},{},{}), thread ({},{},{})", place(launch, fault.pc),
                                    block.position.x, block.position.y, block.position.z, thread % shape.x,
                                    thread / shape.x % shape.y, thread / (shape.x * shape.y));
    if (fault.reason == Fault::Reason::message || fault.reason == Fault::Reason::release)
        return {ErrorKind::check_failed, fault.message, std::move(where), "", FaultKind::trap};
    if (fault.reason == Fault::Reason::assertion)
        return {ErrorKind::check_failed, launch.assertion, std::move(where), "", FaultKind::assertion};
    constexpr const char* spaces[] = {"global", "shared", "local", "constant"};
    const char* space = spaces[static_cast<std::size_t>(fault.space)];
    std::string what =
        fmt::format("Invalid __{}__ {} of size {} bytes: address {:#x} is {}", space, fault.access, fault.size,
                    fault.address, fault.reason == Fault::Reason::misaligned ? "misaligned" : "out of bounds");
    std::string remedy = "check the index that the kernel computes against the size of the array";
    if (fault.space == Fault::Space::global && is_of_freed_memory(launch, fault.address))
        remedy = "the memory there has been freed";
    if (fault.space == Fault::Space::shared)
        remedy = fmt::format("the block has {} bytes of shared memory, at shared addresses {:#x} to {:#x}",
                             launch.shared.end - launch.shared.begin, launch.shared.begin, launch.shared.end);
    if (fault.space == Fault::Space::local)
        remedy = fmt::format(
            "a thread has {} bytes of stack and local arrays (cudaLimitStackSize), at local addresses "
            "{:#x} to {:#x}; check the depth of recursion and the index",
            stack_top - launch.local_begin, launch.local_begin, stack_top);
    const FaultKind kind =
        fault.reason == Fault::Reason::misaligned ? FaultKind::misaligned_address : FaultKind::illegal_address;
    return {ErrorKind::check_failed, std::move(what), std::move(where), std::move(remedy), kind};
}

}  // namespace sassafras::sim
