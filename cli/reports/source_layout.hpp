// Lines and instructions of the source view as a table of a width.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/device/device.hpp"

namespace sassafras::cli {

/// Of an instruction, or of all of a line.
struct Heat {
    std::uint64_t executed = 0;
    std::uint64_t threads = 0;
    std::uint64_t wavefronts = 0;
    std::uint64_t wavefronts_over = 0;
    std::uint64_t sectors = 0;
    std::uint64_t sectors_over = 0;
    std::uint64_t cycles = 0;
    sim::StallCycles stalls{};

    void add(const sim::SourceRow& row);
    [[nodiscard]] bool is_hotter(const Heat& other) const {
        return cycles != other.cycles ? cycles > other.cycles : executed > other.executed;
    }
};

struct SourceLine {
    std::string place;  ///< "file:line", or an instruction's address
    std::string text;
    Heat heat;
};

/// At most `columns` wide, as far as that goes: what is 0 in all rows is left out, then numbers are shortened, then
/// rarer reasons to wait go, then the text loses its end. `all_cycles` are those of all lines.
[[nodiscard]] std::string laid_out(const std::vector<SourceLine>& lines, double all_cycles, std::size_t columns);

}  // namespace sassafras::cli
