// Caches of code and constants, as a platform gives them.
#pragma once

#include <cstdint>

namespace sassafras::sim {

struct FetchParameters {
    std::uint32_t line_bytes{};
    std::uint32_t l0_lines{};
    std::uint32_t l1_lines{};
    std::uint32_t prefetch_lines{};
    std::uint32_t prefetch_interval_cycles{};
    std::uint32_t l0_latency_cycles{};
    std::uint32_t line_interval_cycles{};
    std::uint32_t next_line_cycles{};
    std::uint32_t warp_switch_cycles{};
    std::uint32_t l0_miss_latency_cycles{};
    std::uint32_t l1_miss_latency_cycles{};
    std::uint32_t fill_interval_cycles{};
    std::uint32_t gpc_lines{};
    std::uint32_t gpc_ways{};
    std::uint32_t gpc_launch_lines{};
    std::uint32_t gpc_miss_cycles{};
    std::uint32_t gpc_miss_cold_cycles{};
    std::uint32_t gpc_fill_cycles{};
    std::uint32_t gpc_fill_cold_cycles{};
    std::uint32_t constant_line_bytes{};
    std::uint32_t constant_lines{};
    std::uint32_t constant_miss_latency_cycles{};
    std::uint32_t constant_again_cycles{};
    std::uint32_t loaded_constant_miss_latency_cycles{};
    std::uint32_t fill_turn_cycles{};
    std::uint32_t gpc_request_interval_cycles{};
    std::uint32_t tpc_request_cycles{};
    std::uint32_t start_code_lines{};
    std::uint32_t start_cycles{};
    std::uint32_t launch_latency_cycles{};
    std::uint32_t code_l2_reads{};
    template <class Self, class Visitor>
    static void visit(Self& self, Visitor& v) {
        v.integer("line_bytes", self.line_bytes, 16, 4096, "instruction cache line");
        v.integer("l0_lines", self.l0_lines, 1, 1U << 16U, "instruction cache of a sub-core");
        v.integer("l1_lines", self.l1_lines, 1, 1U << 20U, "instruction cache of an SM");
        v.integer("prefetch_lines", self.prefetch_lines, 0, 64, "lines fetched ahead of a warp");
        v.integer("prefetch_interval_cycles", self.prefetch_interval_cycles, 0, 1000, "between two of them");
        v.integer("l0_latency_cycles", self.l0_latency_cycles, 0, 1000,
                  "of sm.branch_latency_cycles, those in which the warp waits for its line");
        v.integer("line_interval_cycles", self.line_interval_cycles, 0, 32,
                  "between two lines that a sub-core's cache gives its warps");
        v.integer("next_line_cycles", self.next_line_cycles, 0, 1000,
                  "from a line that is jumped to being there until the one behind it is");
        v.integer("warp_switch_cycles", self.warp_switch_cycles, 0, 1000,
                  "by how much a jump takes longer while one of another warp of the sub-core is on its way");
        v.integer("l0_miss_latency_cycles", self.l0_miss_latency_cycles, 1, 10000,
                  "extra cycles when only the SM's cache has the line");
        v.integer("l1_miss_latency_cycles", self.l1_miss_latency_cycles, 1, 100000,
                  "extra cycles when the line comes from the GPC");
        v.integer("fill_interval_cycles", self.fill_interval_cycles, 1, 10000,
                  "between two lines that come from beyond the SM");
        v.integer("gpc_lines", self.gpc_lines, 0, 1U << 24U, "instruction cache of a GPC; 0: has all code");
        v.integer("gpc_ways", self.gpc_ways, 1, 1U << 24U, "lines of one of its sets");
        v.integer("gpc_launch_lines", self.gpc_launch_lines, 0, 1U << 24U,
                  "first lines of a kernel that its launch brings there");
        v.integer("gpc_miss_cycles", self.gpc_miss_cycles, 0, 100000, "extra cycles when a line comes from L2");
        v.integer("gpc_miss_cold_cycles", self.gpc_miss_cold_cycles, 0, 100000, "likewise from DRAM");
        v.integer("gpc_fill_cycles", self.gpc_fill_cycles, 1, 100000,
                  "between two lines that come from L2, in a straight line");
        v.integer("gpc_fill_cold_cycles", self.gpc_fill_cold_cycles, 1, 100000, "likewise from DRAM");
        v.integer("constant_line_bytes", self.constant_line_bytes, 16, 4096, "constant cache line");
        v.integer("constant_lines", self.constant_lines, 1, 1U << 16U,
                  "constant cache of a sub-core, and that of an SM for loads of constants");
        v.integer("constant_miss_latency_cycles", self.constant_miss_latency_cycles, 1, 100000,
                  "extra cycles when a constant operand comes from beyond its sub-core's cache");
        v.integer("constant_again_cycles", self.constant_again_cycles, 0, 100000,
                  "of those, the last, in which the instruction is issued again and not counted as waiting for it");
        v.integer("loaded_constant_miss_latency_cycles", self.loaded_constant_miss_latency_cycles, 1, 100000,
                  "extra cycles when a loaded constant (LDC) comes from beyond the SM's cache");
        v.integer("fill_turn_cycles", self.fill_turn_cycles, 0, 1000,
                  "by how much more lines that come from beyond the SM are apart where all SMs ask for them");
        v.integer("gpc_request_interval_cycles", self.gpc_request_interval_cycles, 0, 1000,
                  "between two requests for constants that a GPC takes from its SMs");
        v.integer("tpc_request_cycles", self.tpc_request_cycles, 0, 1000,
                  "that such a request takes longer where both SMs of a TPC have blocks, when a launch begins");
        v.integer("start_code_lines", self.start_code_lines, 0, 1U << 16U,
                  "lines of a kernel from which on each such request waits for a line of code, when a launch begins");
        v.integer("start_cycles", self.start_cycles, 0, 100000,
                  "from an SM's first line of code, as long as constants wait so");
        v.integer("launch_latency_cycles", self.launch_latency_cycles, 0, 100000,
                  "from a launch's first block until its code has come into the GPCs");
        v.integer("code_l2_reads", self.code_l2_reads, 0, 4096,
                  "times that a launch reads its kernel's code from L2; counted, takes no time");
    }
};

}  // namespace sassafras::sim
