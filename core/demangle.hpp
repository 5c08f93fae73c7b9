// Names of C++ functions as people read them.
#pragma once

#include <string>

namespace sassafras {

/// "void saxpy<float>(int, float const*)" for the mangled name of that function, as c++filt prints it. What is no
/// mangled name, as that of an extern "C" kernel, stays as it is; so does one made to come to
/// more than memory holds, and one of more than 4096 characters.
[[nodiscard]] std::string demangled(const std::string& name);

/// Of the function of that mangled name, its own alone: without namespaces, arguments of templates, result and
/// parameters. "saxpy" for the one above. What is no mangled name stays as it is.
[[nodiscard]] std::string function_name(const std::string& name);

}  // namespace sassafras
