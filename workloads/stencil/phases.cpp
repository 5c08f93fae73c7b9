// What the shared-memory accesses of the stencils are for.
#include "workloads/stencil/stencil.hpp"

namespace sassafras::workloads::stencil {
namespace {

using sim::SharedAccessKind;

constexpr PhaseRule rules[] = {
    {.kernel = "stencil_*", .kind = SharedAccessKind::store, .part = "stencil", .phase = "plane writes"},
    {.kernel = "stencil_*", .kind = SharedAccessKind::load, .part = "stencil", .phase = "plane reads"},
};

}  // namespace

std::span<const PhaseRule> phases() { return rules; }

}  // namespace sassafras::workloads::stencil
