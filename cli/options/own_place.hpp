// Where this code lies: in the program, or in a library that somebody else's program has loaded, as Python does.
#pragma once

#include <filesystem>
#include <string>

#include "core/result.hpp"

namespace sassafras::cli {

/// The program's file, or the library's. Empty if the system does not say it.
[[nodiscard]] std::filesystem::path own_file();
/// The program, to be started again: this one, or the one beside the library. Error bad_input if it is not there.
[[nodiscard]] Result<std::string> own_program();

}  // namespace sassafras::cli
