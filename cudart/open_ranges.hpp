// Ranges of NVTX that are open: what launches are selected by.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cudart/protocol/timeline_record.hpp"
#include "sim/device/launch_selection.hpp"

namespace sassafras::cudart {

class OpenRanges {
  public:
    /// As Runtime::note_range; what is no begin or end of a range changes nothing.
    void note(TimelineEntry::Kind kind, std::uint64_t thread, const std::string& domain, const std::string& name,
              std::uint64_t number);
    /// Those that the thread has pushed, and those that are started.
    [[nodiscard]] std::vector<sim::OpenRange> of_thread(std::uint64_t thread) const;

  private:
    std::map<std::uint64_t, std::vector<sim::OpenRange>> pushed_;  ///< by thread
    std::map<std::uint64_t, sim::OpenRange> started_;              ///< by number
};

}  // namespace sassafras::cudart
