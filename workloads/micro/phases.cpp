// What the shared-memory accesses of the measurements are for. They have no tables of source lines: by kernel alone.
#include "workloads/micro/measurements.hpp"

namespace sassafras::workloads::micro {
namespace {

using sim::SharedAccessKind;

constexpr PhaseRule rules[] = {
    {.kernel = "micro_spt_shared_*", .kind = SharedAccessKind::load, .part = "shared loop", .phase = "reads"},
    {.kernel = "micro_spt_shared_*", .kind = SharedAccessKind::store, .part = "shared loop", .phase = "writes"},
    {.kernel = "micro_spt_loop_*", .kind = SharedAccessKind::load, .part = "shared loop", .phase = "reads"},
    {.kernel = "micro_spt_loop_*", .kind = SharedAccessKind::store, .part = "shared loop", .phase = "writes"},
    {.kernel = "micro_levels_chase_shared", .kind = SharedAccessKind::load, .part = "chase", .phase = "links"},
    {.kernel = "micro_levels_chase_shared", .kind = SharedAccessKind::store, .part = "chase", .phase = "staging"},
    {.kernel = "micro_levels_read_shared_*", .kind = SharedAccessKind::load, .part = "bandwidth", .phase = "reads"},
    {.kernel = "micro_levels_read_shared_*", .kind = SharedAccessKind::store, .part = "bandwidth", .phase = "staging"},
    {.kernel = "micro_*", .part = "microbenchmark", .phase = "accesses"},  // of `sassafras microbench`
};

}  // namespace

std::span<const PhaseRule> phases() { return rules; }

}  // namespace sassafras::workloads::micro
