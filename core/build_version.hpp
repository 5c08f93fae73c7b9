// Which Sassafras this is. Made anew by each build (cmake/build_version.cmake), and linked only by what says it.
#pragma once

#include <string>

namespace sassafras {

/// "0.1.0 (4f9c0a1b2c3d)": version and commit, a + behind it if files differed from it; "0.1.0 (unknown)" where the
/// sources are in no repository of theirs.
[[nodiscard]] std::string build_version();

}  // namespace sassafras
