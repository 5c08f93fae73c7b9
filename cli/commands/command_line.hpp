// The whole command line as a function: what main calls, and what tools call that try many command lines.
#pragma once

#include <string>
#include <vector>

#include "cli/options/console.hpp"
#include "core/result.hpp"

namespace sassafras::cli {

/// Parses, runs and reports; gives the exit status. Standard output is flushed. Never throws.
[[nodiscard]] int run_command_line(int argc, char** argv);

/// Whether the words would be taken as a command, behind which what `sweep` adds is put: parsed, names of workloads and
/// their parameters looked up, and nothing run or written. Error bad_input, as the command itself would give it.
[[nodiscard]] Result<void> check_command_line(const std::vector<std::string>& words);

/// One command, its words without the program's name, for a program that is the console: what the command says and
/// computes goes there, and the exit status or the error is the value. Files and child processes apart, nothing of the
/// process is touched. Throws what the console's poll() throws, and what run_command_line calls an internal error.
[[nodiscard]] Result<int> run_command(const std::vector<std::string>& words, const Console& console);

}  // namespace sassafras::cli
