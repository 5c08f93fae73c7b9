// A .traceg of Accel-Sim, read from front to back: header, then block by block, warp by warp, a line an instruction.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "core/types.hpp"
#include "sim/formats/accel_sim/instruction_line.hpp"
#include "sim/formats/accel_sim/line_reader.hpp"

namespace sassafras::sim::accel_sim {

struct KernelTraceHeader {
    std::string name;
    Dim3 grid{0, 0, 0};
    Dim3 block{0, 0, 0};
    std::uint64_t shared_bytes = 0;    ///< static and dynamic
    std::uint32_t registers = 0;       ///< a thread
    std::uint32_t binary_version = 0;  ///< 70: sm_70
    LineFormat format{.version = 0, .source_lines = false};
    std::uint64_t shared_base = 0;  ///< of the shared window among generic addresses; 0: not known
    std::uint64_t local_base = 0;

    [[nodiscard]] std::uint32_t warps_per_block() const {
        return static_cast<std::uint32_t>((block.volume() + warp_size - 1) / warp_size);
    }
};

/// Every error has file and line. Lines are in the order that Accel-Sim's reader asks for; blocks may come in any
/// order, each once, and all of the grid.
class KernelTraceReader {
  public:
    /// Reads the header.
    [[nodiscard]] static Result<KernelTraceReader> open(LineReader lines);

    [[nodiscard]] const KernelTraceHeader& header() const { return header_; }

    /// The next block's index, x + grid.x * (y + grid.y * z); nothing once all have come.
    [[nodiscard]] Result<std::optional<std::uint64_t>> next_block();
    /// The next warp of this block; nothing after the last. Warps that do not come execute nothing.
    [[nodiscard]] Result<std::optional<std::uint32_t>> next_warp();
    /// False after the warp's last instruction.
    [[nodiscard]] Result<bool> next_instruction(InstructionLine& out);

    /// Error about the line that came last.
    [[nodiscard]] Error fault(std::string what, ErrorKind kind = ErrorKind::bad_input, std::string remedy = "") const;

  private:
    explicit KernelTraceReader(LineReader lines) : lines_(std::move(lines)) {}
    [[nodiscard]] Result<void> read_header();
    [[nodiscard]] Result<void> read_header_line(std::string_view line);
    [[nodiscard]] Result<void> check_header() const;
    /// The next line that is not empty; an end of the file is an error that says what was `expected`.
    [[nodiscard]] Result<std::string_view> line(const char* expected);

    LineReader lines_;
    KernelTraceHeader header_;
    std::vector<bool> seen_;        ///< blocks, up to the last that came
    std::vector<bool> warps_seen_;  ///< of this block
    std::uint64_t blocks_ = 0;
    std::uint64_t left_ = 0;  ///< instructions of this warp
};

}  // namespace sassafras::sim::accel_sim
