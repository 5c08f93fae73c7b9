#include "sim/execute/concurrent/logged_access.hpp"

#include "sim/execute/concurrent/access_log.hpp"

namespace sassafras::sim {

namespace {

bool refuse(Warp& warp, const MicroOp& op) {
    record_fault(warp, op, {.reason = Fault::Reason::not_together});
    return false;
}

}  // namespace

bool note_lane(Warp& warp, const MicroOp& op, std::uint64_t address, const std::byte* host, std::uint32_t size,
               AccessKind kind) {
    AccessLog::Place place;
    if (kind != AccessKind::read) warp.log->find_place(place, address, kind);
    return warp.log->note(kind, host, size) || refuse(warp, op);
}

std::uintptr_t resolve_logged(Warp& warp, const MicroOp& op, LaneAddresses& address, std::uint32_t mask,
                              std::uint32_t size, AccessKind kind) {
    AccessLog& log = *warp.log;
    AccessLog::Place& place = log.place(instruction_index(warp, op));
    bool inside = place.epoch == log.epoch() && lie_inside(address, place.extent, size);
    if (!inside) {
        log.find_place(place, address.lane[static_cast<std::size_t>(std::countr_zero(mask))], kind);
        inside = place.region != nullptr && lie_inside(address, place.extent, size);
    }
    if (inside) {
        const std::uintptr_t base = reinterpret_cast<std::uintptr_t>(place.extent.host) - place.extent.begin;
        if (place.recorded && !log.note(kind, base, address, mask, size) && !refuse(warp, op)) return unresolved;
        return base;
    }
    // Several allocations, what lies between them, or a fault.
    place.epoch = 0;
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
