// What a launch would take without one of its costs: a question that only a simulator can answer. A what-if changes the
// platform, or the records on their way from execution to timing, so that timing need not know of it; one is a choice
// of TimingOptions.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "core/result.hpp"
#include "isa/sass/instruction.hpp"
#include "sim/access/payload_sites.hpp"
#include "sim/platform/platform.hpp"
#include "sim/trace/warp_trace.hpp"

namespace sassafras::sim {

/// Gives accesses other addresses. One object serves the launches of a run in order and may remember.
class AccessRewriter {
  public:
    AccessRewriter() = default;
    AccessRewriter(const AccessRewriter&) = delete;
    AccessRewriter& operator=(const AccessRewriter&) = delete;
    virtual ~AccessRewriter() = default;

    /// Whether accesses of this site may be changed at all; the others do not come to rewrite().
    [[nodiscard]] virtual bool concerns(const PayloadSite& site) const = 0;
    /// The warp has come here with `before` others.
    virtual void rewrite(const PayloadSite& site, std::uint64_t before, AccessRecord& access) = 0;
};

/// A row of the list. What it does is in its functions; a null one does nothing.
struct WhatIf {
    std::string_view name;     ///< as it is chosen on the command line
    std::string_view removes;  ///< the cost, and what is left of it
    void (*change)(Platform& platform) = nullptr;
    void (*replaces)(isa::Instruction& instruction) = nullptr;     ///< by what is timed in its place
    bool (*drops)(const isa::Instruction& instruction) = nullptr;  ///< those that are not issued
    bool (*skips)(const isa::Instruction& instruction) = nullptr;  ///< those that issue as if no lane's guard held
    std::unique_ptr<AccessRewriter> (*make_rewriter)(const Platform& platform) = nullptr;
    bool l2_keeps_all = false;  ///< what L2 has had once it has for the rest of the launch
};

/// The list.
[[nodiscard]] std::span<const WhatIf> what_ifs();

/// Error bad_input, with the names that there are, if there is none of this name. The row lives for ever.
[[nodiscard]] Result<const WhatIf*> find_what_if(std::string_view name);

}  // namespace sassafras::sim
