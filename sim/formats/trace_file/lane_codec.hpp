// Addresses of lanes that are no straight line: 32 numbers of 32 bits an access. What such lanes do has a few common
// forms, and each is told by what is new in it:
//   - they follow the access before at a fixed distance (fields of records that lie about): nothing
//   - they mirror it: the sum of both is what it was (the two probes of a merge path's bisection): nothing
//   - each lane goes on along one of its last two streams (merging): a bit a lane
//   - anything else: differences to the lane's last address at this instruction, 8, 16 or 32 bits
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/types.hpp"
#include "sim/formats/trace_file/frame_columns.hpp"

namespace sassafras::sim {

using LaneWords = std::array<std::uint32_t, warp_size>;

enum class LaneMode : std::uint8_t {
    follows,
    mirrors,
    streams,           ///< every lane goes on along a stream
    streams_and_rest,  ///< most do
    differences8,      ///< in units of the access's width, as are the next
    differences16,
    differences32,  ///< in bytes
};

class LaneCodec {
  public:
    explicit LaneCodec(std::size_t sites) : sites_(sites) {}

    void reset();
    void begin_warp();

    /// Lanes outside `mask` do not matter; mask is not 0. `width` is 1, 2, 4, 8 or 16 bytes; `space` is 0 or 1: streams
    /// of one do not go on in the other.
    LaneMode encode(std::uint32_t site, std::uint32_t mask, const LaneWords& lanes, std::uint32_t width,
                    std::uint32_t space, FrameColumns<ColumnWriter>& columns);
    /// Lanes outside `mask` become those of one inside it. Columns that end early fail on their own.
    void decode(LaneMode mode, std::uint32_t site, std::uint32_t mask, LaneWords& lanes, std::uint32_t width,
                std::uint32_t space, FrameColumns<ColumnReader>& columns);

  private:
    struct Site {
        LaneWords last{};    ///< addresses at this instruction
        LaneWords before{};  ///< addresses of the access before it, then
    };
    struct Streams {
        LaneWords newer{};
        LaneWords older{};
    };
    void update(Site& site, Streams& streams, std::uint32_t mask, std::uint32_t leaves_newer, const LaneWords& lanes);

    std::vector<Site> sites_;
    std::array<Streams, 2> streams_{};
    LaneWords previous_{};  ///< addresses of the warp's last access with scattered lanes
};

}  // namespace sassafras::sim
