// What SMs ask of the memory system, and what it answers.
#pragma once

#include <cstdint>

#include "sim/access/line_updates.hpp"

namespace sassafras::sim {

enum class RequestKind : std::uint8_t { load, store, atomic, reduction };

/// Where the model keeps the local memory of warps: beyond every address of a program. Nothing translates it.
inline constexpr std::uint64_t local_memory_begin = std::uint64_t{1} << 48U;
/// The part of it below what a warp slot has: stacks that grow deeper than the launch could know.
inline constexpr std::uint64_t deep_local_memory_begin = std::uint64_t{3} << 48U;

struct MemoryRequest {
    std::uint64_t time = 0;  ///< cycle at which it leaves the SM
    std::uint64_t line = 0;  ///< address / L1 line bytes
    std::uint32_t sectors = 0;
    std::uint32_t token = 0;  ///< the SM's name for it, given back in the response
    std::uint32_t issue = 0;  ///< of requests of an SM and a cycle, the greater the later
    std::uint16_t sm = 0;
    std::uint16_t credit = 0;   ///< stores and reductions: the SM's name for the place that it takes
    std::uint16_t written = 0;  ///< stores: bytes; one that is written twice counts twice
    RequestKind kind = RequestKind::load;
    bool partial = false;      ///< stores: some bytes of the sectors are not written
    bool masked = false;       ///< stores: some bytes of the line are not written, and a mask comes along
    bool acknowledge = false;  ///< stores and reductions: the SM wants to know when L2 has them
    LineUpdates updates{};     ///< atomics and reductions
};

struct MemoryResponse {
    std::uint64_t time = 0;   ///< cycle at which its sectors come to the SM, if nothing else comes then
    std::uint64_t asked = 0;  ///< the request's time and issue
    std::uint32_t issue = 0;
    std::uint32_t token = 0;
    bool acknowledges = false;  ///< a store; no data came
};

/// L2 has taken a store or reduction: its place in the SM is free.
struct StoreDone {
    std::uint64_t time = 0;
    std::uint16_t credit = 0;
};

}  // namespace sassafras::sim
