#include "workloads/micro/probes.hpp"

namespace sassafras::workloads::micro {

void measure_wide_multiply(Collector& rows) {
    const sim::Arguments seed = words({3});
    for (const std::string operation : {"imad_hi_addend", "imad_hi_lop3", "imad_wide_lop3"}) {
        rows.latency("latency " + operation, "micro_chain_" + operation, "warps=1", lanes, 8, 24, seed);
        rows.rate("rate " + operation, "micro_chain_" + operation, "warps=32", 1, "steps/cycle", seed);
    }
}

}  // namespace sassafras::workloads::micro
