// Errors of usage, in the form of all others: what is wrong, and the nearest that is right.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "core/result.hpp"

namespace sassafras::cli {

/// An error unless the command line begins with a known command or asks for help or the version. `arguments` is without
/// the program's name.
[[nodiscard]] std::optional<Error> check_command(const CLI::App& app, const std::vector<std::string>& arguments);

/// What parsing failed with. For an unknown option the remedy names the nearest of the command's; for a program that
/// `exec` is to run it is the command line to write. `arguments` as above.
[[nodiscard]] Error usage_error(const CLI::App& app, const CLI::ParseError& failure,
                                const std::vector<std::string>& arguments);

/// A program that is to be run stands among the options: the remedy is the command line to write, as a shell takes it.
/// Of words that are spelled as `program`, the last `count` are it and its arguments.
[[nodiscard]] Error not_behind_dashes(const std::vector<std::string>& arguments, const std::string& program,
                                      std::ptrdiff_t count = 1);

/// "run", "trace capture": the command's name behind those that it is a part of.
[[nodiscard]] std::string command_path(const CLI::App& command);

/// The command that was parsed, the innermost.
[[nodiscard]] const CLI::App& chosen_command(const CLI::App& app);

/// Every option of a command with its dashes.
[[nodiscard]] std::vector<std::string> option_names(const CLI::App& command);

}  // namespace sassafras::cli
