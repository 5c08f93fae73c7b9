// Where local memory lies among global addresses: a warp slot has what its threads' windows end with, slot after slot,
// SM after SM, as on an H200 (validate/records/h200/probes/local_map.cu). A thread's words lie 32 words apart, so that
// lanes which access the same address of theirs share a line. Deeper stacks, whose size is not known before a thread
// gets there, lie elsewhere.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/types.hpp"
#include "isa/cubin/cubin.hpp"
#include "sim/timing/memory/memory_request.hpp"
#include "sim/trace/address_windows.hpp"

namespace sassafras::sim {

inline constexpr std::uint32_t local_word_bytes = 4;

/// What a thread of the kernel has at the end of its window: a stack, the default one at least, and what is the
/// system's.
[[nodiscard]] inline std::uint64_t local_thread_bytes(const isa::Kernel& kernel) {
    const std::uint64_t stack = std::max(kernel.local_per_thread.count, isa::default_stack_limit.count);
    return (stack + 15) / 16 * 16 + (window_bytes - stack_top);
}

class LocalLayout {
  public:
    /// `slots`: of warps, of an SM; `thread_bytes`: at the end of a thread's window.
    LocalLayout(std::uint32_t sm, std::size_t slots, std::uint64_t thread_bytes)
        : first_slot_(std::uint64_t{sm} * slots), thread_bytes_(thread_bytes) {}

    /// Of the byte at `address` of a lane's window, or of the one so many words behind it.
    [[nodiscard]] std::uint64_t place(std::uint64_t slot, std::uint64_t lane, std::uint64_t address,
                                      std::uint32_t word = 0) const {
        const std::uint64_t first = window_bytes - thread_bytes_;
        const bool deep = address < first;
        const std::uint64_t offset = deep ? address : address - first;
        const std::uint64_t warp_bytes = (deep ? window_bytes : thread_bytes_) * warp_size;
        return (deep ? deep_local_memory_begin : local_memory_begin) + (first_slot_ + slot) * warp_bytes +
               ((offset / local_word_bytes + word) * warp_size + lane) * local_word_bytes + offset % local_word_bytes;
    }

  private:
    std::uint64_t first_slot_;
    std::uint64_t thread_bytes_;
};

}  // namespace sassafras::sim
