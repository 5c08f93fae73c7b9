// The subcommands. Each adds itself to the program and leaves what it does in `chosen`, which main runs after parsing.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/options/console.hpp"
#include "core/result.hpp"

namespace sassafras::cli {

/// Runs a command; the value is the exit status (0, or 1 where the result is wrong).
using Action = std::function<Result<int>()>;

struct Program {
    std::vector<std::string> arguments;  ///< without the program's name
    /// What stands behind the first "--": a program of the user's and its arguments. A command that takes one moves it
    /// away.
    std::vector<std::string> user_program;
    Action chosen;
    std::function<Result<void>()> check;          ///< what parsing leaves to `chosen` of the command line; may be empty
    const Console* console = &process_console();  ///< outlives the program
};

/// A command's file defines `void add_NAME(CLI::App&, Program&)`; what declares it is made of command_list.txt.
using AddCommand = void (*)(CLI::App& app, Program& program);

}  // namespace sassafras::cli
