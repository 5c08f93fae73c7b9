// One axis of a chart: where a number lies, and at which numbers it has ticks.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace sassafras::cli {

class AxisScale {
  public:
    /// From `begin` to `end`, in pixels, so that all of `values` lie between. Logarithmic where they are above 0 and
    /// the greatest is more than twenty times the least.
    AxisScale(std::span<const double> values, double begin, double end);

    [[nodiscard]] double place(double value) const;
    /// Round numbers; some five of them.
    [[nodiscard]] std::vector<double> ticks() const;

  private:
    double low_ = 0;
    double high_ = 1;
    double begin_;
    double end_;
    bool is_logarithmic_ = false;
};

/// 12,000,000 is 12M.
[[nodiscard]] std::string tick_text(double value);

}  // namespace sassafras::cli
