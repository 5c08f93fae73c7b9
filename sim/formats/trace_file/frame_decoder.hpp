// Turns the columns of a frame back into the records of blocks. Any bytes are safe input.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/access/payload_sites.hpp"
#include "sim/formats/trace_file/access_model.hpp"
#include "sim/formats/trace_file/flow_model.hpp"
#include "sim/formats/trace_file/frame_columns.hpp"
#include "sim/formats/trace_file/lane_codec.hpp"
#include "sim/trace/trace_source.hpp"

namespace sassafras::sim {

class FrameDecoder {
  public:
    /// `sites` must outlive it.
    explicit FrameDecoder(const PayloadSites& sites);

    /// Begins with the first entry. False if the content is damaged, as of next().
    [[nodiscard]] bool open(std::vector<std::byte> content);

    /// Where the records of one warp go; nowhere where null.
    struct Sink {
        WarpTrace* trace = nullptr;
        bool exits = false;  ///< out: the warp exits in this entry
    };
    /// The next entry of the frame, for as many warps as there are sinks.
    [[nodiscard]] bool next(std::span<Sink> sinks);

    /// True if every byte was taken.
    [[nodiscard]] bool at_end() const;

  private:
    bool next_segment(Segment& segment);
    bool payload(WarpTrace* trace, const Segment& segment);
    bool access(WarpTrace* trace, std::uint32_t number, std::uint32_t segment_mask);
    bool scattered(WarpTrace* trace, std::uint32_t number, std::uint32_t mask, std::uint8_t token);

    const PayloadSites& sites_;
    FlowModel flow_;
    AccessModel access_;
    LaneCodec lanes_;
    std::vector<std::byte> content_;
    FrameColumns<ColumnReader> columns_;
};

}  // namespace sassafras::sim
