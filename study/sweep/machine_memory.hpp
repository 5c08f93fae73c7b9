// How much memory runs may take together on this machine.
#pragma once

#include <cstdint>

namespace sassafras::study::sweep {

/// Bytes that new processes can have now without the machine swapping, or less where this one's control group may have
/// less; 2^64 - 1 if nothing says how many.
[[nodiscard]] std::uint64_t available_memory();

}  // namespace sassafras::study::sweep
