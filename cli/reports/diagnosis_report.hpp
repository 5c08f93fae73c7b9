// What `sassafras diagnose` prints of kernels, in its two forms.
#pragma once

#include <string>
#include <vector>

#include "study/diagnose/diagnosis.hpp"

namespace sassafras::cli {

struct DiagnosisReport {
    std::vector<std::string> command;
    study::Machine machine;
    study::Thresholds thresholds;
    std::vector<study::Diagnosis> kernels;
};

/// A part a kernel: what bounds it and why, its metrics, what to try.
[[nodiscard]] std::string to_table(const DiagnosisReport& report);
[[nodiscard]] std::string to_json(const DiagnosisReport& report);

}  // namespace sassafras::cli
