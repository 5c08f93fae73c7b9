// Launches of several streams: the GPU begins one after the other, and has to go back to a stream that it has left.
//
// What an H200 does (validate/records/h200/probes/launches.cu): launches of eight streams are 0.9 us apart, whatever
// the kernels. A launch behind a kernel of its own stream is 1.3 us later where other streams have launched something
// meanwhile, also where the kernels are long. A single stream has none of this.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cudart/work.hpp"

namespace sassafras::cudart {

class LaunchLine {
  public:
    struct Launch {
        std::uint64_t command = 0;
        std::uint64_t stream = 0;
        LaunchTurn turn{};
        bool behind = false;  ///< it was put behind a kernel of its stream, which has just ended
    };
    /// It can begin from `now` on (nanoseconds).
    void add(double now, const Launch& launch);
    /// When the next one begins; `never` (KernelRoom) if there is none.
    [[nodiscard]] double next() const;
    /// The command that begins now, if one does.
    [[nodiscard]] std::optional<std::uint64_t> take(double now);

  private:
    struct Waiting {
        Launch launch;
        double earliest = 0;
    };
    [[nodiscard]] double begin_of(const Waiting& waiting) const;
    [[nodiscard]] std::vector<Waiting>::const_iterator first() const;

    std::vector<Waiting> waiting_;  ///< in the order in which they came
    bool has_begun_ = false;        ///< any
    double last_begin_ = 0;
    std::uint64_t last_stream_ = 0;
};

}  // namespace sassafras::cudart
