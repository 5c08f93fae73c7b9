// How reports name a kernel.
#pragma once

#include <limits>
#include <string>

#include <nlohmann/json.hpp>

#include "core/demangle.hpp"
#include "core/printable.hpp"

namespace sassafras::cli {

/// For people: demangled, as Nsight Compute prints it. It comes from a file, so what is no printable ASCII is shown as
/// \xNN.
[[nodiscard]] inline std::string kernel_name(const std::string& mangled) {
    return printable(demangled(mangled), std::numeric_limits<std::size_t>::max());
}

/// An object that begins with the mangled name under `key`, and has the demangled one behind it if that is another.
[[nodiscard]] inline nlohmann::ordered_json named_kernel(const char* key, const std::string& mangled) {
    nlohmann::ordered_json json{{key, mangled}};
    if (std::string readable = demangled(mangled); readable != mangled) json["demangled"] = std::move(readable);
    return json;
}

}  // namespace sassafras::cli
