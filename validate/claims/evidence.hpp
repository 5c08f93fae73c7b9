// What the tests of claims rest on: runs on modelled GPUs, and what an H200 took. Values only, so that tests can be
// given made-up ones.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "validate/models/profile/kernel_profile.hpp"
#include "validate/models/spt/curves.hpp"
#include "validate/records/comparator_runs.hpp"
#include "validate/records/recorded_run.hpp"

namespace sassafras::validate::claims {

using Parameters = std::vector<std::pair<std::string, std::int64_t>>;

/// How a run is made.
enum class RunKind : std::uint8_t {
    simulated,
    conflicts,  ///< functional, with bank conflicts counted by phase
    counted,    ///< functional, with each launch's counts
    curves,     ///< the microbenchmarks of the SPT model, simulated; a run without a workload
    curve_ends  ///< the same, only the ends of each curve
};

struct RunSpec {
    std::string platform;
    std::string workload;
    std::string variant;
    std::uint64_t n = 0;
    Parameters parameters{};
    std::string input{};  ///< a kind of the workload's; "worst": constructed, of sorts; empty: the default
    RunKind kind = RunKind::simulated;

    /// What names the run in evidence and in errors.
    [[nodiscard]] std::string key() const;
    /// The same run elsewhere.
    [[nodiscard]] RunSpec on(std::string_view other_platform) const;
};

/// Requests to shared memory, and what they cost.
struct SharedRequests {
    double requests = 0;
    double wavefronts = 0;

    [[nodiscard]] double beta() const { return requests > 0 ? wavefronts / requests : 0; }
};

struct LaunchTime {
    std::string kernel;
    double cycles = 0;
};

struct RunResult {
    double cycles = 0;  ///< sum over launches of sm__cycles_elapsed.max
    std::vector<LaunchTime> launches;
    /// Of runs that count conflicts: mean accesses a request of what chapter 7 of Karsin's thesis calls partitioning
    /// and merging.
    double partitioning_beta = 0;
    double merging_beta = 0;
    std::map<std::string, SharedRequests> phases{};  ///< of runs that count conflicts: "part: phase"
    std::vector<KernelProfile> profiles{};           ///< of counted runs: a launch each
    std::map<std::string, double> instructions{};    ///< of counted runs: warp instructions by operation, "FFMA"
    spt::Curves curves{};                            ///< of runs of that kind
};

struct Evidence {
    std::map<std::string, RunResult> runs;   ///< by RunSpec::key()
    std::map<std::string, double> recorded;  ///< cycles by recorded_key()
    std::vector<ComparatorRun> comparators{};

    /// Throws InvariantViolation if the run is not there: a test did not say that it needs it.
    [[nodiscard]] const RunResult& run(const RunSpec& spec) const;
    [[nodiscard]] double cycles(const RunSpec& spec) const { return run(spec).cycles; }
    [[nodiscard]] double recorded_cycles(const std::string& workload, const std::string& variant,
                                         std::uint64_t n) const;
    /// The sorts of n keys that were run on the platform, with their cycles. Throws InvariantViolation if none was.
    [[nodiscard]] std::map<std::string, double> sorts_of(const std::string& platform, std::uint64_t n) const;
};

[[nodiscard]] std::string recorded_key(const std::string& workload, const std::string& variant, std::uint64_t n);

/// By recorded_key().
[[nodiscard]] std::map<std::string, double> recorded_cycles_of(std::span<const RecordedRun> runs);

}  // namespace sassafras::validate::claims
