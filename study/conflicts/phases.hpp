// Which phase an instruction belongs to, by the rules that its workload declares.
#pragma once

#include <span>
#include <string_view>

#include "sim/access/access_analysis.hpp"
#include "study/conflicts/source_lines.hpp"
#include "workloads/phase_rule.hpp"

namespace sassafras::study {

/// An instruction as the rules see it.
struct PhaseSite {
    std::string_view kernel;
    const SourceLine* line = nullptr;  ///< nothing if it is not known
    sim::SharedAccessKind kind = sim::SharedAccessKind::load;
};

/// True if `text` is `pattern`, in which each * stands for any text.
[[nodiscard]] bool fits(std::string_view pattern, std::string_view text);

/// The first rule that applies; nothing if none does. `lines` are the kernel's.
[[nodiscard]] const workloads::PhaseRule* phase_of(std::span<const workloads::PhaseRule> rules, const PhaseSite& site,
                                                   const KernelLines* lines);

/// "loads", "stores" or "atomics": what stands in a report where no rule applies.
[[nodiscard]] std::string_view name_of(sim::SharedAccessKind kind);

}  // namespace sassafras::study
