// The numbers of a sub-core's execution pipes.
#pragma once

#include <cstdint>

namespace sassafras::sim {

/// One execution pipe of a sub-core.
struct PipeParameters {
    std::uint32_t issue_interval_cycles{};  ///< cycles between two warp instructions of one sub-core
    std::uint32_t latency_cycles{};         ///< issue to result, for dependents that a scoreboard tracks
    template <class Self, class Visitor>
    static void visit(Self& self, Visitor& v) {
        v.integer("issue_interval_cycles", self.issue_interval_cycles, 1, 1024,
                  "cycles between two warp instructions of one sub-core");
        v.integer("latency_cycles", self.latency_cycles, 1, 10000, "issue to result");
    }
};

struct PipesParameters {
    PipeParameters alu;
    PipeParameters fma;
    PipeParameters imad;
    PipeParameters imad_wide;
    std::uint32_t imad_wide_addend_latency_cycles{};
    std::uint32_t fma_halves{};
    std::uint32_t fp64_late_cycles{};
    std::uint32_t xu_lead_cycles{};
    std::uint32_t xu_other_lead_cycles{};
    std::uint32_t s2ur_cycles{};
    std::uint32_t redux_cycles{};
    std::uint32_t match_cycles{};
    std::uint32_t fchk_cycles{};
    PipeParameters fp16;
    PipeParameters fp64;
    PipeParameters xu;
    PipeParameters xu_wide;  ///< the same unit, for conversions of 64-bit sources
    PipeParameters uniform;
    PipeParameters cbu;
    PipeParameters adu;
    PipeParameters tensor;         ///< products of 16 x 8 with four registers of A: HMMA.16816, IMMA.16832
    PipeParameters tensor_short;   ///< those with fewer: HMMA.1688, IMMA.16816, IMMA.8816
    PipeParameters tensor_double;  ///< DMMA of four products a sum; each four more take the interval again
    template <class Self, class Visitor>
    static void visit(Self& self, Visitor& v) {
        v.group("alu", self.alu);
        v.group("fma", self.fma);
        v.group("imad", self.imad);
        v.group("imad_wide", self.imad_wide);
        v.integer("imad_wide_addend_latency_cycles", self.imad_wide_addend_latency_cycles, 1, 1000,
                  "a wide product to one whose addend it is");
        v.integer("fma_halves", self.fma_halves, 1, 2,
                  "2: FP32 goes to either half of a pipe, two cycles each, products of integers to the first, FP16 to "
                  "both; 1: each to a pipe of its own");
        v.integer("fp64_late_cycles", self.fp64_late_cycles, 0, 16,
                  "results of the FP64 pipe (HFMA2.MMA is of it) come so much later than FP32's; those of one cycle "
                  "cannot both be written");
        v.integer("xu_lead_cycles", self.xu_lead_cycles, 0, 64,
                  "how long before XU begins it an operation behind one of its own warp may be issued; 0: not before");
        v.integer("xu_other_lead_cycles", self.xu_other_lead_cycles, 0, 64, "the same behind one of another warp");
        v.group("fp16", self.fp16);
        v.group("fp64", self.fp64);
        v.group("xu", self.xu);
        v.group("xu_wide", self.xu_wide);
        v.group("uniform", self.uniform);
        v.group("cbu", self.cbu);
        v.integer("s2ur_cycles", self.s2ur_cycles, 0, 1000, "by how much S2UR takes longer than S2R");
        v.integer("redux_cycles", self.redux_cycles, 0, 1000, "REDUX likewise");
        v.integer("match_cycles", self.match_cycles, 0, 1000, "MATCH likewise");
        v.integer("fchk_cycles", self.fchk_cycles, 0, 1000, "by how much FCHK takes longer than others of XU");
        v.group("adu", self.adu);
        v.group("tensor", self.tensor);
        v.group("tensor_short", self.tensor_short);
        v.group("tensor_double", self.tensor_double);
    }
};

}  // namespace sassafras::sim
