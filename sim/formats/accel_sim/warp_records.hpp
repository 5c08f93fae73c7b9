// From the lines of a warp to its records.
#pragma once

#include <array>
#include <cstdint>

#include "isa/program/program.hpp"
#include "sim/access/memory_site.hpp"
#include "sim/formats/accel_sim/kernel_trace.hpp"
#include "sim/trace/warp_trace.hpp"

namespace sassafras::sim::accel_sim {

class WarpRecords {
  public:
    /// `lanes` exist in the warp (the last of a block may have fewer than 32).
    WarpRecords(const isa::Program& program, const KernelTraceHeader& header, std::uint32_t lanes, WarpTrace& into);

    /// `index` is the line's instruction in the program. Error bad_input, without a place.
    [[nodiscard]] Result<void> add(const InstructionLine& line, std::uint32_t index);
    /// The warp has exited.
    void end();

  private:
    void flush();
    [[nodiscard]] Result<void> add_access(const InstructionLine& line, const MemorySite& site);
    void add_barrier(const InstructionLine& line);
    /// An address as ours of that space: an offset, or in our windows.
    [[nodiscard]] std::uint64_t translated(std::uint64_t address, MemorySpace space) const;

    const isa::Program& program_;
    const KernelTraceHeader& header_;
    WarpTrace& into_;
    Segment open_;
    bool may_extend_ = false;
    std::uint32_t alive_ = 0;
    std::array<std::uint32_t, 16> arrived_{};  ///< lanes at each barrier while others of the warp are to come
};

}  // namespace sassafras::sim::accel_sim
