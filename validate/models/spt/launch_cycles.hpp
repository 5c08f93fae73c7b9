// Cycles of launches that someone else measured: what Nsight Compute says of a program's kernels, in their order.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/result.hpp"

namespace sassafras::validate::spt {

class LaunchCycles {
  public:
    /// A CSV file with columns `kernel` and `sm__cycles_elapsed.max`, a row a launch (scripts/spt-launches). Errors:
    /// bad_input with file and line.
    static Result<LaunchCycles> read(const std::filesystem::path& file);

    /// Cycles of the next launch. Error bad_input if it is not `kernel`'s, or if there is none left.
    Result<double> next(const std::string& kernel);
    /// Error bad_input if launches are left.
    [[nodiscard]] Result<void> all_taken() const;

  private:
    std::string file_;
    std::vector<std::pair<std::string, double>> launches_;
    std::size_t at_ = 0;
};

}  // namespace sassafras::validate::spt
