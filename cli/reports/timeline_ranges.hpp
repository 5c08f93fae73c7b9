// NVTX ranges of a program: when the host was in them, and when the work that was asked for in them ran.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cudart/protocol/timeline_record.hpp"

namespace sassafras::cli {

struct NvtxRange {
    std::string domain;
    std::string message;
    std::optional<std::uint64_t> thread;  ///< none: a range of the process
    double begin = 0;                     ///< nanoseconds of the host
    double end = 0;
    bool ended = false;  ///< else the records end before it does
    struct OnGpu {
        double begin = 0;  ///< of the first work
        double end = 0;    ///< of the last
        std::uint64_t pieces = 0;
    };
    OnGpu work;
};

/// Of one process, entry by entry in the order of its calls.
class NvtxRanges {
  public:
    void add(const cudart::TimelineEntry& entry);
    /// Those that are open end at `time`. In the order of their begins.
    [[nodiscard]] std::vector<NvtxRange> finish(double time);

  private:
    void open(const cudart::TimelineEntry& entry, std::vector<std::size_t>& of, bool is_of_thread);
    void add_work(const std::vector<std::size_t>& open, const cudart::TimelineEntry& work);

    std::vector<NvtxRange> ranges_;
    std::map<std::uint64_t, std::vector<std::size_t>> of_thread_;  ///< open ones
    std::vector<std::size_t> of_process_;                          ///< the same
    std::map<std::uint64_t, std::size_t> by_number_;
};

}  // namespace sassafras::cli
