// The heap that malloc() and new take from in kernels. It lives as long as the device: what one kernel allocates
// another may free. Where memory has exact bounds, kernels reach only blocks that are allocated, and a freed block is
// not given out again while there is other room.
#pragma once

#include <cstdint>
#include <deque>
#include <map>

#include "core/free_ranges.hpp"
#include "sim/execute/memory_image.hpp"

namespace sassafras::sim {

class DeviceHeap {
  public:
    /// cudaLimitMallocHeapSize unless it is set.
    static constexpr Bytes default_size{8U << 20U};
    /// CUDA C++ Programming Guide, dynamic global memory allocation: at least 16-byte aligned.
    static constexpr std::uint64_t alignment = 16;

    /// Takes `size` bytes of `memory` when the first block is asked for.
    explicit DeviceHeap(MemoryImage& memory, Bytes size = default_size) : memory_(memory), size_(size) {}

    /// Address of `size` bytes at a multiple of `aligned_to`, a power of two; 0 if there is no room.
    [[nodiscard]] std::uint64_t allocate(std::uint64_t size, std::uint64_t aligned_to = alignment);
    /// False unless allocate() gave this address and it was not freed since. Address 0 is ignored.
    [[nodiscard]] bool free(std::uint64_t address);
    /// Exact bounds: free() was given this address, which has not been given out again since.
    [[nodiscard]] bool is_freed(std::uint64_t address) const { return freed_.contains(address); }
    /// Exact bounds: the block that was freed and held an address, as malloc() was asked for it, without a host
    /// pointer; end 0 if there is none, or it has been given out again.
    [[nodiscard]] MemoryImage::Extent freed(std::uint64_t address) const;
    /// Whether an address lies in the heap.
    [[nodiscard]] bool holds(std::uint64_t address) const { return begin_ != 0 && address - begin_ < size_.count; }

    [[nodiscard]] Bytes size() const { return size_; }
    /// Has an effect until the first allocation only, as cudaDeviceSetLimit has until the first launch of a kernel that
    /// allocates. False afterwards.
    [[nodiscard]] bool resize(Bytes size);

  private:
    struct FreedBlock {
        std::uint64_t taken = 0;  ///< bytes with what precedes it
        std::uint64_t size = 0;   ///< bytes that kernels could reach
    };
    void release_oldest_freed();

    MemoryImage& memory_;
    Bytes size_;
    std::uint64_t begin_ = 0;                       ///< address of the heap; 0: not yet there
    FreeRanges free_;                               ///< addresses
    std::map<std::uint64_t, std::uint64_t> taken_;  ///< address given out -> bytes with what precedes it
    std::map<std::uint64_t, FreedBlock> freed_;     ///< by address: those that are kept back
    std::deque<std::uint64_t> freed_order_;         ///< the oldest first
};

}  // namespace sassafras::sim
