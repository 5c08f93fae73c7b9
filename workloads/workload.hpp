// The workloads: what there is, and running one on any Device with its result checked against a CPU reference.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.hpp"
#include "sim/device/device.hpp"
#include "workloads/host_poll.hpp"
#include "workloads/phase_rule.hpp"

namespace sassafras::workloads {

/// A number a user can set (`--E 15`), with its paper's name.
struct ParameterInfo {
    std::string name;
    std::string description;
    std::int64_t least = 0;
    std::int64_t greatest = 0;
    std::optional<std::int64_t> otherwise;  ///< value if not set; none: the variant fixes it, or it follows from n
};

/// One compiled form of a workload's kernels.
struct VariantInfo {
    std::string name;
    std::vector<std::pair<std::string, std::int64_t>>
        fixed;  ///< parameters compiled into it; setting one of them also selects the variant
};

/// What a workload takes a user's own numbers for.
enum class OwnNumbers : std::uint8_t {
    keys,    ///< only their order matters: numbers of any type are mapped to unsigned ones in the same order
    words,   ///< integers, taken as their bits
    floats,  ///< of 32 bits
};

struct WorkloadInfo {
    std::string name;
    std::string description;
    std::string size_description;  ///< what n counts
    std::uint64_t default_n = 0;
    std::uint64_t greatest_n = 0;
    std::vector<VariantInfo> variants;  ///< the first is the default
    std::vector<std::string> inputs;    ///< the first is the default
    std::string own_input;              ///< what a user's own numbers are to it; empty: it takes none
    OwnNumbers own_numbers = OwnNumbers::keys;
    bool own_wide = false;           ///< it takes numbers of 64 bits, too
    std::uint64_t greatest_own = 0;  ///< most numbers of one's own; 0: n counts them, so as many as n may be
    /// n of so many numbers of one's own if it was not given, where n does not count them; by the parameters that were.
    /// Error bad_input: there is none, or not all parameters that it needs were given.
    Result<std::uint64_t> (*n_of_own)(std::uint64_t count,
                                      const std::map<std::string, std::int64_t>& parameters) = nullptr;
    std::vector<ParameterInfo> parameters;
};

/// How far a run has come that tries many shapes of its launch.
struct TuneProgress {
    std::size_t tried = 0;
    std::size_t all = 0;
    std::string trying;  ///< "blocks 64, b 256, S 12288"; empty once all are tried
    std::string best;    ///< of those tried, with what it cost; empty at first
};

/// Empty fields mean the default.
struct WorkloadRequest {
    std::string name;
    std::string variant;
    std::optional<std::uint64_t> n;
    std::string input;
    std::uint64_t seed = 1;
    std::map<std::string, std::int64_t> parameters;
    /// A user's own numbers in place of a generated input, if the workload's own_input says what they are: keys, words
    /// or the bits of floats. n is then their count, or (where there is n_of_own) follows from it.
    std::optional<std::vector<std::uint32_t>> keys;
    std::optional<std::vector<std::uint64_t>> wide_keys;  ///< the same, of 64 bits (own_wide)
    /// Called before each shape of a run that tries many, and once after the last.
    std::function<void(const TuneProgress&)> tuning = {};
    HostPoll poll = {};  ///< while inputs are made and results are checked

    void poll_if_asked() const {
        if (poll) poll();
    }
};

struct WorkloadRun {
    std::string name;
    std::string variant;
    std::uint64_t n = 0;
    std::string input;  ///< "given" for a user's own keys
    std::uint64_t seed = 0;
    std::vector<std::pair<std::string, std::int64_t>> parameters;  ///< all of them, resolved, by name
    bool verified = false;                                         ///< every bit equals the CPU reference's
    std::string mismatch;                                          ///< where the first difference is; empty if verified
};

[[nodiscard]] std::vector<WorkloadInfo> list();

/// Error bad_input for an unknown name; the remedy lists what there is.
[[nodiscard]] Result<WorkloadInfo> find(const std::string& name);

/// What the shared-memory accesses of a workload's kernels are for; empty if there is no such workload.
[[nodiscard]] std::span<const PhaseRule> phases_of(std::string_view workload);

/// Runs the workload; its launches are appended to device.results(). Errors: bad_input for an unknown name, variant,
/// input or parameter or a value out of range (the remedy lists what there is), or whatever the device reports. A wrong
/// result is no Error: see `verified`.
[[nodiscard]] Result<WorkloadRun> run_workload(sim::Device& device, const WorkloadRequest& request);

/// For a run that is not verified.
[[nodiscard]] Error wrong_result(const WorkloadRun& run);

}  // namespace sassafras::workloads
