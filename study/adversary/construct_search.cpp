#include <algorithm>
#include <bit>
#include <map>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "core/number_text.hpp"
#include "study/adversary/constructions.hpp"
#include "workloads/search/pbs_paths.hpp"
#include "workloads/search/search.hpp"
#include "workloads/search/worst_queries.hpp"

namespace sassafras::study::adversary {
namespace {

/// Requests of warps that look for the same queries: `lanes` of them from number `first` of the w repeated ones on.
struct WarpShape {
    std::uint32_t first = 0;
    std::uint32_t lanes = 0;

    bool operator<(const WarpShape& other) const {
        return std::pair(first, lanes) < std::pair(other.first, other.lanes);
    }
};

/// How many warps search how often, for any number of threads a block (b), queries a thread (Q) and queries: the last
/// warp of a block may be partial, and its neighbours then begin anywhere among the w repeated queries.
std::map<WarpShape, std::uint64_t> warps_of(const workloads::Selection& selection) {
    std::map<WarpShape, std::uint64_t> warps;
    const auto b = static_cast<std::uint64_t>(selection.parameter("b"));
    // Thread t of a block takes queries t, t + b, t + 2b, ... of the block's b Q: rows of b neighbours.
    for (std::uint64_t row = 0; row < selection.n; row += b)
        for (std::uint64_t begin = row; begin < std::min(row + b, selection.n); begin += warp_lanes) {
            const std::uint64_t end = std::min({begin + warp_lanes, row + b, selection.n});
            ++warps[{static_cast<std::uint32_t>(begin % warp_lanes), static_cast<std::uint32_t>(end - begin)}];
        }
    return warps;
}

/// A row a read of Algorithm 1.
std::vector<PartCost> reads_of_pbs(std::uint32_t key_count, const std::vector<std::uint32_t>& targets,
                                   const workloads::Selection& selection, Goal goal) {
    std::vector<PartCost> parts;
    const std::vector<std::uint32_t> bounds = workloads::search::pbs_bounds(key_count);
    for (std::size_t read = 0; read < bounds.size(); ++read)
        parts.push_back({fmt::format("read {} of a query", read + 1), 0, 0, 0});
    for (const auto& [shape, warps] : warps_of(selection)) {
        std::vector<std::uint32_t> of_lanes;
        for (std::uint32_t lane = 0; lane < shape.lanes; ++lane)
            of_lanes.push_back(targets[(shape.first + lane) % warp_lanes]);
        const auto accesses = workloads::search::pbs_accesses(key_count, of_lanes);
        for (std::size_t read = 0; read < parts.size(); ++read) {
            const std::uint64_t greatest = std::min(shape.lanes, bounds[read]);
            parts[read].requests += warps;
            parts[read].accesses += warps * accesses[read];
            parts[read].bound += goal == Goal::worst ? warps * greatest : warps;
        }
    }
    return parts;
}

/// Every lane reads its own bank in both stages (search_shared.cu): one access a request, whatever is looked for.
std::vector<PartCost> reads_of_pbs_cf(std::uint32_t key_count, const workloads::Selection& selection) {
    std::uint64_t warps = 0;
    for (const auto& [shape, count] : warps_of(selection)) warps += count;
    const std::uint32_t rows = (key_count + warp_lanes - 1) / warp_lanes;
    const std::uint64_t stage_1 = warps * (static_cast<std::uint64_t>(std::bit_width(rows - 1)) + 1);
    const std::uint64_t stage_2 = warps * (warp_lanes - 1);
    return {{"stage 1", stage_1, stage_1, stage_1}, {"stage 2", stage_2, stage_2, stage_2}};
}

}  // namespace

Result<Construction> construct_search(const workloads::WorkloadRequest& request, Goal goal) {
    auto selection = workloads::search::choose(request);
    if (!selection) return selection.error();
    const std::vector<std::uint32_t> keys = workloads::search::searched_keys(*selection);
    Construction built;
    built.count = selection->n;
    built.piece = warp_lanes;
    built.variant = selection->variant;
    built.parameters.assign(selection->parameters.begin(), selection->parameters.end());
    built.seed = selection->seed;
    const auto key_count = static_cast<std::uint32_t>(keys.size());
    const bool pbs = selection->variant == "pbs";
    const bool worst = goal == Goal::worst;
    const std::string of = fmt::format("queries of search {} among {} keys: {} in all", selection->variant,
                                       grouped(key_count), grouped(built.count));
    built.what = (worst ? "worst " : "best ") + of;
    if (!worst) built.what += ", all equal, so that all lanes read the same word";
    if (selection->variant == "pbs-cf") built.what += "; no read of shared memory conflicts, whatever is looked for";
    if (worst && pbs && key_count != 0 && key_count % (warp_lanes * warp_lanes) == 0)
        built.what += "; corollary 6.2.1: w^2 divides the number of keys";
    else if (worst && pbs && key_count >= 2 * warp_lanes * warp_lanes)
        built.what += "; theorem 6.2.1";
    else if (worst && pbs && key_count != 0)
        built.what += "; fewer keys than theorem 6.2.1 is about";
    std::vector<std::uint32_t> targets(warp_lanes, key_count / 2);
    if (worst && pbs && key_count != 0) targets = workloads::search::worst_pbs_targets(key_count);
    if (pbs && key_count != 0) built.parts = reads_of_pbs(key_count, targets, *selection, goal);
    if (selection->variant == "pbs-cf" && key_count != 0) built.parts = reads_of_pbs_cf(key_count, *selection);
    auto queries = std::make_shared<std::vector<std::uint32_t>>(
        worst ? workloads::search::worst_queries(selection->variant, keys, built.count, selection->seed)
              : std::vector<std::uint32_t>(built.count, keys.empty() ? 0 : keys[key_count / 2]));
    built.make = [queries = std::move(queries)](std::uint64_t begin, std::span<std::uint32_t> numbers) {
        std::copy_n(queries->begin() + static_cast<std::ptrdiff_t>(begin), numbers.size(), numbers.begin());
    };
    return built;
}

}  // namespace sassafras::study::adversary
