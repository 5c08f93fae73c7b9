// Queries that make a search as slow as its kind allows.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace sassafras::workloads::search {

inline constexpr std::uint32_t w = 32;  ///< lanes of a warp, banks of shared memory, and keys of a B-tree's node

/// The places among N = `key_count` distinct keys that Algorithm 1 reads for a query that equals key `target`:
/// ceil(log2 N) steps and the comparison at the end. N > 0.
[[nodiscard]] std::vector<std::uint32_t> pbs_reads(std::uint32_t key_count, std::uint32_t target);

/// 32 targets, one a lane, among N > 0 keys, that make Algorithm 1 conflict most. First as in the proof of Lemma 6.2.2
/// (and so of theorem 6.2.1): up to w different words of one bank are read at some step, and every lane takes the same
/// branches from there on. The step, the bank and the branches (always up, always down) are those with the most
/// accesses in all, so that they are also those of corollary 6.2.1 where w^2 divides N. Where that is less than
/// pbs_bounds() in all, climbed_pbs_targets() if they cost more (pbs_paths.hpp).
[[nodiscard]] std::vector<std::uint32_t> worst_pbs_targets(std::uint32_t key_count);

/// Serialised accesses of each of Algorithm 1's reads, by a warp that looks for these keys, one a lane.
[[nodiscard]] std::vector<std::uint32_t> pbs_accesses(std::uint32_t key_count,
                                                      const std::vector<std::uint32_t>& targets);

/// `count` queries among ascending keys. bisection, halving, pbs, pbs-cf: worst_pbs_targets() for every warp. pbs-cl:
/// neighbouring queries end in one bank and different rows, so that stage 2 takes all w - 1 accesses if there are w
/// rows. The searches in global memory: the queries of a warp spread over the keys, so that from the first steps on no
/// two lanes read the same sector; each warp's are shifted.
[[nodiscard]] std::vector<std::uint32_t> worst_queries(std::string_view variant, const std::vector<std::uint32_t>& keys,
                                                       std::uint64_t count, std::uint64_t seed);

}  // namespace sassafras::workloads::search
