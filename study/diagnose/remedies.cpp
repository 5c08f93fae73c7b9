#include "study/diagnose/remedies.hpp"

#include <array>
#include <optional>

#include <fmt/format.h>

namespace sassafras::study {

namespace {

using Reason = std::optional<std::string>;  ///< none: the remedy would not help
using Given = const Counters&;
using Known = const Figures&;

constexpr double scattered_percent = 50;      // section 3.2.1: below half, an access pattern is poor
constexpr double noticeable_percent = 5;      // the least share of anything that is called a cause in chapter 6
constexpr double low_occupancy_percent = 50;  // chapter 2: more than half does not scale
constexpr double sector_transactions = 4.5;   // a load of 4 bytes a lane moves four sectors, or one line

Reason share(Known figures, Figure figure, double least = noticeable_percent) {
    if (!figures.exceeds(figure, least)) return std::nullopt;
    const FigureRow& row = row_of(figure);
    return fmt::format("{}: {:.3g}{}{}", row.name, *figures.find(figure), row.unit.empty() ? "" : " ", row.unit);
}

Reason below(Known figures, Figure figure, double bound) {
    if (!figures.is_below(figure, bound)) return std::nullopt;
    return fmt::format("{}: {:.3g} %", row_of(figure).name, *figures.find(figure));
}

Reason first_of(Reason one, Reason other) { return one ? one : other; }

struct RemedyRow {
    Bound bound{};
    std::string_view text{};
    Reason (*reason)(Given counters, Known figures) = nullptr;
    std::string_view what_if{};
};

constexpr auto remedy_rows = std::to_array<RemedyRow>({
    {Bound::memory, "keep on the chip what is used again: shared memory, registers, larger tiles",
     [](Given counters, Known) -> Reason {
         const auto loads = counters.find(Quantity::shared_loads);
         return loads && *loads == 0 ? "no load from shared memory" : std::string{};
     },
     "infinite-l2"},
    {Bound::memory, "fewer spills: more registers a thread, more of L1, local arrays into scalars",
     [](Given, Known figures) {
         return first_of(share(figures, Figure::local_share_of_l2), share(figures, Figure::local_memory));
     },
     "no-spills"},
    {Bound::memory, "accesses in order: structures of arrays, transposed or padded arrays",
     [](Given, Known figures) {
         return first_of(first_of(below(figures, Figure::load_efficiency, scattered_percent),
                                  below(figures, Figure::store_efficiency, scattered_percent)),
                         share(figures, Figure::load_transactions, sector_transactions));
     },
     "perfect-coalescing"},
    {Bound::shared_memory, "no bank conflicts: pad or permute what lies in shared memory",
     [](Given, Known figures) { return share(figures, Figure::conflicts_an_access, noticeable_percent / 100); },
     "no-bank-conflicts"},
    {Bound::shared_memory, "fewer accesses: wider ones, and more of the data in registers",
     [](Given, Known) -> Reason { return std::string{}; }},
    {Bound::instructions, "find what issues instructions again: conflicts of banks or constants, divergence",
     [](Given, Known figures) { return share(figures, Figure::replays); }},
    {Bound::instructions, "no bank conflicts: pad or permute what lies in shared memory",
     [](Given, Known figures) { return share(figures, Figure::conflicts_an_instruction); }, "no-bank-conflicts"},
    {Bound::instructions, "branches on which whole warps agree",
     [](Given, Known figures) {
         return first_of(share(figures, Figure::divergent_branches), share(figures, Figure::divergence, 10));
     }},
    {Bound::instructions, "cheaper types: FP32 for FP64, literals with f, intrinsics",
     [](Given counters, Known) -> Reason {
         const auto used = counters.find(Quantity::fp64_utilisation);
         if (!used || *used < noticeable_percent) return std::nullopt;
         return fmt::format("FP64 pipe: {:.0f} % of its peak", *used);
     },
     "fp64-as-fp32"},
    {Bound::instructions, "fewer instructions: work that threads share, unrolled loops, cheaper addresses",
     [](Given, Known) -> Reason { return std::string{}; }},
    {Bound::latency, "more warps: another shape of blocks, fewer registers or less shared memory a block",
     [](Given, Known figures) {
         return first_of(below(figures, Figure::theoretical_occupancy, low_occupancy_percent),
                         below(figures, Figure::occupancy, low_occupancy_percent));
     },
     "full-occupancy"},
    {Bound::latency, "fewer barriers, or of fewer threads: warps and groups of them that need not wait for the block",
     [](Given, Known figures) { return share(figures, Figure::barrier_waits); }, "no-barrier-waits"},
    {Bound::latency, "a larger grid, or less to wait for: fewer blocks are resident than have room",
     [](Given, Known figures) -> Reason {
         const auto possible = figures.find(Figure::theoretical_occupancy);
         const auto achieved = figures.find(Figure::occupancy);
         constexpr double clear_gap = 0.75;
         if (!possible || !achieved || *achieved > clear_gap * *possible) return std::nullopt;
         return fmt::format("achieved occupancy {:.0f} % of {:.0f} %", *achieved, *possible);
     }},
    {Bound::latency, "several elements a thread, so that more loads are in flight",
     [](Given, Known figures) -> Reason {
         const auto offered = figures.find(Figure::bytes_in_flight);
         const auto needed = figures.find(Figure::bytes_needed);
         if (!offered || !needed) return std::string{};
         if (*offered >= *needed) return std::nullopt;
         return fmt::format("{:.0f} of {:.0f} bytes in flight", *offered, *needed);
     }},
});

}  // namespace

std::vector<Remedy> remedies_for(const Verdict& verdict, const Counters& counters, const Figures& figures) {
    std::vector<Remedy> remedies;
    for (const RemedyRow& row : remedy_rows)
        if (row.bound == verdict.bound)
            if (Reason reason = row.reason(counters, figures))
                remedies.push_back({row.text, std::move(*reason), row.what_if});
    return remedies;
}

}  // namespace sassafras::study
