// What the shared-memory accesses of the merges by co-ranks are for.
#include "workloads/merge/merge.hpp"

namespace sassafras::workloads::merge {
namespace {

using sim::SharedAccessKind;

constexpr PhaseRule rules[] = {
    {.kernel = "merge_*", .function = "co_rank", .part = "merge", .phase = "co-rank search"},
    {.kernel = "merge_*", .text = "ends[", .part = "merge", .phase = "hand on"},
    {.kernel = "merge_*",
     .function = "merge_by_selection",
     .kind = SharedAccessKind::load,
     .part = "merge",
     .phase = "merge reads"},
    {.kernel = "merge_*", .function = "merge_by_selection", .part = "merge", .phase = "merge writes"},
    {.kernel = "merge_*",
     .function = "merge_by_branches",
     .kind = SharedAccessKind::load,
     .part = "merge",
     .phase = "merge reads"},
    {.kernel = "merge_*", .function = "merge_by_branches", .part = "merge", .phase = "merge writes"},
    {.kernel = "merge_*", .kind = SharedAccessKind::store, .part = "merge", .phase = "staging"},
    {.kernel = "merge_*", .part = "merge", .phase = "copy out"},
};

}  // namespace

std::span<const PhaseRule> phases() { return rules; }

}  // namespace sassafras::workloads::merge
