// Errors of usage, in the form of all others: what is wrong, and the nearest that is right.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "core/result.hpp"

namespace sassafras::cli {

/// An error unless the command line begins with a known command or asks for help or the version. `arguments` is without
/// the program's name.
[[nodiscard]] std::optional<Error> check_command(const CLI::App& app, const std::vector<std::string>& arguments);

/// What parsing failed with. For an unknown option the remedy names the nearest of the command's.
[[nodiscard]] Error usage_error(const CLI::App& app, const CLI::ParseError& failure);

/// "run", "trace capture": the command's name behind those that it is a part of.
[[nodiscard]] std::string command_path(const CLI::App& command);

/// The command that was parsed, the innermost.
[[nodiscard]] const CLI::App& chosen_command(const CLI::App& app);

/// Every option of a command with its dashes.
[[nodiscard]] std::vector<std::string> option_names(const CLI::App& command);

}  // namespace sassafras::cli
