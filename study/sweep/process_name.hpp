// What tells this process from all others that share a study's folder.
#pragma once

#include <string>

namespace sassafras::study::sweep {

/// As the machine calls itself.
[[nodiscard]] std::string host_name();
/// "HOST-PID".
[[nodiscard]] std::string process_name();

}  // namespace sassafras::study::sweep
