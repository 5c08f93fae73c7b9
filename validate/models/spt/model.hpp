// The Synchronous Parallel Throughput model: chapter 3 of B. Karsin, "A performance model for GPU architectures:
// analysis and design of fundamental algorithms" (University of Hawaii at Manoa, 2018).
//
//     t_phi = max(1 / B_phi, L_phi / M)        time of one operation (3.1.4), L / M whole cycles if asked for
//     T     = |K| L_sync + sum over kernels and operations of A_phi t_phi                           (3.1.2)
//
// Assumptions: all cores do equal work (3.1.1); operations of different kinds do not overlap; kernels do not overlap.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "validate/models/spt/instance.hpp"

namespace sassafras::validate::spt {

/// L / M as chapter 3 has it (whole cycles, rounded up) or as chapters 4, 5 and 7.1 use it (a fraction).
enum class LatencyRounding : std::uint8_t { fraction, whole_cycles };

/// How often a kernel does one operation, or one part of it (sorts count the shared accesses of their phases apart).
struct OperationCount {
    std::string symbol;  ///< names an operation of the instance
    std::string part;    ///< "search", "merge"; empty if there is only one
    double count = 0;    ///< A: operations a core, with bank conflicts multiplied in (thesis 4.3)
    double ilp = 1;      ///< M_I: independent operations in a row
    LatencyRounding rounding = LatencyRounding::fraction;
};

/// A kernel, or several of equal multiplicity taken together (3.1.5): then counts are sums over all of them.
struct Kernel {
    std::string name;
    double launches = 1;
    double oversubscription = 1;  ///< M_o: resident threads a core
    std::vector<OperationCount> operations;
    std::string lack{};     ///< why it has no meaning on the machine (lack_of_room); empty: it has
    std::string smaller{};  ///< then: the parameter that asks for too much
};

struct Algorithm {
    std::string name;
    std::vector<Kernel> kernels;
    std::vector<std::string> notes;  ///< what was assumed, and where a printed formula was not followed
};

/// Which side of max(1 / B, L / M) is greater.
enum class Bound : std::uint8_t { bandwidth, latency };

struct Term {
    std::string kernel;
    std::string symbol;
    std::string part;
    double count = 0;             ///< A
    double latency_cycles = 0;    ///< L
    double bandwidth = 0;         ///< B
    double oversubscription = 0;  ///< M_o
    double ilp = 0;               ///< M_I; 1 where ILP hides nothing
    double multiplicity = 0;      ///< M = M_o M_I
    double bandwidth_cycles = 0;  ///< 1 / B
    double hidden_cycles = 0;     ///< L / M, rounded as asked
    Bound bound = Bound::bandwidth;
    double operation_cycles = 0;  ///< t
    double cycles = 0;            ///< A t
    double share = 0;             ///< of all cycles
};

struct Estimate {
    std::vector<Term> terms;  ///< in the order of the algorithm's kernels and counts
    double kernels = 0;       ///< |K|
    double sync_cycles = 0;   ///< |K| L_sync
    double cycles = 0;        ///< T
    double seconds = 0;       ///< T at the instance's clock

    /// T_phi, the cycles of one operation in all kernels.
    [[nodiscard]] double operation_cycles(std::string_view symbol) const;
};

/// Errors: bad_input if a count names an operation that the instance lacks, or is negative or no number, if a
/// multiplicity is not above zero, or if the machine has no room for a kernel.
[[nodiscard]] Result<Estimate> estimate(const Algorithm& algorithm, const Instance& instance);

}  // namespace sassafras::validate::spt
