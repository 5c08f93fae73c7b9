#include "sim/execute/memory_access.hpp"

#include "sim/execute/concurrent/logged_access.hpp"
#include "sim/trace/address_windows.hpp"

namespace sassafras::sim {

namespace {

const char* name(AccessKind kind) {
    switch (kind) {
        case AccessKind::read: return "read";
        case AccessKind::write: return "write";
        case AccessKind::atomic: return "atomic";
    }
    return "access";
}

void fail(Warp& warp, const MicroOp& op, Fault::Space space, Fault::Reason reason, std::uint32_t lane,
          std::uint64_t address, std::uint32_t size, AccessKind kind) {
    Fault fault;
    fault.reason = reason;
    fault.space = space;
    fault.access = name(kind);
    fault.size = size;
    fault.lane = lane;
    fault.address = address;
    record_fault(warp, op, fault);
}

}  // namespace

std::uintptr_t resolve_global(Warp& warp, const MicroOp& op, LaneAddresses& address, std::uint32_t mask,
                              std::uint32_t size, AccessKind kind) {
    if (warp.log != nullptr) [[unlikely]]
        return resolve_logged(warp, op, address, mask, size, kind);
    MemoryImage::Extent& extent = warp.launch->extents[instruction_index(warp, op)];
    if (lie_inside(address, extent, size)) return reinterpret_cast<std::uintptr_t>(extent.host) - extent.begin;
    const auto first = static_cast<std::size_t>(std::countr_zero(mask));
    extent = warp.launch->memory->reachable(address.lane[first]);
    if (extent.host != nullptr && lie_inside(address, extent, size))
        return reinterpret_cast<std::uintptr_t>(extent.host) - extent.begin;
    // Several ranges, or a fault.
    bool good = true;
    std::uintptr_t base = unresolved;
    for_each_lane(mask, [&](int index) {
        if (!good) return;
        const auto lane = static_cast<std::size_t>(index);
        const std::byte* host = warp.launch->memory->access(address.lane[lane], size);
        if (host == nullptr || (address.lane[lane] & (size - 1)) != 0) {
            good = false;
            fail(warp, op, Fault::Space::global,
                 host == nullptr ? Fault::Reason::out_of_bounds : Fault::Reason::misaligned,
                 static_cast<std::uint32_t>(index), address.lane[lane], size, kind);
            return;
        }
        if (base == unresolved) base = reinterpret_cast<std::uintptr_t>(host) - address.lane[lane];
        address.lane[lane] = reinterpret_cast<std::uintptr_t>(host) - base;
    });
    if (!good) return unresolved;
    fill_inactive(address, mask);
    return base;
}

bool check_shared(Warp& warp, const MicroOp& op, const std::uint32_t* address, std::uint32_t mask, std::uint32_t size,
                  AccessKind kind) {
    const std::uint32_t begin = warp.launch->shared.begin;
    const std::uint32_t end = warp.launch->shared.end;
    U32x8 largest{};
    U32x8 smallest = ~U32x8{};
    U32x8 low_bits{};
    const auto* vectors = reinterpret_cast<const U32x8*>(address);
    for (int part = 0; part < parts; ++part) {
        const U32x8 taking_part = mask == full_mask ? ~U32x8{} : expand(mask, part);
        largest = maximum(largest, vectors[part] & taking_part);
        smallest = minimum(smallest, vectors[part] | ~taking_part);
        low_bits |= vectors[part] & taking_part;
    }
    const U32x8 bad = (U32x8)(largest > broadcast(end - size)) | (U32x8)(smallest < broadcast(begin)) |
                      (U32x8)((low_bits & broadcast(size - 1)) != 0U);
    if (end - begin >= size && collect(bad) == 0) return true;
    bool found = false;
    for_each_lane(mask, [&](int lane) {
        if (found) return;
        const bool out = address[lane] < begin || address[lane] > end || end - address[lane] < size;
        if (!out && (address[lane] & (size - 1)) == 0) return;
        found = true;
        fail(warp, op, Fault::Space::shared, out ? Fault::Reason::out_of_bounds : Fault::Reason::misaligned,
             static_cast<std::uint32_t>(lane), address[lane], size, kind);
    });
    return false;
}

bool locate_local(Warp& warp, const MicroOp& op, std::uint32_t lane, std::uint64_t address, std::uint32_t size,
                  AccessKind kind, std::array<std::byte*, 4>& words_of_lane) {
    const std::uint64_t begin = warp.launch->local_begin;
    const bool out = warp.local == nullptr || address < begin || address > stack_top || stack_top - address < size;
    if (out || (address & (size - 1)) != 0) {
        fail(warp, op, Fault::Space::local, out ? Fault::Reason::out_of_bounds : Fault::Reason::misaligned, lane,
             address, size, kind);
        return false;
    }
    const std::uint64_t offset = address - begin;
    for (std::uint64_t word = 0; word < (size + 3) / 4; ++word)
        words_of_lane[word] = warp.local + ((offset / 4 + word) * warp_size + lane) * 4 + offset % 4;
    return true;
}

bool locate_generic(Warp& warp, const MicroOp& op, std::uint32_t lane, std::uint64_t address, std::uint32_t size,
                    AccessKind kind, std::array<std::byte*, 4>& words_of_lane) {
    if (in_local_window(address))
        return locate_local(warp, op, lane, address - local_window, size, kind, words_of_lane);
    std::byte* host = nullptr;
    Fault::Space space = Fault::Space::global;
    if (in_shared_window(address)) {
        space = Fault::Space::shared;
        const std::uint64_t offset = address - shared_window;
        const std::uint64_t end = warp.launch->shared.end;
        if (offset >= warp.launch->shared.begin && offset <= end && end - offset >= size) host = warp.shared + offset;
    } else {
        host = warp.launch->memory->access(address, size);
    }
    if (host == nullptr || (address & (size - 1)) != 0) {
        fail(warp, op, space, host == nullptr ? Fault::Reason::out_of_bounds : Fault::Reason::misaligned, lane, address,
             size, kind);
        return false;
    }
    if (space == Fault::Space::global && warp.log != nullptr) [[unlikely]]
        if (!note_lane(warp, op, address, host, size, kind)) return false;
    for (std::size_t word = 0; word < 4; ++word) words_of_lane[word] = host + 4 * word;
    return true;
}

}  // namespace sassafras::sim
