// validate/records/comparators/simulated.csv, which the build puts into the program.
#pragma once

#include <span>
#include <string_view>

namespace sassafras::validate {

struct EmbeddedComparators {
    std::string_view name;  ///< of the file, from the source tree's root
    std::string_view rows;  ///< its text
};

/// One file.
[[nodiscard]] std::span<const EmbeddedComparators> embedded_comparators();

}  // namespace sassafras::validate
