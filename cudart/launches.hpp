// Launches of several streams: the GPU begins one after the other, and has to go back to a stream that it has left.
//
// What an H200 does (validate/records/h200/probes/launches.cu): launches of eight streams are 0.9 us apart, whatever
// the kernels. A launch behind a kernel of its own stream is 1.3 us later where other streams have launched something
// meanwhile, also where the kernels are long. A single stream has none of this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

namespace sassafras::cudart {

/// Nanoseconds; 0: launches do not hold each other up.
struct LaunchTurn {
    double turn = 0;      ///< from one stream's launch to another's
    double back = 0;      ///< to go back to a stream
    bool behind = false;  ///< this launch is right behind a kernel of its stream
};

class Launches {
  public:
    /// When a launch of this stream that can begin at `earliest` does, if it is the next that is put.
    [[nodiscard]] double find(std::uint64_t stream, double earliest, const LaunchTurn& turn) const;
    /// Likewise, and puts it. Those that were put before keep their places.
    double take(std::uint64_t stream, double earliest, const LaunchTurn& turn);
    /// No launch will begin before this time any more.
    void forget_before(double time);

  private:
    struct Slot {
        double begin = 0;
        double end = 0;
        std::uint64_t stream = 0;
    };
    static constexpr std::size_t most_slots = 4096;  ///< the earliest are given up
    std::deque<Slot> slots_;                         ///< by their begin
};

}  // namespace sassafras::cudart
