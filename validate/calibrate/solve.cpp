#include "validate/calibrate/solve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

namespace sassafras::validate::calibrate {

namespace {

constexpr std::int64_t digits_of_decade = 900;  ///< 100 to 999
constexpr double least_digits = 100;

/// Where no value gives what was measured, the nearest row is taken for it if it is no farther away than this: nothing
/// is issued more often than every cycle, whole cycles are coarse, and the simulator's rows are not exact.
constexpr double nearest_share = 0.1;
/// Rows that lie no farther apart are the same: a loop's begin and end, and how warps meet in it, move them by so much.
constexpr double same_share = 0.002;
constexpr double infinite = std::numeric_limits<double>::infinity();

/// The row by index, each simulated once, turned round where it falls, so that it rises with the index. Beyond the
/// rule's range, and where there can be no such platform, it is infinite.
class RisingRow {
  public:
    RisingRow(const Rule& rule, const Grid& grid, double before, const Simulate& simulate)
        : sign_(rule.slope == Slope::rises ? 1 : -1),
          grid_(grid),
          before_(before),
          start_(grid.index(before)),
          least_(std::min(start_, grid.index(rule.least))),
          greatest_(std::max(start_, grid.index(rule.greatest))),
          simulate_(&simulate) {}

    /// An error here is of the simulation itself: there is a platform with the value that was there before.
    [[nodiscard]] Result<void> begin() {
        const auto row = (*simulate_)(before_);
        if (!row) return row.error();
        if (!std::isfinite(*row)) return Error{ErrorKind::bad_input, "a simulated row is no number", "calibrate"};
        rows_.emplace(start_, sign_ * *row);
        return {};
    }
    [[nodiscard]] std::int64_t start() const { return start_; }
    [[nodiscard]] std::int64_t least() const { return least_; }
    [[nodiscard]] std::int64_t greatest() const { return greatest_; }
    /// What was there before may have more digits than the grid.
    [[nodiscard]] double value(std::int64_t index) const { return index == start_ ? before_ : grid_.value(index); }

    [[nodiscard]] double at(std::int64_t index) {
        if (index < least_) return -infinite;
        if (index > greatest_) return infinite;
        if (const auto known = rows_.find(index); known != rows_.end()) return known->second;
        const auto row = (*simulate_)(value(index));
        const double rising = row && std::isfinite(*row) ? sign_ * *row : index < start_ ? -infinite : infinite;
        rows_.emplace(index, rising);
        return rising;
    }
    /// The least index whose row is not below `wanted`, found from the start outwards, then between by straight lines
    /// and halves in turns.
    [[nodiscard]] std::int64_t first_not_below(double wanted) {
        std::int64_t low = start_;
        std::int64_t high = start_;
        const std::int64_t first_step = proportional_step(wanted);
        for (std::int64_t step = first_step; at(high) < wanted; step *= 2) {
            low = high;
            high = std::min(high + step, greatest_ + 1);
        }
        for (std::int64_t step = first_step; at(low) >= wanted; step *= 2) {
            high = low;
            low = std::max(low - step, least_ - 1);
        }
        for (bool halve = false; high - low > 1; halve = !halve) {
            const std::int64_t middle = halve ? low + (high - low) / 2 : between(low, high, wanted);
            (at(middle) < wanted ? low : high) = middle;
        }
        return high;
    }
    [[nodiscard]] double turned(double row) const { return sign_ * row; }
    /// Whether every row that was simulated was the same.
    [[nodiscard]] bool is_flat() const {
        std::optional<double> first;
        for (const auto& [index, row] : rows_) {
            if (!std::isfinite(row)) continue;
            if (first && *first != row) return false;
            first = row;
        }
        return true;
    }

  private:
    /// From the start to where the row would be `wanted` if it were proportional to the number, or to one over it.
    [[nodiscard]] std::int64_t proportional_step(double wanted) {
        const double ratio = wanted / at(start_);
        const double value = before_ * (sign_ > 0 ? ratio : 1 / ratio);
        if (!(value > 0) || !std::isfinite(value)) return 1;
        const double within = std::clamp(value, grid_.value(least_), grid_.value(greatest_));
        return std::max<std::int64_t>(1, std::abs((within > 0 ? grid_.index(within) : least_) - start_));
    }
    /// Where the row would be `wanted` if it were straight between the two, which are more than one apart: most rows
    /// are nearly so, and then this is next to the answer. It is none of the two.
    [[nodiscard]] std::int64_t between(std::int64_t low, std::int64_t high, double wanted) {
        const double below = at(low);
        const double above = at(high);
        const double share = std::isfinite(below) && std::isfinite(above) ? (wanted - below) / (above - below) : 0.5;
        const auto reach = static_cast<std::int64_t>(std::ceil(share * static_cast<double>(high - low)));
        return std::clamp(low + reach, low + 1, high - 1);
    }

    double sign_;
    Grid grid_;
    double before_;
    std::int64_t start_;
    std::int64_t least_;
    std::int64_t greatest_;
    const Simulate* simulate_;
    std::map<std::int64_t, double> rows_;
};

}  // namespace

double Grid::value(std::int64_t index) const {
    if (kind_ == Kind::whole) return static_cast<double>(index);
    const auto decade = static_cast<std::int64_t>(std::floor(static_cast<double>(index) / digits_of_decade));
    const auto digits = static_cast<double>(index - decade * digits_of_decade) + least_digits;
    // Divided, not multiplied by a power that is no binary fraction: 83 / 100 is what "0.83" is read as.
    return decade >= 2 ? digits * std::pow(10.0, static_cast<double>(decade - 2))
                       : digits / std::pow(10.0, static_cast<double>(2 - decade));
}

std::int64_t Grid::index(double value) const {
    if (kind_ == Kind::whole) return std::llround(value);
    require_invariant(value > 0, "a number of three significant digits must be above 0");
    auto decade = static_cast<std::int64_t>(std::floor(std::log10(value)));
    const double digits = std::round(value / std::pow(10.0, static_cast<double>(decade)) * least_digits);
    return decade * digits_of_decade + std::llround(digits - least_digits);
}

Result<Solution> solve(const Rule& rule, const Grid& grid, double before, const Measurement& measured,
                       const Simulate& simulate) {
    RisingRow row(rule, grid, before, simulate);
    const std::int64_t start = row.start();
    if (auto begun = row.begin(); !begun) return begun.error();
    for (const double value : {measured.least, measured.median, measured.greatest})
        if (!std::isfinite(value))
            return Error{ErrorKind::bad_input, "a measured row is no number", std::string(rule.row)};
    const double median = row.turned(measured.median);
    const double about = same_share * std::abs(median);
    const double low = std::min({row.turned(measured.least), row.turned(measured.greatest), median - about});
    const double high = std::max({row.turned(measured.least), row.turned(measured.greatest), median + about});
    const std::int64_t first = row.first_not_below(low);
    const std::int64_t past = row.first_not_below(std::nextafter(high, infinite));

    Solution solution;
    std::int64_t chosen = start;
    if (first < past) {
        if (start < first || start >= past) {
            const std::int64_t above = row.first_not_below(median);
            const bool nearer_below = median - row.at(above - 1) < row.at(above) - median;
            chosen = std::clamp(nearer_below ? above - 1 : above, first, past - 1);
        }
        solution.least = row.value(first);
        solution.greatest = row.value(past - 1);
    } else {
        const double below = median - row.at(first - 1);
        const double above = row.at(first) - median;
        const double nearest = below < above ? row.at(first - 1) : row.at(first);
        if (!(std::abs(nearest - median) <= nearest_share * std::abs(median))) {
            solution.outcome = Outcome::out_of_reach;
            solution.least = solution.greatest = row.value(start);
        } else {
            // All rows that lie as near: where a row does not depend on the number it need not rise either.
            const double reach = std::abs(nearest - median) + about;
            const std::int64_t low_end = row.first_not_below(median - reach);
            const std::int64_t high_end =
                std::max(low_end, row.first_not_below(std::nextafter(median + reach, infinite)) - 1);
            chosen = std::clamp(start, low_end, high_end);
            solution.least = row.value(low_end);
            solution.greatest = row.value(high_end);
        }
    }
    // One end may have been all that was looked at: a row that stays the same there may well move elsewhere.
    (void)row.at(std::clamp(start / 2, row.least(), row.greatest()));
    (void)row.at(std::clamp(start + std::max<std::int64_t>(1, std::abs(start)), row.least(), row.greatest()));
    if (row.is_flat()) {
        solution.outcome = Outcome::insensitive;
        chosen = start;
    }
    solution.value = row.value(chosen);
    solution.simulated = row.turned(row.at(chosen));
    return solution;
}

}  // namespace sassafras::validate::calibrate
