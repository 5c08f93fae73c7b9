// Turns a user's request into a full choice: variant, size, input and every parameter.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>

#include "core/result.hpp"
#include "workloads/workload.hpp"

namespace sassafras::workloads {

struct Selection {
    std::string variant;
    std::uint64_t n = 0;
    std::string input;
    std::uint64_t seed = 0;
    std::map<std::string, std::int64_t> parameters;  ///< all but those without a default that were not set

    [[nodiscard]] std::int64_t parameter(const std::string& name) const { return parameters.at(name); }
    /// The parameter, or `otherwise` if it was not set; records the choice.
    std::int64_t parameter_or(const std::string& name, std::int64_t otherwise) {
        return parameters.try_emplace(name, otherwise).first->second;
    }
};

/// What a request is held to: what there are kernels for, or nothing but that a size is a size. A formula knows no
/// kernels.
enum class Limits : std::uint8_t { of_kernels, none };

/// Error bad_input names what is wrong and lists what is possible.
[[nodiscard]] Result<Selection> select(const WorkloadInfo& info, const WorkloadRequest& request,
                                       Limits limits = Limits::of_kernels);

/// Error bad_input if one of these was set: the selected variant does not have them.
[[nodiscard]] Result<void> refuse_parameters(const Selection& selection, std::initializer_list<const char*> names,
                                             const std::string& workload);

/// Error bad_input if the workload takes no numbers of a user's own; the remedy lists those that do.
[[nodiscard]] Result<void> check_own_input(const WorkloadInfo& info);
/// Error bad_input unless as many numbers are given as are needed; `layout` says how they follow one another.
[[nodiscard]] Result<void> check_own_count(const std::string& workload, std::uint64_t given, std::uint64_t wanted,
                                           const std::string& layout);

/// The run's record, still to be verified.
[[nodiscard]] WorkloadRun start_run(const WorkloadInfo& info, const Selection& selection);

}  // namespace sassafras::workloads
