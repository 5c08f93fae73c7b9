// The algorithms of chapters 5 to 7 of Karsin's thesis as counts for the SPT model; merges, prefix sums and the stencil
// by the same method. Counts are operations a core (A / P as printed). docs/spt.md says where the print contradicts
// itself.
//
// All: N, Q, n, m, k are whole sizes; the instance gives P, M, R and w. Nothing here depends on L or B.
#pragma once

#include <cstdint>
#include <optional>

#include "validate/models/spt/instance.hpp"
#include "validate/models/spt/model.hpp"

namespace sassafras::validate::spt {

/// As the thesis prints a formula; or the reading under which its own claims come out, where the two differ.
enum class Reading : std::uint8_t { printed, reconstructed };

struct Matrices {
    double n = 0;  ///< C is n x m
    double m = 0;
    double k = 0;  ///< columns of A
};

struct GemmTuning {
    double tile = 96;      ///< N_TB: rows and columns of C a block computes
    double depth = 16;     ///< lambda: depth of a batch along k
    double threads = 256;  ///< b
};

/// MAGMA's GEMM, 5.2 and 5.3. With `local_memory` the dotted line of figure 5.3: of r registers a thread needs, those
/// beyond 255 lie in shared memory (5.3.2). Bank conflicts: none.
[[nodiscard]] Algorithm magma_gemm(const Instance& instance, Matrices size, GemmTuning tuning, bool local_memory);
/// A thread an element, both operands from global memory. Ours, by the thesis' method: a warp's reads of a row of B are
/// one block of w words, its read of one word of A another.
[[nodiscard]] Algorithm naive_gemm(const Instance& instance, Matrices size);

/// `regtile` of workloads/gemm: 16 columns of C in a thread's registers, batches of B in shared memory. Ours.
[[nodiscard]] Algorithm register_tiled_gemm(const Instance& instance, Matrices size);

/// Searches with keys in shared memory, printed: M_o = M b / (words P), more than the hardware holds where a block
/// needs few words; reconstructed: at most what it holds.
struct Searches {
    double keys = 0;     ///< N
    double queries = 0;  ///< Q
    double threads = 0;  ///< b, in 6.2 also t: threads of a block
};

/// Binary search in global memory, 6.1.1. M_o is what the hardware allows at most, as the kernel uses little of
/// anything ("bandwidth bound").
[[nodiscard]] Algorithm sorted_search(const Instance& instance, Searches size);
/// Level-order search tree whose first `top_keys` (M_TB) are in shared memory, 6.1.2. printed: T_g leaves out the + 1
/// of A_g; reconstructed: A_g.
[[nodiscard]] Algorithm bst_search(const Instance& instance, Searches size, double top_keys, Reading reading);
/// B-tree with nodes of w keys, 6.1.3.
[[nodiscard]] Algorithm btree_search(const Instance& instance, Searches size, double top_keys, Reading reading);

/// Parallel binary search in shared memory, 6.2.1: log N accesses, each `beta` times (1: no conflict).
[[nodiscard]] Algorithm pbs(const Instance& instance, Searches size, double beta, Reading reading);
/// The conflict-free form, 6.2.2. printed: L_g in the time of shared accesses; reconstructed: L_s.
[[nodiscard]] Algorithm pbs_conflict_free(const Instance& instance, Searches size, Reading reading);
/// The conflict-limited form, 6.2.3; `beta` is of its second stage, at best 1, at most (w - 1) / log w.
[[nodiscard]] Algorithm pbs_conflict_limited(const Instance& instance, Searches size, double beta, Reading reading);
/// Mean beta over all log N steps of PBS on the worst queries: w from iteration 2 log w + 1 on (Theorem 6.2.1), or from
/// log w + 1 on if w^2 divides N (Corollary 6.2.1), 1 before.
[[nodiscard]] double worst_pbs_beta(double keys, double warp_lanes);

struct PairwiseSort {
    double keys = 0;           ///< N
    double per_thread = 0;     ///< E
    double threads = 128;      ///< b
    double search_beta = 3.1;  ///< beta_1 (7.1.3, random input)
    double merge_beta = 2.2;   ///< beta_2
};

/// ModernGPU's mergesort, 7.1. printed: T of 7.1.3. reconstructed: M four times as large and A_y = 2 N / (P E) a round;
/// then best E, share of global memory and cost of conflicts are as claimed on ALGOPARC.
[[nodiscard]] Algorithm mgpu_mergesort(const Instance& instance, const PairwiseSort& sort, Reading reading);

struct BlockSort {
    double keys = 0;
    bool network = false;  ///< true: Batcher's network of 2 b keys in shared memory; false: shearsort of w^2 by a warp
    double threads = 512;  ///< b of the network
    PairwiseSort merge;    ///< E, b and betas of the merges that follow; `keys` has no meaning
};

/// `shearsort` and `bitonic` of workloads/sort: a block sort, then rounds of mgpu's merges. Ours.
[[nodiscard]] Algorithm block_sort_and_merges(const Instance& instance, const BlockSort& sort);

struct MultiwaySort {
    double keys = 0;  ///< N
    double ways = 8;  ///< K
};

/// Koike and Sadakane's mergesort, 7.2. printed: the approximation of 7.2.3; reconstructed: the sums of 7.2.2 that it
/// approximates.
[[nodiscard]] Algorithm koike_sadakane_mergesort(const Instance& instance, MultiwaySort sort, Reading reading);
/// GPU-MMS, 7.3. printed: T of 7.3.3, rounds log_K(N / w^2). reconstructed: the same, with whole levels of the heap and
/// rounds (ceil(log K) ceil(log_K(N / w^2))) where 7.3.2 goes over to ceil(log(N / w^2)).
[[nodiscard]] Algorithm gpu_mms(const Instance& instance, MultiwaySort sort, Reading reading);

struct MergeByCoRanks {
    double keys = 0;        ///< of both arrays
    double per_thread = 0;  ///< outputs of a thread; staged: of a thread in one iteration
    double threads = 128;   ///< b
    double blocks = 0;      ///< staged: how often a block searches in global memory
    double buffers = 0;     ///< 0: all in global memory; 1: single, 2: double buffer (Lv 2016, chapter 4)
    bool half = false;      ///< half the co-rank searches (5.1)
    double beta = 1;        ///< of the searches and the merge in shared memory
};

/// Merging two ascending arrays. Ours, by the thesis' method.
[[nodiscard]] Algorithm co_rank_merge(const Instance& instance, const MergeByCoRanks& merge);

enum class ScanKind : std::uint8_t { unpadded, padded, three_phase };

/// Exclusive prefix sums. Ours. unpadded: beta 2^d in step d of the sweeps, at most w.
[[nodiscard]] Algorithm prefix_sums(const Instance& instance, ScanKind kind, double words, double threads);

/// Exclusive prefix sums for each of `colors` colours. Ours. `blocks` of one warp; 0: as many as are resident.
[[nodiscard]] Algorithm colored_prefix_sums(const Instance& instance, double words, double colors, double blocks);

/// Seven-point stencil, `steps` Jacobi iterations. Ours.
[[nodiscard]] Algorithm stencil(const Instance& instance, bool tiled, double points, double steps, double threads);

struct KineticScheme {
    double chromosomes = 0;
    double steps = 8;           ///< T
    bool transposed = false;    ///< rate constants and results of neighbouring threads lie side by side
    bool staged = false;        ///< rate constants in shared memory
    bool in_registers = false;  ///< arrays too; else in local memory
};

/// RK4 of the scheme of workloads/ode. Ours.
[[nodiscard]] Algorithm kinetic_scheme(const Instance& instance, const KineticScheme& ode);

}  // namespace sassafras::validate::spt
