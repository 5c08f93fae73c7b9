// Bounds that models prove of a problem, whatever the algorithm: they need its size and the machine's, no run.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "validate/models/rivals/compare.hpp"
#include "validate/models/spt/instance.hpp"
#include "workloads/selection.hpp"

namespace sassafras::validate::rivals {

/// The bounds' names: "pem-bound", ...
[[nodiscard]] std::vector<std::string> bound_names();

/// Those that there are for the workload, with constants 1: P / w processors with blocks of w words (PEM), cores with
/// warp-wide multiprocessors (AGPU). A search's is of one query.
[[nodiscard]] std::vector<RivalEstimate> bounds_of(const std::string& workload, const workloads::Selection& selection,
                                                   const spt::Instance& instance);

}  // namespace sassafras::validate::rivals
