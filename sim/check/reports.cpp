#include "sim/check/reports.hpp"

#include <array>
#include <bit>

#include <fmt/format.h>

#include "sim/check/lane_count.hpp"

namespace sassafras::sim {

namespace {

const char* action(HazardKind kind, const HazardSide& side, bool is_later) {
    if (side.atomic) return "Atomic";
    const bool writes = kind == HazardKind::write_after_write || (kind == HazardKind::write_after_read) == is_later;
    return writes ? "Write" : "Read";
}

FindingKind kind_of(std::uint32_t instruction, BarrierFault fault) {
    return {FindingTool::synccheck, static_cast<std::uint32_t>(fault), instruction, 0};
}

Finding* add_barrier(FindingLog& log, const ExecutionPlace& at, std::uint64_t block, BarrierFault fault) {
    Finding* const finding = log.add_threads(kind_of(at.instruction, fault), {block, at.warp}, at.lanes);
    if (finding == nullptr) return nullptr;
    constexpr std::array<const char*, 5> classes{"Divergent thread(s) in warp.", "Divergent thread(s) in block.",
                                                 "Invalid arguments.", "Missing init.", "Missing wait."};
    finding->what = fmt::format("Barrier error detected. {}", classes[static_cast<std::size_t>(fault)]);
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(at.lanes));
    finding->places = {log.place(at.instruction, at.warp * lane_count + lane, block)};
    return finding;
}

}  // namespace

void report_race(FindingLog& log, const Hazard& hazard) {
    constexpr std::array<const char*, 3> names{"RAW", "WAR", "WAW"};
    const bool of_warp = hazard.earlier.block == hazard.later.block &&
                         hazard.earlier.thread / lane_count == hazard.later.thread / lane_count;
    const auto kind = static_cast<std::uint32_t>(hazard.kind);
    Finding* const finding = log.add(
        {FindingTool::racecheck, kind | (of_warp ? 4U : 0U) | (hazard.shared ? 8U : 0U) | (hazard.copy ? 16U : 0U),
         hazard.earlier.instruction, hazard.later.instruction},
        hazard.bytes);
    if (finding == nullptr) return;
    // Racecheck's severity: an error where one instruction's lanes collide, or an asynchronous copy is not waited for.
    finding->is_warning = of_warp && !hazard.copy && hazard.earlier.instruction != hazard.later.instruction;
    finding->places = {log.place(hazard.earlier.instruction, hazard.earlier.thread, hazard.earlier.block),
                       log.place(hazard.later.instruction, hazard.later.thread, hazard.later.block)};
    finding->places[0].action = action(hazard.kind, hazard.earlier, false);
    finding->places[1].action = action(hazard.kind, hazard.later, true);
    const Dim3& block = finding->places[0].block;
    finding->what =
        fmt::format("{}: {}Potential {} hazard detected{} at __{}__ {:#x} in block ({},{},{}) :",
                    finding->is_warning ? "Warning" : "Error", finding->is_warning ? "(Warp Level Programming) " : "",
                    names[kind], hazard.copy ? " (invalid memcpy_async synchronization)" : "",
                    hazard.shared ? "shared" : "global", hazard.address, block.x, block.y, block.z);
}

void report_uninitialised(FindingLog& log, const UninitialisedRead& read) {
    Finding* const finding = log.add_threads({FindingTool::initcheck, 0, read.instruction, 0},
                                             {read.block, read.thread / lane_count}, 1U << read.thread % lane_count);
    if (finding == nullptr) return;
    finding->what = fmt::format("Uninitialized __shared__ memory read of size {} bytes", read.bytes);
    finding->places = {log.place(read.instruction, read.thread, read.block)};
    finding->details = {fmt::format("Address {:#x}", read.address)};
}

void report_barrier(FindingLog& log, const ExecutionPlace& at, std::uint64_t block, BarrierFault fault) {
    (void)add_barrier(log, at, block, fault);
}

void report_memory_barrier(FindingLog& log, const ExecutionPlace& at, std::uint64_t block, BarrierFault fault,
                           std::uint64_t barrier) {
    if (Finding* const finding = add_barrier(log, at, block, fault))
        finding->details = {fmt::format("Barrier is located at shared address {:#x}", barrier)};
}

bool has_reported_barrier(const FindingLog& log, std::uint32_t instruction, BarrierFault fault) {
    return log.has(kind_of(instruction, fault));
}

}  // namespace sassafras::sim
