// What the shared-memory accesses of the ODE solvers are for.
#include "workloads/ode/ode.hpp"

namespace sassafras::workloads::ode {
namespace {

using sim::SharedAccessKind;

constexpr PhaseRule rules[] = {
    {.kernel = "ode_*", .kind = SharedAccessKind::store, .part = "integrate", .phase = "staging"},
    {.kernel = "ode_*", .kind = SharedAccessKind::load, .part = "integrate", .phase = "parameter reads"},
};

}  // namespace

std::span<const PhaseRule> phases() { return rules; }

}  // namespace sassafras::workloads::ode
