// Records of events for timing: the GPU writes one time after the other, whichever stream it is of.
//
// What an H200 does (validate/records/h200/probes/kernels_small.cu, stream_waits.cu): a record takes 1.28 us of its
// stream, also where many follow each other. Where streams' kernels end together, their records are done 2.2 to 2.3 us
// one after the other, as if the GPU went from one stream to another; of the first two the second 3.9 us after the
// first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

namespace sassafras::cudart {

/// Of recording an event for timing, in nanoseconds.
struct Recording {
    std::uint64_t stream = 0;  ///< a number of its own
    double since = 0;          ///< when what the stream waited for last was done: it meets nothing of before
    double lost = 0;           ///< so much earlier than in truth may others have ended that took turns with its kernel
    double turn = 0;           ///< from the end of one stream's record to the begin of another's; 0: it meets none
    double meeting = 0;        ///< the same, where the first has met none yet
};

class Turns {
  public:
    /// A record that can begin at `earliest` and takes so long. It meets another stream's where less than a turn is
    /// between them. Those that were put before keep their places. Returns when it has ended.
    double take(double earliest, double nanoseconds, const Recording& recording);
    /// No record will begin before this time any more.
    void forget_before(double time);

  private:
    struct Slot {
        double begin = 0;
        double end = 0;
        std::uint64_t stream = 0;
        bool met = false;  ///< another stream's
    };
    static constexpr std::size_t most_slots = 4096;  ///< the earliest are given up
    std::deque<Slot> slots_;                         ///< by time
};

}  // namespace sassafras::cudart
