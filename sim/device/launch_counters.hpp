// Counts of a launch that need no time, from its records.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/program/program.hpp"
#include "sim/device/device.hpp"
#include "sim/platform/platform.hpp"
#include "sim/trace/warp_trace.hpp"

namespace sassafras::sim {

class LaunchCounters {
  public:
    LaunchCounters(const isa::Program& program, const Platform& platform);

    /// Takes all that is buffered.
    void drain(WarpTrace& trace);

    [[nodiscard]] std::uint64_t warp_instructions() const { return warp_instructions_; }
    void write_metrics(KernelResult& result) const;
    [[nodiscard]] std::vector<SourceRow> source_rows() const;

  private:
    enum class Payload : std::uint8_t { access, value };
    struct PayloadSite {
        std::uint32_t instruction = 0;
        Payload payload = Payload::access;
    };
    void count_payloads(const Segment& segment, WarpTrace& trace);

    const isa::Program& program_;
    std::uint64_t warp_instructions_ = 0;
    // Segments are counted at their ends only; prefix sums give the counts of each instruction.
    std::vector<std::uint64_t> executed_change_;
    std::vector<std::uint64_t> threads_change_;
    std::vector<PayloadSite> sites_;
    std::vector<std::uint32_t> first_site_;  ///< instruction -> first of sites_ at or after it
};

}  // namespace sassafras::sim
