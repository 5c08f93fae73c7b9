// The one list of columns of the source page: JSON, CSV, the table and docs/metrics.md come from it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "sim/device/device.hpp"

namespace sassafras::sim {

/// A count of an instruction, or what follows from two of them.
struct SourceColumn {
    std::string_view key{};      ///< in JSON; empty: not there
    std::string_view title{};    ///< Nsight Compute's
    std::string_view heading{};  ///< in the table; empty: not there
    int width = 0;               ///< of that column
    double (*value)(const SourceRow&) = nullptr;
    std::string_view meaning{};
};

namespace detail {

constexpr double whole(std::uint64_t count) { return static_cast<double>(count); }
constexpr double quotient(std::uint64_t part, std::uint64_t of) { return of == 0 ? 0 : whole(part) / whole(of); }

}  // namespace detail

inline constexpr auto source_columns = std::to_array<SourceColumn>({
    {.key = "inst_executed",
     .title = "Instructions Executed",
     .heading = "Inst Executed",
     .width = 15,
     .value = [](const SourceRow& row) { return detail::whole(row.inst_executed); },
     .meaning = "executions, a warp's as one"},
    {.key = "thread_inst_executed",
     .title = "Thread Instructions Executed",
     .heading = "Thread Inst",
     .width = 17,
     .value = [](const SourceRow& row) { return detail::whole(row.thread_inst_executed); },
     .meaning = "executions, counted for each lane of the active mask"},
    {.title = "Avg. Threads Executed",
     .value = [](const SourceRow& row) { return detail::quotient(row.thread_inst_executed, row.inst_executed); },
     .meaning = "lanes of an execution"},
    {.title = "L1 Conflicts Shared N-Way",
     .value = [](const SourceRow& row) { return detail::quotient(row.shared_wavefronts, row.shared_wavefronts_ideal); },
     .meaning = "passes through the banks, by those that would do"},
    {.key = "shared_wavefronts",
     .title = "L1 Wavefronts Shared",
     .heading = "Shared Wvfr",
     .width = 14,
     .value = [](const SourceRow& row) { return detail::whole(row.shared_wavefronts); },
     .meaning = "passes of its shared-memory accesses through the banks"},
    {.key = "shared_wavefronts_ideal",
     .title = "L1 Wavefronts Shared Ideal",
     .heading = "Shared Ideal",
     .width = 14,
     .value = [](const SourceRow& row) { return detail::whole(row.shared_wavefronts_ideal); },
     .meaning = "passes that the same lanes would need without bank conflicts"},
    {.title = "L1 Wavefronts Shared Excessive",
     .value =
         [](const SourceRow& row) {
             return detail::whole(row.shared_wavefronts - std::min(row.shared_wavefronts, row.shared_wavefronts_ideal));
         },
     .meaning = "the difference"},
    {.key = "global_sectors",
     .title = "L2 Theoretical Sectors Global",
     .heading = "Gl. Sectors",
     .width = 14,
     .value = [](const SourceRow& row) { return detail::whole(row.global_sectors); },
     .meaning = "sectors of global memory that its accesses touch, each once a request"},
});

}  // namespace sassafras::sim
