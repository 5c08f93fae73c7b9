// What `sassafras calibrate` found, in the forms in which it is printed.
#pragma once

#include <string>
#include <vector>

#include "validate/calibrate/calibration.hpp"

namespace sassafras::cli {

struct CalibrationReport {
    std::vector<std::string> command;  ///< as recorded_command makes it
    validate::calibrate::GpuAttributes attributes;
    std::string base;       ///< name of the platform from which it started
    std::string base_hash;  ///< of its numbers
    validate::calibrate::Calibration calibration;
};

/// For people: how many numbers are from where, a line for each that was measured or that the driver says otherwise
/// than the base, then the names of those that are left as they were.
[[nodiscard]] std::string to_table(const CalibrationReport& report);

/// A line a number: pointer, how, base, value, least, greatest, row, less, measured, measured_least, measured_greatest,
/// simulated.
[[nodiscard]] std::string to_csv(const CalibrationReport& report);

/// Two spaces of indentation and a newline at the end.
[[nodiscard]] std::string to_json(const CalibrationReport& report);

}  // namespace sassafras::cli
