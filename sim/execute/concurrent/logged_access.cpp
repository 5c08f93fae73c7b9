#include "sim/execute/concurrent/logged_access.hpp"

#include "sim/execute/concurrent/access_log.hpp"

namespace sassafras::sim {

namespace {

bool refuse(Warp& warp, const MicroOp& op) {
    record_fault(warp, op, {.reason = Fault::Reason::not_together});
    return false;
}

/// Lanes whose accesses of `size` bytes, which are aligned, lie in one of the ranges each.
std::uint32_t lanes_inside(const LaneAddresses& address, const AccessLog::Place& place, std::uint32_t size) {
    std::uint32_t inside = 0;
    for (std::size_t range = 0; range < place.count; ++range) {
        const std::uint64_t begin = place.ranges[range].begin;
        const std::uint64_t bytes = place.ranges[range].end - begin;
        if (bytes < size) continue;
        const auto* vectors = reinterpret_cast<const U64x4*>(address.lane.data());
        for (int i = 0; i < warp_size / 4; ++i) {
            const U64x4 offset = vectors[i] - begin;
            // The sign bit of an offset, of what is left of it, or of minus the low bits.
            const U64x4 outside = offset | (bytes - size - offset) | (0U - (vectors[i] & (size - 1U)));
            inside |= (~static_cast<std::uint32_t>(_mm256_movemask_pd((__m256d)outside)) & 15U) << (4 * i);
        }
    }
    return inside;
}

/// True if the place holds all lanes' accesses, after it has learnt of more allocations if it did not.
bool finds_place(AccessLog& log, AccessLog::Place& place, const LaneAddresses& address, std::uint32_t size,
                 AccessKind kind) {
    for (;;) {
        const std::uint32_t outside = ~lanes_inside(address, place, size);
        if (outside == 0) return true;
        if (!log.extend(place, address.lane[static_cast<std::size_t>(std::countr_zero(outside))], kind)) return false;
    }
}

}  // namespace

bool note_lane(Warp& warp, const MicroOp& op, std::uint64_t address, const std::byte* host, std::uint32_t size,
               AccessKind kind) {
    AccessLog::Place place;
    if (kind != AccessKind::read) (void)warp.log->extend(place, address, kind);  // only its region learns of it
    return warp.log->note(kind, host, size) || refuse(warp, op);
}

std::uintptr_t resolve_logged(Warp& warp, const MicroOp& op, LaneAddresses& address, std::uint32_t mask,
                              std::uint32_t size, AccessKind kind) {
    AccessLog& log = *warp.log;
    AccessLog::Place& place = log.place(instruction_index(warp, op));
    if (finds_place(log, place, address, size, kind)) {
        if (place.recorded && !log.note(kind, log.base(), address, mask, size) && !refuse(warp, op)) return unresolved;
        return log.base();
    }
    // Many allocations, what lies between them, or a fault.
    std::uintptr_t base = unresolved;
    bool good = true;
    for_each_lane(mask, [&](int index) {
        if (!good) return;
        std::uint64_t& at = address.lane[static_cast<std::size_t>(index)];
        const std::byte* host = warp.launch->memory->access(at, size);
        // What the fault is, execution in order says.
        good = host != nullptr && (at & (size - 1)) == 0 ? note_lane(warp, op, at, host, size, kind) : refuse(warp, op);
        if (!good) return;
        if (base == unresolved) base = reinterpret_cast<std::uintptr_t>(host) - at;
        at = reinterpret_cast<std::uintptr_t>(host) - base;
    });
    if (!good) return unresolved;
    fill_inactive(address, mask);
    return base;
}

}  // namespace sassafras::sim
