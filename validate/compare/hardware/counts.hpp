// Per-instruction counts of a modelled run against the hardware's. They must be equal: neither side samples.
//
// The hardware has two voices: the source page counts with instrumented code, smsp__inst_executed.sum with counters in
// the SM. The model must equal both.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "sim/device/device.hpp"
#include "validate/records/measured.hpp"

namespace sassafras::validate {

/// One instruction whose counts differ.
struct CountDifference {
    std::uint32_t launch = 0;
    std::uint64_t pc = 0;
    std::optional<isa::Instruction> instruction;  ///< none where the model has none
    Counts measured{};
    Counts modelled{};
};

/// One kernel of a run, its launches together. An instruction of each launch counts for itself.
struct KernelCounts {
    std::string kernel;
    std::uint32_t launches = 0;
    std::uint64_t instructions = 0;            ///< that either side lists with a count other than 0
    std::uint64_t agreeing = 0;                ///< all five counts equal the source page's
    std::uint32_t launches_by_counter = 0;     ///< launches whose warp instructions sum up to smsp__inst_executed.sum
    std::vector<CountDifference> differences;  ///< in order of launch and pc
};

/// Kernels in order of first launch. Error check_failed if the launches are not the same kernels in the same order.
[[nodiscard]] Result<std::vector<KernelCounts>> compare_counts(const MeasuredRun& measured,
                                                               std::span<const sim::KernelResult> modelled);

}  // namespace sassafras::validate
