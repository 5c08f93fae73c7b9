// What the shared-memory accesses of the searches are for.
#include "workloads/search/search.hpp"

namespace sassafras::workloads::search {
namespace {

using sim::SharedAccessKind;

// A round of PBS is a step of the search, which all lanes of a warp take together: nvcc peels off the first.
constexpr PhaseRule rules[] = {
    {.kernel = "search_btree",
     .text = "tile[",
     .kind = SharedAccessKind::store,
     .part = "copy of the keys",
     .phase = "nodes"},
    {.kernel = "*", .kind = SharedAccessKind::store, .part = "copy of the keys", .phase = "writes"},
    {.kernel = "search_pbs",
     .text = "= Method::search(",
     .part = "search",
     .phase = "reads",
     .in_round = true,
     .begins = sim::RoundStep::first},
    {.kernel = "search_pbs", .part = "search", .phase = "reads", .in_round = true, .begins = sim::RoundStep::next},
    {.kernel = "search_pbs_cf", .text = "shared_keys[cell + i]", .part = "search", .phase = "stage 2"},
    {.kernel = "search_pbs_cl", .text = "shared_keys[cell + distance]", .part = "search", .phase = "stage 2"},
    {.kernel = "search_pbs_c*", .part = "search", .phase = "stage 1"},
    {.kernel = "*", .part = "search", .phase = "reads"},
};

}  // namespace

std::span<const PhaseRule> phases() { return rules; }

}  // namespace sassafras::workloads::search
