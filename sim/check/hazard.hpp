// Two accesses to the same memory that nothing orders.
#pragma once

#include <cstdint>

namespace sassafras::sim {

/// Compute-sanitizer's names: what came later, after what came earlier.
enum class HazardKind : std::uint8_t { read_after_write, write_after_read, write_after_write };

struct HazardSide {
    std::uint32_t instruction = 0;  ///< index
    std::uint32_t thread = 0;       ///< in its block
    std::uint32_t block = 0;        ///< the grid's number of the block, modulo 2^32
    bool atomic = false;
};

struct Hazard {
    HazardKind kind{};
    bool shared = false;  ///< memory
    bool copy = false;    ///< the earlier access is a cp.async that nobody has waited for
    std::uint64_t address = 0;
    std::uint32_t bytes = 0;
    HazardSide earlier;
    HazardSide later;
};

/// A read of shared memory that nothing has written.
struct UninitialisedRead {
    std::uint32_t instruction = 0;
    std::uint32_t thread = 0;
    std::uint32_t block = 0;
    std::uint32_t address = 0;  ///< shared
    std::uint32_t bytes = 0;    ///< of the access
    std::uint32_t missing = 0;  ///< bit k: its bytes 4 k to 4 k + 3
    bool is_partial = false;    ///< others of its bytes are written
};

/// Where shadows put what they find.
class HazardSink {
  public:
    HazardSink() = default;
    HazardSink(const HazardSink&) = delete;
    HazardSink& operator=(const HazardSink&) = delete;
    virtual ~HazardSink() = default;
    virtual void hazard(const Hazard& hazard) = 0;
    virtual void uninitialised(const UninitialisedRead& read) = 0;
};

/// One memory instruction of a warp, on one kind of memory.
struct WarpAccess {
    enum class Kind : std::uint8_t { read, write, atomic, copy };  ///< copy: cp.async to shared memory
    Kind kind = Kind::read;
    bool strong = false;  ///< volatile, relaxed, ...: does not race with another strong access. Atomics are strong.
    std::uint32_t instruction = 0;
    std::uint32_t block = 0;
    std::uint32_t warp = 0;
    std::uint32_t lanes = 0;
    std::uint32_t width = 0;                 ///< bytes a lane
    const std::uint64_t* address = nullptr;  ///< of each lane
    const std::uint32_t* stored = nullptr;   ///< word w of lane l is stored[32 * w + l]; null where it is not known
};

[[nodiscard]] inline std::uint32_t differing_bytes(std::uint32_t a, std::uint32_t b) {
    std::uint32_t count = 0;
    for (std::uint32_t rest = a ^ b; rest != 0; rest >>= 8U) count += (rest & 0xffU) != 0 ? 1U : 0U;
    return count;
}

/// Bytes [offset, offset + bytes) of what a lane stores, 1, 2 or 4 of them.
[[nodiscard]] inline std::uint32_t stored_value(const std::uint32_t* stored, std::uint32_t lane, std::uint32_t offset,
                                                std::uint32_t bytes) {
    const std::uint32_t word = stored[std::uint64_t{offset / 4} * 32 + lane] >> (offset % 4 * 8);
    return bytes == 4 ? word : word & ((1U << (bytes * 8)) - 1U);
}

}  // namespace sassafras::sim
