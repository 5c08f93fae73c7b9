// How much address space a simulated memory may take where the process may not have all it likes (ulimit -v, ulimit
// -d).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/result.hpp"

namespace sassafras::sim {

/// `wanted` bytes, or half of what is left to the process if that is less: the other half is for the simulator.
[[nodiscard]] std::uint64_t affordable_space(std::uint64_t wanted);

/// `threads`, or as many as have their stacks in a quarter of what is left to the process. From then on, where there is
/// a limit, threads share one heap: glibc would reserve 128 MiB of addresses for each.
[[nodiscard]] std::uint32_t prepare_threads(std::uint32_t threads);

/// A limit on the memory of this process.
struct SpaceLimit {
    const char* what = nullptr;    ///< "the address space of this process"
    const char* option = nullptr;  ///< of the shell's ulimit: "-v"
    std::uint64_t bytes = 0;
    std::uint64_t left = 0;  ///< bytes that the process does not have yet

    /// As errors say it: "the address space of this process is limited to 100,000 KiB by ulimit -v".
    [[nodiscard]] std::string text() const;
};

/// The limit that leaves the process least; empty if it has none. Takes no memory: there may be none when it is asked.
[[nodiscard]] std::optional<SpaceLimit> space_limit() noexcept;

/// space_limit()'s text, or nothing.
[[nodiscard]] std::string space_limit_text();

/// Error bad_input of an allocation that finds no room, in bytes: names the limit if that is what leaves so little.
[[nodiscard]] Error out_of_device_memory(std::uint64_t wanted, std::uint64_t free, std::uint64_t capacity);

}  // namespace sassafras::sim
