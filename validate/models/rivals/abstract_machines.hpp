// Models of algorithms more than of machines: PEM, BSP, AGPU, TMM, Kothapalli et al., and the roofline.
#pragma once

#include <span>

#include "validate/models/rivals/launch_view.hpp"

namespace sassafras::validate::rivals {

/// PEM (L. Arge, M. Goodrich, M. Nelson, N. Sitchinava, SPAA 2008; as in Karsin 2.1.1): parallel block transfers,
/// constants 1. `items` N, `processors` P, `block` B and `cache` M in items.
[[nodiscard]] double pem_scan(double items, double processors, double block);
/// The larger of both terms of Omega(N / (P B) log_{M/B}(N / B) + log N), added up.
[[nodiscard]] double pem_sort(double items, double processors, double block, double cache);
[[nodiscard]] double pem_search(double items, double block);

/// One superstep of BSP (L. Valiant, CACM 1990; as in Karsin 2.1.2): max w_i + g max h_i + l.
struct Superstep {
    double work = 0;      ///< greatest of any processor, cycles
    double messages = 0;  ///< greatest h of any processor
};
[[nodiscard]] double bsp(std::span<const Superstep> steps, double gap, double barrier);

/// Roofline (S. Williams, A. Waterman, D. Patterson, CACM 2009), as a time: max(operations / peak, bytes / bandwidth).
[[nodiscard]] double roofline(double operations, double peak, double bytes, double bandwidth);
/// Attainable operations a cycle at `intensity` operations a byte.
[[nodiscard]] double roofline_rate(double intensity, double peak, double bandwidth);

/// AGPU (A. Koike, K. Sadakane, IPDPSW 2014; Karsin 3.2.4): two metrics, accesses to global and to shared memory,
/// neither a time of a machine. I/O lower bound of sorting, and the time of their sort, with constants 1: `items` n,
/// `cores` p, `width` b cores a multiprocessor, `memory` M words of all.
[[nodiscard]] double agpu_sort_io(double items, double cores, double width, double memory);
[[nodiscard]] double agpu_sort_time(double items, double cores, double width);

/// TMM (L. Ma, K. Agrawal, R. Chamberlain, FGCS 2014): max(T_1 / P, T_inf, M L / (tau P)), threads a core tau hide
/// latency without bound.
struct ThreadedManyCore {
    double work = 0;       ///< T_1, cycles
    double span = 0;       ///< T_inf, cycles
    double transfers = 0;  ///< M, of all threads
    double latency = 0;    ///< L, cycles
    double threads = 1;    ///< tau, a core
    double cores = 1;      ///< P
};
[[nodiscard]] double tmm(const ThreadedManyCore& input);

/// K. Kothapalli et al., "A performance prediction model for the CUDA GPGPU platform" (HiPC 2009): cycles of a thread
/// times threads that share a core, pipelined D deep: N_B N_w N_t C_T / (N_C D). C_T is the sum of computation and
/// memory, or their maximum.
struct KothapalliInput {
    double blocks_an_sm = 0;     ///< N_B
    double warps_a_block = 0;    ///< N_w
    double threads_a_warp = 32;  ///< N_t
    double cores_an_sm = 0;      ///< N_C
    double depth = 1;            ///< D
    double computing = 0;        ///< N_comp, cycles of a thread
    double memory = 0;           ///< N_mem, cycles of a thread, queues at banks in it
};
[[nodiscard]] double kothapalli_sum(const KothapalliInput& input);
[[nodiscard]] double kothapalli_max(const KothapalliInput& input);

/// The rows of compare().
[[nodiscard]] double pem_of(const LaunchView& view);
[[nodiscard]] double bsp_of(const LaunchView& view);
[[nodiscard]] double roofline_of(const LaunchView& view);
[[nodiscard]] double kothapalli_sum_of(const LaunchView& view);
[[nodiscard]] double kothapalli_max_of(const LaunchView& view);
[[nodiscard]] double agpu_time_of(const LaunchView& view);
[[nodiscard]] double agpu_io_of(const LaunchView& view);
[[nodiscard]] double tmm_of(const LaunchView& view);

}  // namespace sassafras::validate::rivals
