// Turns the records of blocks into the columns of a frame.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/access/payload_sites.hpp"
#include "sim/formats/trace_file/access_model.hpp"
#include "sim/formats/trace_file/flow_model.hpp"
#include "sim/formats/trace_file/frame_columns.hpp"
#include "sim/formats/trace_file/lane_codec.hpp"
#include "sim/trace/trace_source.hpp"

namespace sassafras::sim {

class FrameEncoder {
  public:
    /// `sites` must outlive it.
    explicit FrameEncoder(const PayloadSites& sites);

    /// Takes all that the block's warps have buffered: one entry of the frame.
    void add(BlockTrace& block);

    /// Of the entries so far.
    [[nodiscard]] std::size_t bytes() const;
    [[nodiscard]] std::uint64_t warp_instructions() const { return warp_instructions_; }
    [[nodiscard]] std::uint64_t accesses() const { return accesses_; }

    /// Appends the frame's content to `out` and begins another frame, which knows nothing of this one.
    void finish(std::vector<std::byte>& out);

  private:
    void add_segment(const Segment& segment);
    void add_payload(WarpTrace& trace, const Segment& segment);
    void add_access(WarpTrace& trace, std::uint32_t site, std::uint32_t segment_mask);
    void add_value(WarpTrace& trace, std::uint32_t site);

    const PayloadSites& sites_;
    FlowModel flow_;
    AccessModel access_;
    LaneCodec lanes_;
    FrameColumns<ColumnWriter> columns_;
    std::uint64_t warp_instructions_ = 0;
    std::uint64_t accesses_ = 0;
};

}  // namespace sassafras::sim
