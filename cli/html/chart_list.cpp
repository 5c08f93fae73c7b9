#include "cli/html/chart_list.hpp"

#include <array>

#include "cli/html/charts/charts.hpp"

namespace sassafras::cli {

namespace {

constexpr auto run_rows = std::to_array<ChartRow<RunSource>>({
    {"time", "Where the time goes",
     "Each moment belongs to one part: kernels if one runs, else copies, sets, events; else the GPU is idle.", false,
     charts::time_parts},
    {"kernels", "Time by kernel", "All launches of each kernel together.", false, charts::kernels},
    {"timeline", "Timeline",
     "What streams and the host do in simulated time. Drag to move along it, hold Shift and turn the wheel to zoom.",
     true, charts::timeline},
    {"launches", "Launches", "Cycles of each launch, in the order in which they began.", true, charts::launches},
});

constexpr auto launch_rows = std::to_array<ChartRow<LaunchSource>>({
    {"speed-of-light", "GPU Speed Of Light",
     "How near each unit is to what it can do, over the whole launch. Memory is bound by the unit nearest to its peak.",
     false, charts::speed_of_light},
    {"roofline", "Roofline",
     "One point for each level of memory: the work is the same, the bytes that pass the level differ. The line of the "
     "point's colour bounds it.",
     false, charts::roofline},
    {"memory", "Memory chart",
     "What flows between the kernel, its spaces of memory, caches and DRAM; boxes are darker the nearer they are to "
     "their peak.",
     true, charts::memory},
    {"warp-states", "Warp State Statistics",
     "What a warp does between two of its instructions. The longest wait is what to shorten, or to hide behind more "
     "warps.",
     false, charts::warp_states},
    {"pipes", "Compute Workload", "Pipes of the SMs, each by what it takes at most.", false, charts::pipes},
    {"occupancy", "Occupancy", "Warps that each limit lets an SM have, that all together let, and that there were.",
     false, charts::occupancy},
});

constexpr auto conflict_rows = std::to_array<ChartRow<ConflictReport>>({
    {"conflicts-by-phase", "Bank conflicts by phase",
     "Passes that a request to shared memory takes in the mean; 1 is free of conflicts for words of 4 bytes.", true,
     charts::conflicts_by_phase},
    {"banks-by-round", "Banks by round",
     "Words that each bank of shared memory serves in each round or launch. A bank that stands out is where "
     "lanes meet.",
     true, charts::banks_by_round},
    {"conflicts-by-round", "Bank conflicts by round",
     "The same passes over the rounds or launches, beside what random accesses would cost and the ideal.", true,
     charts::conflicts_by_round},
    {"conflicts-by-size", "Bank conflicts against n", "The passes of whole runs of the sizes that --sizes names.", true,
     charts::conflicts_by_size},

});

constexpr auto validate_rows = std::to_array<ChartRow<ValidateReport>>({
    {"measured-against-simulated", "Measured against simulated",
     "Cycles of each run on the hardware and here; on the dashed line they are equal.", false,
     charts::measured_against_simulated},
    {"errors", "Errors", "How many runs are off by how much.", false, charts::errors},
});

constexpr auto estimate_rows = std::to_array<ChartRow<EstimateReport>>({
    {"parts", "Parts of T", "What each operation of each kernel adds to the estimate of the SPT model.", true,
     charts::estimate_parts},
});

constexpr auto series_rows = std::to_array<ChartRow<SeriesReport>>({
    {"parts", "Parts of T", "What operations of each kind add to the estimate of the SPT model.", true,
     charts::series_parts},
    {"shares", "Shares of T", "The same, of the whole.", true, charts::series_shares},
});

}  // namespace

std::span<const ChartRow<RunSource>> run_charts() { return run_rows; }
std::span<const ChartRow<LaunchSource>> launch_charts() { return launch_rows; }
std::span<const ChartRow<ConflictReport>> conflict_charts() { return conflict_rows; }
std::span<const ChartRow<ValidateReport>> validate_charts() { return validate_rows; }
std::span<const ChartRow<EstimateReport>> estimate_charts() { return estimate_rows; }
std::span<const ChartRow<SeriesReport>> series_charts() { return series_rows; }

}  // namespace sassafras::cli
