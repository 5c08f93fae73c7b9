// By which names of a profiler each quantity is known, and how its values are written.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "study/diagnose/counters.hpp"

namespace sassafras::study {

/// Values of one launch by the profiler's names, in its base units: nanoseconds, bytes, percent.
using NamedValues = std::map<std::string, double, std::less<>>;

/// "1,234", "88.5%", "3.2GB/s" and "Low (2)" as numbers: grouping is taken away, a level of nvprof's is ten percent of
/// the peak a step, the word alone the middle of its steps. None if it is no number.
[[nodiscard]] std::optional<double> counter_value(std::string_view text);

/// What a unit that a profiler writes beside a value is of the base unit: 1000 for "us", 1e9 for "Gbyte"; 1 for those
/// that it does not know.
[[nodiscard]] double unit_factor(std::string_view unit);

/// The quantities that these names give; where two sources give one, the first of the list.
[[nodiscard]] Counters counters_of(const NamedValues& values);

/// Whether any quantity has a source of this name.
[[nodiscard]] bool is_counter_name(std::string_view name);

}  // namespace sassafras::study
