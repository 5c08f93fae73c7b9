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
