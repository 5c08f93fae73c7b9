// A calibrated platform as a file.
#pragma once

#include <string>

#include "sim/platform/platform_reader.hpp"
#include "validate/calibrate/calibration.hpp"

namespace sassafras::validate::calibrate {

/// The text of a platform `name` based on `base` (a name, or a path beside which the file will lie): what the driver
/// says is `datasheet`, what a rule found is `measured`, each with the row and its spread; all else is the base's, and
/// assumed. It can be read back, and has the hash of `calibration.platform`.
[[nodiscard]] std::string platform_file(const Calibration& calibration, const GpuAttributes& attributes,
                                        const std::string& name, const std::string& base);

/// Where a measured number comes from, as the file says it.
[[nodiscard]] std::string source_of(const CalibratedNumber& number, const GpuAttributes& attributes);

}  // namespace sassafras::validate::calibrate
