// What `sassafras diagnose` prints of a Xeon Phi's counters, in its two forms.
#pragma once

#include <string>
#include <vector>

#include "study/diagnose/xeon_phi.hpp"

namespace sassafras::cli {

struct PhiReport {
    std::vector<std::string> command;
    std::vector<study::PhiFigure> figures;
};

/// A line a figure, its threshold beside it; then what is worth a look.
[[nodiscard]] std::string to_table(const PhiReport& report);
[[nodiscard]] std::string to_json(const PhiReport& report);

}  // namespace sassafras::cli
