#include "sim/check/fault_report.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <string>

#include <fmt/format.h>

#include "core/number_text.hpp"
#include "sim/check/access_record.hpp"
#include "sim/check/lane_count.hpp"
#include "sim/execute/warp_state.hpp"
#include "sim/trace/address_windows.hpp"

namespace sassafras::sim {

namespace {

bool is_bad(std::uint64_t address, const Fault& fault, const AccessibleMemory& memory) {
    const bool wants_misaligned = fault.reason == Fault::Reason::misaligned;
    const bool unaligned = (address & (fault.size - 1)) != 0;
    if (fault.space == Fault::Space::local) return address == fault.address;
    if (fault.space == Fault::Space::shared) {
        if (in_shared_window(address)) address -= shared_window;
        const bool out =
            address < memory.shared_begin || address > memory.shared_end || memory.shared_end - address < fault.size;
        return wants_misaligned ? unaligned && !out : out;
    }
    const bool out = memory.global.access(address, fault.size) == nullptr;
    return wants_misaligned ? unaligned && !out : out;
}

/// Lanes of the access that go wrong as the first one does.
std::uint64_t bad_lanes(const ObservedAccess& access, const CheckedSite& site, const Fault& fault,
                        const AccessibleMemory& memory) {
    // Of LDGSTS, the record of the space that faulted: global first.
    std::span<const std::uint64_t> words = access.records;
    RecordedAddresses address;
    std::uint32_t lanes = take_record(words, address);
    if (site.copies_to_shared && fault.space == Fault::Space::shared) lanes = take_record(words, address);
    std::uint64_t count = 0;
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1)
        count += is_bad(address[static_cast<std::size_t>(std::countr_zero(rest))], fault, memory) ? 1U : 0U;
    return count;
}

std::string inside_freed(const char* what, const MemoryImage::Extent& freed) {
    return fmt::format("inside the {} at {:#x} of size {} bytes, which has been freed", what, freed.begin,
                       grouped(freed.end - freed.begin));
}

/// Where a global address lies, as compute-sanitizer says it; empty where there is nothing near.
std::string whereabouts(std::uint64_t address, const AccessibleMemory& memory) {
    const MemoryImage::Extent inside = memory.global.reachable(address);
    if (inside.host == nullptr && memory.heap.holds(address)) return "and is located in the device heap";
    const MemoryImage::Extent freed = memory.global.freed(address);
    if (inside.host == nullptr && freed.end != 0) return "and is " + inside_freed("allocation", freed);
    const MemoryImage::Extent nearest = inside.host != nullptr ? inside : memory.global.nearest(address);
    if (nearest.end == 0) return {};
    const std::string where = inside.host != nullptr    ? "inside"
                              : address < nearest.begin ? grouped(nearest.begin - address) + " bytes before"
                                                        : grouped(address - nearest.end + 1) + " bytes after";
    return fmt::format("and is {} the nearest allocation at {:#x} of size {} bytes", where, nearest.begin,
                       grouped(nearest.end - nearest.begin));
}

/// What is said of an illegal access to any memory; null if its kind is known.
Finding* add_illegal_access(FindingLog& log, const ExecutionPlace& at, const Fault& fault, std::uint64_t block,
                            std::uint64_t threads) {
    Finding* const finding =
        log.add({FindingTool::memcheck, static_cast<std::uint32_t>(fault.reason), at.instruction, 0}, threads);
    if (finding == nullptr) return nullptr;
    constexpr std::array<const char*, 4> spaces{"global", "shared", "local", "constant"};
    finding->what = fmt::format("Invalid __{}__ {} of size {} bytes", spaces[static_cast<std::size_t>(fault.space)],
                                fault.access, fault.size);
    finding->places = {log.place(at.instruction, fault.warp * lane_count + fault.lane, block)};
    const bool misaligned = fault.reason == Fault::Reason::misaligned;
    finding->details = {
        fmt::format("Access to {:#x} is {}", fault.address, misaligned ? "misaligned" : "out of bounds")};
    return finding;
}

}  // namespace

void report_illegal_access(FindingLog& log, const ObservedAccess& access, const CheckedSite& site, const Fault& fault,
                           std::uint64_t block, const AccessibleMemory& memory) {
    const std::uint64_t threads = std::max<std::uint64_t>(bad_lanes(access, site, fault, memory), 1);
    Finding* const finding = add_illegal_access(log, access.at, fault, block, threads);
    if (finding == nullptr) return;
    if (fault.space != Fault::Space::global) return;
    if (std::string where = whereabouts(fault.address, memory); !where.empty())
        finding->details.push_back(std::move(where));
    if (const MemoryImage::Extent freed = memory.heap.freed(fault.address); freed.end != 0)
        finding->details.push_back(inside_freed("block", freed));
}

void report_illegal_constant(FindingLog& log, const ExecutionPlace& at, const Fault& fault, std::uint64_t block) {
    (void)add_illegal_access(log, at, fault, block, static_cast<std::uint64_t>(std::popcount(at.lanes)));
}

void report_stop(FindingLog& log, const ExecutionPlace& at, const Fault& fault, std::uint64_t block,
                 const DeviceHeap& heap) {
    Finding* const finding =
        log.add({FindingTool::memcheck, static_cast<std::uint32_t>(fault.reason), at.instruction, 0}, 1);
    if (finding == nullptr) return;
    finding->places = {log.place(at.instruction, fault.warp * lane_count + fault.lane, block)};
    switch (fault.reason) {
        case Fault::Reason::release:
            finding->what = heap.is_freed(fault.address) ? "Malloc/Free Error encountered : Device-side double free"
                                                         : "Malloc/Free Error encountered : Invalid pointer to free";
            finding->details = {fmt::format("Address {:#x}", fault.address)};
            break;
        case Fault::Reason::assertion: finding->what = "Assertion failed"; break;
        default: finding->what = "Trap"; break;
    }
    if (fault.reason != Fault::Reason::release && fault.message != nullptr) finding->details = {fault.message};
}

}  // namespace sassafras::sim
