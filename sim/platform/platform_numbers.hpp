// The numbers of a platform by their JSON pointers: to read one, or to try another in its place. Lists and choices are
// no numbers and are not here.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "sim/platform/platform.hpp"

namespace sassafras::sim {

struct PlatformNumber {
    std::string pointer;  ///< "/lsu/l1_ways"
    double value = 0;
    bool integer = false;  ///< only whole values are allowed
    double least = 0;      ///< that the platform format allows
    double greatest = 0;
};

/// All of them, limits included, in the order of Platform::visit.
[[nodiscard]] std::vector<PlatformNumber> platform_numbers(const Platform& platform);

/// Empty if no number has this pointer.
[[nodiscard]] std::optional<PlatformNumber> number_at(const Platform& platform, std::string_view pointer);

/// Gives the number at `pointer` this value. Error bad_input, and nothing changed, if there is no such number, if the
/// value is not in its range or not whole where it has to be, or if it breaks a relation to the others
/// (broken_constraints).
[[nodiscard]] Result<void> set_number(Platform& platform, std::string_view pointer, double value);

}  // namespace sassafras::sim
