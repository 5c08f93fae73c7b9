#include "cli/reports/axis_scale.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace sassafras::cli {

namespace {

constexpr double least_logarithmic_ratio = 20;
constexpr double margin = 0.05;  // of the axis, beyond the values on both sides

}  // namespace

AxisScale::AxisScale(std::span<const double> values, double begin, double end) : begin_(begin), end_(end) {
    if (values.empty()) return;
    const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
    is_logarithmic_ = *least > 0 && *greatest > least_logarithmic_ratio * *least;
    low_ = is_logarithmic_ ? std::log10(*least) : *least;
    high_ = is_logarithmic_ ? std::log10(*greatest) : *greatest;
    double room = margin * (high_ - low_);
    if (room == 0) room = high_ == 0 ? 1 : margin * std::abs(high_);
    low_ -= room;
    high_ += room;
}

double AxisScale::place(double value) const {
    const double at = is_logarithmic_ ? std::log10(value) : value;
    return begin_ + (at - low_) / (high_ - low_) * (end_ - begin_);
}

std::vector<double> AxisScale::ticks() const {
    std::vector<double> ticks;
    if (is_logarithmic_) {
        const bool fine = high_ - low_ < 3;
        for (int power = static_cast<int>(std::floor(low_)); power <= high_; ++power)
            for (const double digit : {1.0, 2.0, 5.0})
                if (const double at = power + std::log10(digit); at >= low_ && at <= high_ && (fine || digit == 1.0))
                    ticks.push_back(digit * std::pow(10, power));
        return ticks;
    }
    constexpr double wanted = 5;
    const double power = std::pow(10, std::floor(std::log10((high_ - low_) / wanted)));
    double step = 10 * power;
    for (const double digit : {5.0, 2.0, 1.0})
        if ((high_ - low_) / (digit * power) <= 2 * wanted) step = digit * power;
    for (double number = std::ceil(low_ / step); number * step <= high_; ++number) ticks.push_back(number * step);
    return ticks;
}

std::string tick_text(double value) {
    constexpr std::array<std::pair<double, const char*>, 3> units{{{1e9, "G"}, {1e6, "M"}, {1e3, "k"}}};
    for (const auto& [size, unit] : units)
        if (std::abs(value) >= 10 * size || (std::abs(value) >= size && std::fmod(value, size / 10) == 0))
            return fmt::format("{:.6g}{}", value / size, unit);
    return fmt::format("{:.6g}", value);
}

}  // namespace sassafras::cli
