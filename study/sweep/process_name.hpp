// What tells this process from all others that share a study's folder.
#pragma once

#include <string>

namespace sassafras::study::sweep {

/// "HOST-PID-DIGITS", another one each time: containers may have the host's name and the number in common, so that only
/// the random digits tell. It has no dot and is never part of a result.
[[nodiscard]] std::string process_name();

}  // namespace sassafras::study::sweep
