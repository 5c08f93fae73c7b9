// L, B and L_sync from measured curves (B. Karsin, "A performance model for GPU architectures", 2018, chapter 4).
// Pure functions: times in, constants out.
#pragma once

#include <optional>
#include <span>

#include "core/result.hpp"
#include "validate/models/spt/instance.hpp"

namespace sassafras::validate::spt {

/// The time of one operation at one multiplicity.
struct CurvePoint {
    double oversubscription = 1;  ///< M_o, threads a core
    double ilp = 1;               ///< M_I, operations of a thread that wait for no other of them
    double cycles = 0;            ///< t: time that a thread takes for one operation, all others of the GPU running too
};

/// A value with the 95 % confidence interval of the mean of `points` values of it (Student's t, of their logarithms);
/// none if there is only one.
struct FittedValue {
    double value = 0;
    std::optional<Interval> interval;
    std::size_t points = 0;
};

struct OperationFit {
    FittedValue latency;        ///< L in cycles
    FittedValue bandwidth;      ///< B in operations a cycle and core
    double typical_error = 0;   ///< of max(M_o / B, L / M_I) beside t, at all points: the mean of the relative distance
    double greatest_error = 0;  ///< and its greatest
};

/// Fits t = max(M_o / B, L / M_I): M_o threads of a core share B, M_I operations of a thread share L. That is the
/// thesis' A_core max(1 / B, L / M) with A_core = A M_o. As there (4.2.1), L is the time of an operation where latency
/// rules and B the throughput where bandwidth does. What happens near the knee, M = M_o M_I = L B (of the time at the
/// least M and the greatest throughput), where both do, has no say:
///   L: the mean t M_I of the points with M of at most a quarter of the knee's (of the least M if there are none);
///   B: the mean throughput M_o / t of the points with M of at least twice the knee's (of all if there are none) that
///      reach 95 % of their greatest.
/// Error bad_input if there is no point, or one whose M_o, M_I or t is not positive and finite.
[[nodiscard]] Result<OperationFit> fit_operation(std::span<const CurvePoint> points);

/// A run of one program with so many kernels, each with a device-wide synchronisation behind it.
struct SyncPoint {
    double oversubscription = 1;  ///< programs of different M_o do different work
    double kernels = 0;
    double cycles = 0;  ///< of the whole run
};

/// L_sync: the slope of the time in the number of kernels, common to all M_o, each with a constant of its own (least
/// squares). The interval is that of the slope (95 %, Student's t of the residuals); none without a point to spare.
/// Error bad_input if no M_o has runs with two different numbers of kernels.
[[nodiscard]] Result<FittedValue> fit_sync(std::span<const SyncPoint> points);

}  // namespace sassafras::validate::spt
