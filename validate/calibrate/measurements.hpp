// What was measured on a GPU for its calibration: enough to solve for its numbers later and elsewhere.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "isa/sass/architecture.hpp"
#include "validate/calibrate/gpu_attributes.hpp"
#include "validate/calibrate/rule.hpp"

namespace sassafras::validate::calibrate {

struct Measurements {
    GpuAttributes attributes;
    isa::ComputeCapability capability;
    std::string platform;                             ///< of a modelled GPU its platform's name; else empty
    std::map<std::string, std::vector<double>> rows;  ///< by "name parameter": each repetition
};

/// One run of these microbenchmarks, "name parameter" each: their values in the same order.
using MeasureRows = std::function<Result<std::vector<double>>(const std::vector<std::string>& rows)>;

/// Whether GPUs of this compute capability have the rule's row.
[[nodiscard]] bool has_row(const Rule& rule, isa::ComputeCapability capability);
/// The rows of a rule: one, or two of which the second is subtracted.
[[nodiscard]] std::vector<std::string> rows_of(const Rule& rule);

/// Adds the rows that these rules need to `measurements`, whose other members are filled in. Rows of a rule that has
/// two are measured one right after the other.
[[nodiscard]] Result<void> measure(Measurements& measurements, const std::vector<Rule>& rules,
                                   std::uint32_t repetitions, const MeasureRows& measure_rows,
                                   const std::function<void(const std::string&)>& progress);

/// As a JSON document, and back. Errors: bad_input, with the place, for what is no such document, and for values beyond
/// 1e15.
[[nodiscard]] std::string measurements_json(const Measurements& measurements);
[[nodiscard]] Result<Measurements> read_measurements(std::string_view text, std::string_view origin);

}  // namespace sassafras::validate::calibrate
