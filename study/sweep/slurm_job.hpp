// A study as a job array of Slurm: a shard an element. An element that is put back into the queue goes on with the runs
// that have no result.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace sassafras::study::sweep {

struct SlurmOptions {
    std::string program;  ///< path of this program, on all nodes
    std::string study;    ///< the study's folder, which all nodes share
    std::uint64_t shards = 1;
    std::uint32_t jobs = 1;  ///< runs at a time of a shard, each with a processor
    std::string account;     ///< these four as sbatch has them; empty: its own choice
    std::string partition;
    std::string time;
    std::string memory;
    std::string script_template;    ///< text in place of default_template(); empty: that
    std::vector<std::string> more;  ///< options of sbatch
    bool again = false;             ///< also runs that failed
    std::uint32_t timeout = 0;      ///< seconds of a run; 0: no limit
    bool wait = false;              ///< until all of it has ended
};

/// A batch script with {array}, {cpus}, {mem}, {account}, {partition}, {time}, {shards} and {command} in it, for what
/// is chosen.
[[nodiscard]] std::string_view default_template();
/// What sbatch gets: the template filled in. Lines of #SBATCH that name what was not chosen are left out; {{x}} is {x}.
/// Error bad_input: a name that there is not, or no {array} or {command}.
[[nodiscard]] Result<std::string> batch_script(const SlurmOptions& options);
/// Submits it, and waits as output_of() does; the job's number. Errors: bad_input, there is no sbatch, it refuses, or,
/// waited for, elements failed.
[[nodiscard]] Result<std::string> submit(const SlurmOptions& options, const std::function<void()>& poll);

}  // namespace sassafras::study::sweep
