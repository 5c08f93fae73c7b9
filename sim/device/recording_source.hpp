// Writes the records of a launch to a trace file while something else consumes them: what timing saw, to be timed
// again.
#pragma once

#include <memory>
#include <vector>

#include "sim/access/payload_sites.hpp"
#include "sim/formats/trace_file/trace_file_writer.hpp"
#include "sim/formats/trace_file/traced_launch.hpp"
#include "sim/trace/trace_source.hpp"

namespace sassafras::sim {

class RecordingSource final : public TraceSource {
  public:
    /// `origin` is kept; `file` is replaced.
    RecordingSource(TraceSource& origin, const std::string& file);

    /// Error bad_input if the file cannot be written, as of all. `sm_count` is what the program sees.
    [[nodiscard]] Result<void> open(std::uint32_t sm_count);

    [[nodiscard]] const isa::Program& program() const override { return origin_.program(); }
    [[nodiscard]] const LaunchShape& shape() const override { return origin_.shape(); }
    Result<BlockTrace*> start(std::uint64_t block_index) override;
    Result<void> advance(BlockTrace& block, std::uint64_t instructions_ahead) override;
    void provide_clock(BlockTrace& block, std::uint32_t warp, Cycle now, std::uint64_t nanoseconds) override;
    void finish(BlockTrace& block) override;

    /// The file is whole: adds to `traced`, which gives the numbers of the file and of its kernel.
    [[nodiscard]] Result<void> close(TracedLaunch& traced);
    /// Of a launch that failed nothing stays.
    void discard() { writer_.discard(); }

  private:
    struct Recorded : BlockTrace {
        BlockTrace* origin = nullptr;
        BlockTrace kept;            ///< copies that are not written yet
        std::vector<Segment> owed;  ///< by warp: the contended instruction whose payload has not come; count 0: none
    };
    Segment copy_records(WarpTrace& from, WarpTrace& to, WarpTrace& kept);
    void copy_payload(const Segment& segment, WarpTrace& from, WarpTrace& to, WarpTrace& kept);
    void write(Recorded& block);

    TraceSource& origin_;
    PayloadSites sites_;
    TraceFileWriter writer_;
    std::unique_ptr<Error> failure_;
    std::vector<std::unique_ptr<Recorded>> resident_;
    std::vector<std::unique_ptr<Recorded>> spare_;  ///< finished blocks, to be used again
};

}  // namespace sassafras::sim
