// Lines of CUDA with the instructions that were made of them, the hottest first.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/reports/report.hpp"

namespace sassafras::cli {

/// Of each kernel. Hot is where warps stand: by cycles, without time by executions. Texts of lines are those of the
/// files of that name in `folders`, the first that there is. Padding behind the code is left out.
/// Lines are at most `columns` wide, as far as that goes.
[[nodiscard]] std::string source_view(const Report& report, const std::vector<std::string>& folders,
                                      std::size_t columns);

}  // namespace sassafras::cli
