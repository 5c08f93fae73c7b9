// Which Sassafras this is.
#pragma once

#include <string>

#include <sassafras/namespace.hpp>

namespace sassafras::SASSAFRAS_VERSIONED {
/// Of the library that the program runs with: "0.1.0 (4f9c0a1b2c3d)", or "0.1.0 (unknown)" where it was built
/// outside its repository; a + behind the commit says that files differed from it.
[[nodiscard]] std::string version();

}  // namespace sassafras::SASSAFRAS_VERSIONED
