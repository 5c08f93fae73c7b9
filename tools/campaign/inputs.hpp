// What the campaign damages, and the command lines that read it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "core/result.hpp"
#include "tools/campaign/mutation.hpp"

namespace sassafras::campaign {

/// One damaged input on disk and what is run with it: a command line without the program's name, or, where no command
/// reads the format, a function that gives the exit status.
struct Trial {
    std::vector<std::string> command;
    std::function<int()> function;
};

struct Kind {
    std::string name;
    /// Writes a damaged input to `folder`, which is empty, by these random numbers and nothing else.
    std::function<Trial(const std::string& folder, SplitMix64& random)> make;
};

/// All kinds, with seeds of `root`, the repository's folder. `scratch` is for seeds that are made here by commands.
/// Error bad_input if a seed cannot be read or made.
[[nodiscard]] Result<std::vector<Kind>> all_kinds(const std::string& root, const std::string& scratch);

}  // namespace sassafras::campaign
