// The parallel merge by co-ranks on the CPU (J. Lv, Parallel merge for many-core architectures, listings 2.1, 3.1
// and 3.2), and what the GPU's variants are called and how much shared memory they need.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sassafras::workloads::merge {

using Run = std::span<const std::uint32_t>;  ///< ascending

/// How many of the first i outputs of merging a and b come from a; on ties a goes first. i is at most a.size() +
/// b.size().
[[nodiscard]] std::size_t co_rank(std::size_t i, Run a, Run b);

/// Listing 2.1. `merged` has a.size() + b.size() words.
void merge_sequentially(Run a, Run b, std::span<std::uint32_t> merged);

/// What processing element r of p does: finds its part of the output, of which parts differ by one word at most, and
/// merges it.
void merge_part(Run a, Run b, std::span<std::uint32_t> merged, std::size_t r, std::size_t p);

/// What of the input is staged in shared memory.
enum class Buffering : std::uint8_t {
    none,
    single,   ///< the next x keys of both arrays
    twofold,  ///< rings of 2x keys
};

/// A variant of the GPU's merge by co-ranks.
struct CoRankVariant {
    std::string name;  ///< naive, single-buffer, double-buffer, each alone or with -half, -select, -half-select
    Buffering buffering = Buffering::none;
    std::uint32_t buffers = 0;  ///< x words each, in shared memory, outputs too if they are staged; 0: none
    bool half = false;          ///< half the co-rank calls: threads hand theirs on through shared memory
    bool printed = false;       ///< lv-...: as the thesis writes it; outputs go straight to global memory
};
[[nodiscard]] const std::vector<CoRankVariant>& co_rank_variants();
/// nullptr if there is none of that name.
[[nodiscard]] const CoRankVariant* find_co_rank_variant(const std::string& name);

/// Outputs of an iteration (x) that `shared_bytes` and blocks of `threads` allow: a multiple of the threads if there is
/// room for one output each; 0 if there is room for none.
[[nodiscard]] std::uint64_t outputs_of_iteration(const CoRankVariant& variant, std::uint64_t shared_bytes,
                                                 std::uint64_t threads);

}  // namespace sassafras::workloads::merge
