// What the shared-memory accesses of each sort are for.
#include "workloads/sort/sort.hpp"

namespace sassafras::workloads::sort {
namespace {

using sim::SharedAccessKind;
using enum ThesisBeta;

constexpr std::string_view blocks = "block sort";
constexpr std::string_view merges = "merge";
constexpr std::string_view search = "partition search";
constexpr std::string_view heads = "merge heads";
constexpr std::string_view reads = "merge reads";
constexpr std::string_view writes = "merge writes";
constexpr std::string_view staging = "staging";
constexpr std::string_view copy_out = "copy out";

// The first rule that applies counts. In the block sort, a round is a trip of the loop over ever longer runs: it begins
// where each thread writes what it has, behind a barrier.
constexpr PhaseRule rules[] = {
    // mgpu and cf-merge (pairwise.cuh, serial_merge.cuh, gather_merge.cuh); also the merges after other block sorts
    {.kernel = "*_blocksort_*", .function = "merge_path", .part = blocks, .phase = search, .in_round = true},
    {.kernel = "*_blocksort_*",
     .function = "SerialMerge::take",
     .text = "_head = shared[",
     .part = blocks,
     .phase = heads,
     .in_round = true},
    {.kernel = "*_blocksort_*", .function = "SerialMerge::take", .part = blocks, .phase = reads, .in_round = true},
    {.kernel = "*_blocksort_*", .text = "first_of_warp[", .part = blocks, .phase = "hand on", .in_round = true},
    {.kernel = "*_blocksort_*", .function = "GatherMerge::take", .part = blocks, .phase = reads, .in_round = true},
    {.kernel = "*_blocksort_*",
     .function = "SerialMerge::store_runs",
     .part = blocks,
     .phase = writes,
     .in_round = true,
     .begins = sim::RoundStep::next},
    {.kernel = "*_blocksort_*",
     .function = "GatherMerge::store_runs",
     .part = blocks,
     .phase = writes,
     .in_round = true,
     .begins = sim::RoundStep::next},
    {.kernel = "*_merge_*", .function = "merge_path", .part = merges, .phase = search, .beta = partitioning},
    {.kernel = "*_merge_*",
     .function = "SerialMerge::take",
     .text = "_head = shared[",
     .part = merges,
     .phase = heads,
     .beta = merging},
    {.kernel = "*_merge_*", .function = "SerialMerge::take", .part = merges, .phase = reads, .beta = merging},
    {.kernel = "*_merge_*", .text = "first_of_warp[", .part = merges, .phase = "hand on"},
    {.kernel = "*_merge_*", .function = "GatherMerge::take", .part = merges, .phase = reads, .beta = merging},
    // E15_b128 and its like (sort.cu), which have no store_runs: in sort_block, the first call is the loop's
    {.kernel = "sort_blocksort_*",
     .function = "serial_merge",
     .text = "_key = shared[",
     .part = blocks,
     .phase = heads,
     .in_round = true},
    {.kernel = "sort_blocksort_*", .function = "serial_merge", .part = blocks, .phase = reads, .in_round = true},
    {.kernel = "sort_blocksort_*",
     .function = "store_thread_order",
     .call = 1,
     .part = blocks,
     .phase = writes,
     .in_round = true,
     .begins = sim::RoundStep::next},
    {.kernel = "sort_merge_*",
     .function = "serial_merge",
     .text = "_key = shared[",
     .part = merges,
     .phase = heads,
     .beta = merging},
    {.kernel = "sort_merge_*", .function = "serial_merge", .part = merges, .phase = reads, .beta = merging},
    // all of them
    {.kernel = "*_blocksort_*", .function = "store_thread_order", .part = blocks, .phase = copy_out},
    {.kernel = "*_merge_*", .function = "store_thread_order", .part = merges, .phase = writes, .beta = merging},
    {.kernel = "*_blocksort_*", .text = "out[index] = shared[index]", .part = blocks, .phase = copy_out},
    {.kernel = "*_blocksort_*", .text = "out[i * b + threadIdx.x] =", .part = blocks, .phase = copy_out},
    {.kernel = "*_blocksort_*", .part = blocks, .phase = staging},
    {.kernel = "*_merge_*", .text = "out[index] = shared[index]", .part = merges, .phase = copy_out},
    {.kernel = "*_merge_*", .text = "out[i * b + threadIdx.x] =", .part = merges, .phase = copy_out},
    // multiway: heaps of blocks
    {.kernel = "mms_merge_*", .function = "MinBlockHeap::build", .part = merges, .phase = "heap building"},
    {.kernel = "koike_sadakane_merge_*", .function = "BlockHeap::build", .part = merges, .phase = "heap building"},
    {.kernel = "mms_merge_*", .function = "MinBlockHeap::emptied_child", .part = merges, .phase = "path choice"},
    {.kernel = "koike_sadakane_merge_*", .text = "right_is_lesser =", .part = merges, .phase = "path choice"},
    {.kernel = "mms_merge_*", .text = "part.out[", .part = merges, .phase = copy_out},
    {.kernel = "koike_sadakane_merge_*", .text = "part.out[", .part = merges, .phase = copy_out},
    {.kernel = "mms_merge_*", .kind = SharedAccessKind::load, .part = merges, .phase = reads},
    {.kernel = "mms_merge_*", .kind = SharedAccessKind::store, .part = merges, .phase = writes},
    {.kernel = "koike_sadakane_merge_*", .kind = SharedAccessKind::load, .part = merges, .phase = reads},
    {.kernel = "koike_sadakane_merge_*", .kind = SharedAccessKind::store, .part = merges, .phase = writes},
    {.kernel = "*_merge_*", .part = merges, .phase = staging},
    // block sorts
    {.kernel = "koike_sadakane_base_*", .function = "compare_exchange_shared", .part = blocks, .phase = "exchanges"},
    {.kernel = "koike_sadakane_base_*", .kind = SharedAccessKind::store, .part = blocks, .phase = staging},
    {.kernel = "koike_sadakane_base_*", .part = blocks, .phase = copy_out},
    {.kernel = "bitonic_*", .function = "compare_exchange_shared", .part = blocks, .phase = "exchanges"},
    {.kernel = "bitonic_*", .kind = SharedAccessKind::store, .part = blocks, .phase = staging},
    {.kernel = "bitonic_*", .part = blocks, .phase = copy_out},
    {.kernel = "shearsort_*", .text = "out[index] =", .part = blocks, .phase = copy_out},
    {.kernel = "shearsort_*", .text = "line[i] = matrix[", .part = blocks, .phase = "transposition reads"},
    {.kernel = "shearsort_*", .part = blocks, .phase = "transposition writes"},
};

}  // namespace

std::span<const PhaseRule> phases() { return rules; }

}  // namespace sassafras::workloads::sort
