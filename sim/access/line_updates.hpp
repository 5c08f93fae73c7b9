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

    [[nodiscard]] std::uint32_t sectors() const { return std::uint32_t{whole_sectors} + partial_sectors; }
    /// Masks that leave an SM beside the sectors' data, of the same size: a request with a whole sector has one,
    /// others' data and mask fit together (l2_atomics.csv, one SM: a word every cycle, a whole sector every 2.1 to 2.9,
    /// four every 4.6 to 6.5).
    [[nodiscard]] std::uint32_t masks() const { return std::min(requests, whole_sectors); }
};

/// The updates of each of `lines`, which are those of `access`, of `width` bytes a lane, by global_lines(). A line of
/// which no lane is active keeps what it had.
void line_updates(const AccessRecord& access, std::uint32_t width, LineGeometry geometry, const GlobalAccess& lines,
                  std::array<LineUpdates, 64>& out);

}  // namespace sassafras::sim
