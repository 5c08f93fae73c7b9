// The file of a CUDA program, looked at before it runs and when it did not do what was expected.
#pragma once

#include <string>
#include <vector>

#include "core/result.hpp"

namespace sassafras::cli {

/// Error bad_input if the runtime of `program` (found as a shell finds it) cannot be replaced: it is inside, or of
/// another version. What cannot be read, or is no ELF file, passes: starting it says why, and a script may start one.
[[nodiscard]] Result<void> check_program_file(const std::string& program);

/// Files that may be of a command: what is run, where a shell finds it, and all that its arguments name.
[[nodiscard]] std::vector<std::string> files_of_program(const std::vector<std::string>& program);

/// It ended with `exit_status` and had not called the runtime library: why that may be, by its file.
[[nodiscard]] Error never_called(const std::string& program, int exit_status);

}  // namespace sassafras::cli
