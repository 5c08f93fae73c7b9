// A long run whose launches are timed in parts, each by a run of its own (--launches I/N), and put together again.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/result.hpp"

namespace sassafras::study::sweep {

/// Error bad_input if the command has no --launches, or has them already, or leaves caches warm between launches.
[[nodiscard]] Result<void> check_splits(const std::vector<std::string>& command);

/// The part `index` of `count`, as a command.
[[nodiscard]] std::vector<std::string> part_of(std::vector<std::string> command, std::uint64_t index,
                                               std::uint64_t count);

/// The report that the command without --launches writes, but for its times here, from those of all parts in their
/// order. Error bad_input if they do not have each launch once: the program did not do the same each time.
[[nodiscard]] Result<nlohmann::ordered_json> whole_report(std::vector<nlohmann::ordered_json> parts);

}  // namespace sassafras::study::sweep
