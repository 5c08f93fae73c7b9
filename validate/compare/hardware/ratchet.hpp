// How far each kernel's cycles may be from the hardware's: no further than they have been (records/h200/ratchet.csv).
//
// A line is the absolute error of a kernel as by_kernel compares it; one more line is the mean over all of them. A line
// is replaced only by a smaller error, or by a greater one with a reason, which stays in the file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "validate/compare/hardware/cycles.hpp"

namespace sassafras::validate {

/// Percentage points that an error may exceed its line: lines have two decimals, and the mean sums their rounding.
inline constexpr double ratchet_tolerance = 0.05;

struct RatchetLine {
    std::string workload;
    std::string variant;
    std::uint64_t n = 0;
    std::string kernel;
    double error_percent = 0;  ///< absolute
    std::string accepted;      ///< each time that it became greater: from what to what and why; empty if it never did
};

/// Kernels in the order of the record, the mean over them apart.
struct Ratchet {
    std::vector<RatchetLine> kernels;
    RatchetLine mean;  ///< names no kernel
};

/// What is compared: all recorded runs, or some of them. Only all of them have a mean and miss a kernel.
enum class Compared : std::uint8_t { all, some };

/// That any errors update: no kernels, and any mean is smaller than its.
[[nodiscard]] Ratchet empty_ratchet();
/// Of a text with the columns workload, variant, n, kernel, error_percent, accepted; the mean's row has the workload
/// `mean` and nothing else. Error bad_input, with `origin` and line: malformed, a kernel twice, no mean.
[[nodiscard]] Result<Ratchet> parse_ratchet(std::string_view text, const std::string& origin);
[[nodiscard]] Result<Ratchet> read_ratchet(const std::filesystem::path& file);
/// The text that parse_ratchet reads.
[[nodiscard]] std::string ratchet_text(const Ratchet& ratchet);

/// What does not hold, a sentence each: an error above its line, a kernel without a line, a line without its kernel.
[[nodiscard]] std::vector<std::string> broken_lines(const Ratchet& held, std::span<const CycleComparison> kernels,
                                                    Compared compared);

/// `held` with the errors of `kernels`: smaller ones replace their lines, new kernels get a line, and of all runs lines
/// without a kernel go. Errors greater by more than the tolerance replace theirs only if `reason` says why; else the
/// result is the error check_failed that names them. Lines that stay within the tolerance stay as they are, so that
/// many small steps are no way up. Error bad_input for a reason that is empty or of several lines.
[[nodiscard]] Result<Ratchet> updated_ratchet(const Ratchet& held, std::span<const CycleComparison> kernels,
                                              Compared compared, const std::optional<std::string>& reason);

}  // namespace sassafras::validate
