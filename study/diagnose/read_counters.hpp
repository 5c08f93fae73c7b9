// Counters out of a file, as profilers write them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "study/diagnose/counter_names.hpp"
#include "study/diagnose/counters.hpp"

namespace sassafras::study {

inline constexpr std::uint64_t most_counter_bytes = std::uint64_t{64} << 20U;

/// One launch as the file has it: its kernel and the values under the profiler's names.
struct NamedLaunch {
    std::string kernel;
    NamedValues values;
};

/// The launches of a file, told apart by what stands in it:
///   - JSON: what `sassafras run --json` writes, or one object of names and numbers;
///   - CSV of Nsight Compute, pages raw (a row a launch, units below the names) and details (a row a metric);
///   - CSV of nvprof, events or metrics: the average of each kernel's launches, as one;
///   - otherwise rows of a name and a value, and perhaps a unit, all of one launch.
/// Lines that begin with "==" (a profiler's own words) or "#" are left out. Error bad_input: it cannot be read, is
/// longer than `most_counter_bytes`, or has no launch with a number.
[[nodiscard]] Result<std::vector<NamedLaunch>> read_launches(const std::string& path);
[[nodiscard]] Result<std::vector<NamedLaunch>> launches_in(std::string_view text, const std::string& origin);

/// Launches by kernel. Error bad_input if no quantity can be made of any of them.
[[nodiscard]] Result<std::vector<CountedKernel>> counted_kernels(const std::vector<NamedLaunch>& launches,
                                                                 const std::string& origin);

}  // namespace sassafras::study
