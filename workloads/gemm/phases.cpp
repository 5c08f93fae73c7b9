// What the shared-memory accesses of the matrix products are for.
#include "workloads/gemm/gemm.hpp"

namespace sassafras::workloads::gemm {
namespace {

using sim::SharedAccessKind;

constexpr PhaseRule rules[] = {
    {.kernel = "gemm_*", .kind = SharedAccessKind::store, .part = "multiply", .phase = "staging"},
    {.kernel = "gemm_*", .kind = SharedAccessKind::load, .part = "multiply", .phase = "operand reads"},
};

}  // namespace

std::span<const PhaseRule> phases() { return rules; }

}  // namespace sassafras::workloads::gemm
