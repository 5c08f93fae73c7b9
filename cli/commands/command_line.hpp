// The whole command line as a function: what main calls, and what tools call that try many command lines.
#pragma once

namespace sassafras::cli {

/// Parses, runs and reports; gives the exit status. Standard output is flushed. Never throws.
[[nodiscard]] int run_command_line(int argc, char** argv);

}  // namespace sassafras::cli
