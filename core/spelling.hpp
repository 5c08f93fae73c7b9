// Which known name a wrong one was probably meant to be.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sassafras {

struct Suggestion {
    std::string name;
    bool unit_differs = false;  ///< same quantity, another unit suffix: "latency_ns" for "latency_cycles"
};

/// Insertions, deletions, substitutions and swaps of neighbours that turn one into the other (optimal string
/// alignment).
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// The known name that differs only in its unit suffix or in case, or else the nearest by spelling if it is near
/// enough, or else the only one that contains `wrong` (three characters at least).
[[nodiscard]] std::optional<Suggestion> suggest(std::string_view wrong, std::span<const std::string> known);

/// For the remedy of an error about an unknown name: `did you mean "merge"? there are gemm, merge, sort`. Of many names
/// only the first are listed.
[[nodiscard]] std::string name_one_of(std::string_view wrong, std::span<const std::string> known);

}  // namespace sassafras
