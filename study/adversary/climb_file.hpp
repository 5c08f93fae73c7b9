// A climb's state as a JSON file, to continue it later.
#pragma once

#include <string>

#include "core/result.hpp"
#include "study/adversary/hill_climb.hpp"

namespace sassafras::study::adversary {

/// Replaces the file in one step: it is never seen half-written. `question` says what is searched for. Error bad_input
/// if it cannot be written.
[[nodiscard]] Result<void> write_climb(const std::string& path, const std::string& question, const ClimbState& state);

/// Error bad_input: it is no file or cannot be read; it is damaged (every fault with its JSON pointer); or it belongs
/// to another question, or to one of another size than `count` numbers up to `greatest`. What it says of values and
/// numbers is not to be trusted: see HillClimb::correct and reachable.
[[nodiscard]] Result<ClimbState> read_climb(const std::string& path, const std::string& question, std::uint64_t count,
                                            std::uint64_t greatest = 0xffffffff);

}  // namespace sassafras::study::adversary
