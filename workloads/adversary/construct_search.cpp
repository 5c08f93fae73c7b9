#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "core/number_text.hpp"
#include "workloads/adversary/constructions.hpp"
#include "workloads/search/search.hpp"
#include "workloads/search/worst_queries.hpp"

namespace sassafras::workloads::adversary {
namespace {

constexpr std::uint32_t w = 32;

/// A row a read of Algorithm 1. Every warp's queries are the same; a last, partial warp costs no more and is left out.
std::vector<PartCost> reads_of_pbs(std::uint32_t key_count, const std::vector<std::uint32_t>& targets,
                                   std::uint64_t warps, Goal goal) {
    std::vector<PartCost> parts;
    std::uint64_t reachable = 1;  // places that the read can be of
    for (const std::uint32_t accesses : search::pbs_accesses(key_count, targets)) {
        const std::uint64_t greatest = std::min<std::uint64_t>(w, reachable);
        parts.push_back({fmt::format("read {} of a query", parts.size() + 1), warps, warps * accesses,
                         goal == Goal::worst ? warps * greatest : warps});
        reachable = std::min<std::uint64_t>(2 * reachable, w);
    }
    return parts;
}

}  // namespace

Result<Construction> construct_search(const WorkloadRequest& request, Goal goal) {
    auto selection = search::choose(request);
    if (!selection) return selection.error();
    const std::vector<std::uint32_t> keys = search::searched_keys(*selection);
    Construction built;
    built.count = selection->n;
    built.piece = w;
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
    if (worst && pbs && key_count != 0 && key_count % (w * w) == 0)
        built.what += "; corollary 6.2.1: w^2 divides the number of keys";
    else if (worst && pbs && key_count >= 2 * w * w)
        built.what += "; theorem 6.2.1";
    std::vector<std::uint32_t> targets(w, key_count / 2);
    if (worst && pbs && key_count != 0) targets = search::worst_pbs_targets(key_count);
    if (pbs && key_count != 0) built.parts = reads_of_pbs(key_count, targets, built.count / w, goal);
    auto queries = std::make_shared<std::vector<std::uint32_t>>(
        worst ? search::worst_queries(selection->variant, keys, built.count, selection->seed)
              : std::vector<std::uint32_t>(built.count, keys.empty() ? 0 : keys[key_count / 2]));
    built.make = [queries = std::move(queries)](std::uint64_t begin, std::span<std::uint32_t> numbers) {
        std::copy_n(queries->begin() + static_cast<std::ptrdiff_t>(begin), numbers.size(), numbers.begin());
    };
    return built;
}

}  // namespace sassafras::workloads::adversary
