// Which instructions of a kernel have a payload in the trace, and of what kind.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isa/program/program.hpp"
#include "sim/access/memory_site.hpp"
#include "sim/trace/warp_trace.hpp"

namespace sassafras::sim {

/// One payload of an instruction: an access or, where not `is_access`, a value. LDGSTS has two, the second is its store
/// to shared memory.
struct PayloadSite {
    std::uint32_t instruction = 0;
    bool is_access = false;
    MemorySpace space = MemorySpace::none;
    SharedAccessKind kind = SharedAccessKind::load;
    std::uint32_t width = 0;  ///< bytes a lane
};

class PayloadSites {
  public:
    explicit PayloadSites(const isa::Program& program);

    [[nodiscard]] std::span<const PayloadSite> all() const { return sites_; }
    /// Numbers of the sites of the instructions [first, first + count), as a half-open range of all().
    [[nodiscard]] std::uint32_t begin(const Segment& segment) const { return first_site_[segment.first]; }
    [[nodiscard]] std::uint32_t end(const Segment& segment) const { return first_site_[segment.first + segment.count]; }
    [[nodiscard]] const PayloadSite& operator[](std::uint32_t site) const { return sites_[site]; }
    [[nodiscard]] std::uint32_t instructions() const { return static_cast<std::uint32_t>(first_site_.size() - 1); }

  private:
    std::vector<PayloadSite> sites_;
    std::vector<std::uint32_t> first_site_;  ///< instruction -> first of sites_ at or after it; one more at the end
};

}  // namespace sassafras::sim
