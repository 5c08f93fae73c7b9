// The value of one number with which a measurement comes out as it did.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "core/result.hpp"
#include "validate/calibrate/rule.hpp"

namespace sassafras::validate::calibrate {

/// The values that a search may give: every whole number, or every number of three significant digits.
class Grid {
  public:
    enum class Kind : std::uint8_t { whole, three_digits };
    explicit Grid(Kind kind) : kind_(kind) {}
    /// value(index) rises with the index; index(value) is that of the nearest value. Of three digits: value > 0.
    [[nodiscard]] double value(std::int64_t index) const;
    [[nodiscard]] std::int64_t index(double value) const;

  private:
    Kind kind_;
};

/// What a GPU gave for a row: the median of a few runs, and how far they lie apart.
struct Measurement {
    double median = 0;
    double least = 0;
    double greatest = 0;
};

enum class Outcome : std::uint8_t {
    found,
    insensitive,   ///< the row does not depend on the number
    out_of_reach,  ///< no value gives a row within a tenth of the median
};

struct Solution {
    Outcome outcome = Outcome::found;
    double value = 0;      ///< where nothing was found, the one that was there before
    double least = 0;      ///< the values from here...
    double greatest = 0;   ///< ...to here give a row within what was measured; if none does, the nearest one
    double simulated = 0;  ///< the row, with `value`
};

/// The row as the simulator gives it with this value of the number; an error if there can be no such platform.
using Simulate = std::function<Result<double>(double value)>;

/// What was there before, if its row is within `measured.least` to `.greatest`, and two thousandths of the median at
/// least about it; else the value whose row is nearest to the median. The row must rise or fall with the value, as the
/// rule says; it may stay the same in places. The first error of `simulate` is returned if it comes with the value that
/// was there before; later ones end the range.
[[nodiscard]] Result<Solution> solve(const Rule& rule, const Grid& grid, double before, const Measurement& measured,
                                     const Simulate& simulate);

}  // namespace sassafras::validate::calibrate
