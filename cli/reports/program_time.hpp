// How a program's simulated time is made up: what each part of the GPU's work takes, and what passes for the host.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "cudart/protocol/timeline_record.hpp"

namespace sassafras::cli {

/// Of what one process, or all together, put on the timeline. Each moment up to the end of the last work belongs to one
/// part: kernels, if one runs; else copies, else sets, else events; else it is idle. Nanoseconds.
struct ProgramTime {
    struct Part {
        double alone = 0;         ///< in which nothing of the parts before runs: these add up
        double together = 0;      ///< of each piece of work, added up
        std::uint64_t count = 0;  ///< pieces of work
    };
    std::array<Part, 4> parts;  ///< by TimelineEntry::Kind: kernel, copy, set, event
    double idle = 0;
    double total = 0;
    double host_waits = 0;
    double host_copies = 0;
    double host_asks = 0;

    void add(const ProgramTime& other);
};

/// By process.
[[nodiscard]] std::vector<ProgramTime> program_times(const std::vector<cudart::TimelineEntry>& timeline);
[[nodiscard]] ProgramTime sum_of(const std::vector<ProgramTime>& times);

/// A table for people; empty if nothing took time.
[[nodiscard]] std::string to_table(const std::vector<ProgramTime>& times);

/// The parts, the host, and copies, sets: at most `most_transfers` of these, and how many are left out.
[[nodiscard]] nlohmann::ordered_json time_json(const std::vector<cudart::TimelineEntry>& timeline,
                                               std::size_t most_transfers);

}  // namespace sassafras::cli
