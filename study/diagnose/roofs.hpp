// How near each unit of the GPU is to what it can do.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "isa/sass/pipe.hpp"
#include "study/diagnose/figures.hpp"

namespace sassafras::study {

/// What kind of work a unit does: it decides which remedies can help.
enum class Side : std::uint8_t { memory, shared_memory, instructions };

struct Roof {
    std::string_view unit;  ///< "DRAM", "L1/texture", "FP64 pipe"
    Side side = Side::memory;
    double percent = 0;       ///< of its peak
    bool is_literal = false;  ///< one of the two that the thesis' decision looks at: instructions and DRAM
};

/// The pipe that a unit is; none if it is not one.
[[nodiscard]] std::optional<isa::Pipe> pipe_of_unit(std::string_view unit);

/// The units whose use is known, the nearest to its peak first.
[[nodiscard]] std::vector<Roof> roofs_of(const Counters& counters, const Figures& figures);

}  // namespace sassafras::study
