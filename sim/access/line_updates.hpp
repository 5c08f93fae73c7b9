// What the atomics of one instruction on a line cost L2.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "sim/access/access_analysis.hpp"

namespace sassafras::sim {

/// L1 sends L2 the lanes that update one word one after the other: of a line as many requests as its fullest word has
/// lanes, each with the sectors that still have lanes then (lts__t_requests_srcunit_tex and lts__t_sectors_op_red of
/// validate/records/h200/probes/reductions.csv).
struct LineUpdates {
    std::uint8_t requests = 1;
    std::uint8_t whole_sectors = 0;    ///< of all requests: sectors of which every byte is updated
    std::uint8_t partial_sectors = 0;  ///< and of which some bytes are not
    std::uint8_t operands = 1;         ///< that a lane sends for each of its words: 2 of CAS

    [[nodiscard]] std::uint32_t sectors() const { return std::uint32_t{whole_sectors} + partial_sectors; }
    /// Sectors' worth of operands. Those of a sector of which some bytes are updated fit into one.
    [[nodiscard]] std::uint32_t sent() const { return std::uint32_t{whole_sectors} * operands + partial_sectors; }
    /// Masks that leave an SM beside them, of a sector's size: a request with a whole sector has one,
    /// others' data and mask fit together (l2_atomics.csv, one SM: a word every cycle, a whole sector every 2.1 to 2.9,
    /// four every 4.6 to 6.5).
    [[nodiscard]] std::uint32_t masks() const { return std::min(requests, whole_sectors); }
};

/// The updates of each of `lines`, which are those of `access`, of `width` bytes a lane, by global_lines(). A lane
/// sends `operands` of them: 1, or 2 of CAS.
void line_updates(const AccessRecord& access, std::uint32_t width, std::uint8_t operands, LineGeometry geometry,
                  const GlobalAccess& lines, std::array<LineUpdates, 64>& out);

}  // namespace sassafras::sim
