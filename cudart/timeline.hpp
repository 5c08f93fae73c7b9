// Simulated time of streams and events. All work runs one kernel after the other; copies take no time.
#pragma once

#include <cstdint>
#include <set>

namespace sassafras::cudart {

/// Behind a cudaStream_t.
struct Stream {
    double ready = 0;  ///< nanoseconds: when all work put into it so far has ended
    unsigned flags = 0;
    int priority = 0;
    std::uint64_t id = 0;
};

/// Behind a cudaEvent_t.
struct Event {
    double time = 0;  ///< nanoseconds
    bool recorded = false;
    bool timing = true;
};

class Timeline {
  public:
    /// Work of `nanoseconds` in `stream`: it begins when the stream and the GPU are free. Returns its beginning.
    double run(Stream& stream, double nanoseconds) {
        const double begin = stream.ready > gpu_free_ ? stream.ready : gpu_free_;
        stream.ready = gpu_free_ = begin + nanoseconds;
        return begin;
    }
    [[nodiscard]] double gpu_free() const { return gpu_free_; }

  private:
    double gpu_free_ = 0;
};

}  // namespace sassafras::cudart
