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

inline constexpr const char* runtime_library_name = "libcudart.so.13";
/// The library of that name that programs of CUDA get: beside the program in a build folder, or where an installation
/// has it; or the same beside a library in python/sassafras or lib/python3/dist-packages/sassafras. Empty if it was not
/// built.
[[nodiscard]] std::filesystem::path runtime_library();

}  // namespace sassafras::cli
