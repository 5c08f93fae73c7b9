// Addresses of a warp's access and where they lie in host memory.
#pragma once

#include <array>
#include <cstdint>

#include "sim/execute/handlers.hpp"

namespace sassafras::sim {

struct alignas(64) LaneAddresses {
    std::array<std::uint64_t, warp_size> lane;
};

enum class AccessKind : std::uint8_t { read, write, atomic };

/// Lanes outside the mask get the address of a lane inside, so that vector code may treat all alike.
inline void fill_inactive(LaneAddresses& address, std::uint32_t mask) {
    const std::uint64_t any = address.lane[static_cast<std::size_t>(std::countr_zero(mask))];
    for (std::size_t lane = 0; lane < warp_size; ++lane)
        if ((mask >> lane & 1U) == 0) address.lane[lane] = any;
}

/// A global access, as the trace is to have it.
inline void trace_global(Warp& warp, std::uint32_t mask, const LaneAddresses& address) {
    const TracedAddresses& traced = warp.launch->memory->traced_addresses();
    if (traced.is_empty()) [[likely]]
        return warp.trace->push_access(mask, address.lane.data());
    LaneAddresses as_traced;
    for (std::size_t lane = 0; lane < warp_size; ++lane) as_traced.lane[lane] = traced.of(address.lane[lane]);
    warp.trace->push_access(mask, as_traced.lane.data());
}

/// All lanes' accesses of `size` bytes lie in the extent, aligned.
[[nodiscard]] inline bool lie_inside(const LaneAddresses& address, const MemoryImage::Extent& extent,
                                     std::uint32_t size) {
    if (extent.end - extent.begin < size) return false;
    const std::uint64_t limit = extent.end - extent.begin - size;
    // The sign bit of an offset or of what is left of it tells a lane outside; the low bits tell misalignment.
    U64x4 outside{};
    U64x4 low_bits{};
    const auto* vectors = reinterpret_cast<const U64x4*>(address.lane.data());
    for (int i = 0; i < warp_size / 4; ++i) {
        const U64x4 offset = vectors[i] - extent.begin;
        outside |= offset | (limit - offset);
        low_bits |= vectors[i];
    }
    const std::uint64_t out = outside[0] | outside[1] | outside[2] | outside[3];
    const std::uint64_t low = low_bits[0] | low_bits[1] | low_bits[2] | low_bits[3];
    return (out >> 63U) == 0 && (low & (size - 1)) == 0;
}

/// What resolve_global returns after a fault: no allocation lies an odd number of bytes from its device address.
inline constexpr std::uintptr_t unresolved = 1;

/// Checks a global access of `size` bytes a lane. Returns what to add to a lane's address to get its host address, or
/// `unresolved` after recording a fault. May rewrite the addresses (when lanes touch several allocations). Inactive
/// lanes must be filled.
[[nodiscard]] std::uintptr_t resolve_global(Warp& warp, const MicroOp& op, LaneAddresses& address, std::uint32_t mask,
                                            std::uint32_t size, AccessKind kind);
/// The same for shared addresses (low 24 bits; the cluster rank above must be 0).
[[nodiscard]] bool check_shared(Warp& warp, const MicroOp& op, const std::uint32_t* address, std::uint32_t mask,
                                std::uint32_t size, AccessKind kind);
/// One lane of a generic or local access: the host address of each 4-byte word (local words lie apart), or nullptr
/// after a fault.
[[nodiscard]] bool locate_generic(Warp& warp, const MicroOp& op, std::uint32_t lane, std::uint64_t address,
                                  std::uint32_t size, AccessKind kind, std::array<std::byte*, 4>& words_of_lane);
[[nodiscard]] bool locate_local(Warp& warp, const MicroOp& op, std::uint32_t lane, std::uint64_t address,
                                std::uint32_t size, AccessKind kind, std::array<std::byte*, 4>& words_of_lane);

}  // namespace sassafras::sim
