// A study by the ranks of MPI: each has a shard. Nothing is sent between them, so no MPI library is needed; what starts
// them says who they are.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "core/result.hpp"
#include "study/sweep/study_folder.hpp"

namespace sassafras::study::sweep {

/// Which rank this process is and of how many: by the variables that Open MPI and MPICH (PMI) set. Empty
/// if none did.
[[nodiscard]] std::optional<Shard> own_rank();

/// Starts `program` on the study with mpirun, as so many ranks, and waits for them, as output_of() does; `timeout` as
/// --timeout, 0 for none. Errors:
/// bad_input, there is no mpirun; check_failed, it failed.
[[nodiscard]] Result<void> run_ranks(const std::string& program, const std::string& study, std::uint64_t ranks,
                                     bool again, std::uint32_t timeout, const std::function<void()>& poll);

}  // namespace sassafras::study::sweep
