#include <array>

#include "validate/calibrate/rule.hpp"

namespace sassafras::validate::calibrate {

namespace {

constexpr double most_memory_latency = 4000;  ///< cycles, to DRAM and back

constexpr auto memory_table = std::to_array<Rule>({
    {"/lsu/l1_hit_latency_cycles",
     "latency ldg l1 footprint=16384 stride=128",
     {},
     Slope::rises,
     1,
     most_memory_latency},
    {"/l2/slice_spread_cycles", "load l2 sms=all lines=128 p95", "load l2 sms=all lines=128 p5", Slope::rises, 0,
     most_memory_latency},
    {"/l2/hit_latency_cycles", "load l2 sms=all lines=128 mean", {}, Slope::rises, 1, most_memory_latency},
    {"/lsu/membar_latency_cycles", "latency membar scope=gpu stores=0", {}, Slope::rises, 1, most_memory_latency},
    {"/dram/latency_cycles", "load cold lines=1 spacing=131072 p5", {}, Slope::rises, 1, most_memory_latency},
    {"/l2/far_latency_cycles", "load cold lines=1 spacing=131072 mean", {}, Slope::rises, 0, most_memory_latency},
    {"/l2/slice_bytes_per_cycle", "read l2 own bytes=65536 sms=all", {}, Slope::rises, 1, 512},
    {"/l2/slice_write_sector_bytes", "scatter st footprint=4194304 stride_words=1", {}, Slope::falls, 1, 1024},
    {"/l2/slice_write_partial_bytes", "scatter st footprint=4194304 stride_words=8", {}, Slope::falls, 0, 1024},
});

}  // namespace

std::span<const Rule> memory_rules() { return memory_table; }

std::vector<Rule> all_rules() {
    std::vector<Rule> all(sm_rules().begin(), sm_rules().end());
    all.insert(all.end(), memory_table.begin(), memory_table.end());
    return all;
}

}  // namespace sassafras::validate::calibrate
