// Which runs are compared.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "validate/records/recorded_run.hpp"
#include "workloads/workload.hpp"

namespace sassafras::validate {

/// A run of a workload with its default input and seed.
struct Case {
    std::string workload;
    std::string variant;  ///< may carry options, as in a record: mgpu+E=15+b=128+input=sorted
    std::uint64_t n = 0;

    bool operator==(const Case&) const = default;
};

/// Sizes of a variant that are recorded; for one that is not, the workload's default.
enum class Sizes : std::uint8_t { smallest, medium, all };

struct CaseChoice {
    std::vector<std::string> workloads;  ///< empty: all but `micro`, from which the instances themselves come
    std::vector<std::string> variants;   ///< empty: all; those with options too, unless `sizes` is smallest
    std::vector<std::uint64_t> n;        ///< in place of recorded sizes; empty: as `sizes` says
    Sizes sizes = Sizes::medium;         ///< medium: the middle one, the lower of two
    bool theses_only = false;            ///< only those of in_theses()
};

/// The algorithms of the theses: GEMM (MAGMA's), six searches, three sorts, three merges.
[[nodiscard]] bool in_theses(const Case& one);

/// In the order of workloads::list(), variants and sizes; each case once. `recorded` says which sizes there are.
/// Errors: bad_input for a workload or variant that there is not, or if nothing is chosen.
[[nodiscard]] Result<std::vector<Case>> choose_cases(const CaseChoice& choice, std::span<const RecordedRun> recorded);

/// What to run. Errors as validate::request_of has them.
[[nodiscard]] Result<workloads::WorkloadRequest> request_of(const Case& one);

}  // namespace sassafras::validate
