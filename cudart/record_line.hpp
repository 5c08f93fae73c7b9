// Records of events for timing: the GPU writes one time after the other, whichever stream it is of.
//
// What an H200 does (validate/records/h200/probes/kernels_small.cu, stream_waits.cu, wake_lines.cu): a record takes
// 1.28 us of its stream, also where many follow each other. Where streams' kernels end together, their records are done
// 1.9 to 2.3 us one after the other, as if the GPU went from one stream to another.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "cudart/work.hpp"

namespace sassafras::cudart {

class RecordLine {
  public:
    struct Record {
        std::uint64_t command = 0;
        std::uint64_t stream = 0;
        double nanoseconds = 0;
        RecordTurn turn{};
        double since = 0;  ///< when what the stream waited for last was done: it meets nothing of before
    };
    /// It can begin from `now` on (nanoseconds). It meets another stream's where less than a turn is between them.
    void add(double now, const Record& record);
    /// When the next one ends; infinity if there is none.
    [[nodiscard]] double next() const;
    /// The command that ends now, if one does.
    [[nodiscard]] std::optional<std::uint64_t> take(double now);

  private:
    struct Waiting {
        Record record;
        double earliest = 0;
    };
    [[nodiscard]] bool meets(const Waiting& waiting) const;
    [[nodiscard]] double begin_of(const Waiting& waiting) const;

    std::deque<Waiting> waiting_;  ///< in the order in which they came; the first is at work, or will be next
    double last_end_ = 0;
    std::optional<std::uint64_t> last_stream_;
};

}  // namespace sassafras::cudart
