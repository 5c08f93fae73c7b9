// Files of one command line that get in one another's way.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "core/result.hpp"

namespace sassafras::cli {

/// Error bad_input if a file that the chosen command is to write is another of its files, or would lie in a folder that
/// it names, as that of a trace; or of those that are `run`: a user's program and what it is given.
[[nodiscard]] std::optional<Error> find_output_clash(const CLI::App& app, const std::vector<std::string>& run = {});

}  // namespace sassafras::cli
