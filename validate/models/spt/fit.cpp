#include "validate/models/spt/fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

namespace sassafras::validate::spt {

namespace {

constexpr double well_below = 0.25;  ///< share of the knee's M, L B
constexpr double well_above = 2;     ///< likewise
constexpr double plateau = 0.95;     ///< share of the greatest throughput

/// The 97.5 % quantile of Student's t.
double student(std::size_t degrees) {
    constexpr std::array table{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                               2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
                               2.080,  2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042};
    if (degrees <= table.size()) return table[degrees - 1];
    constexpr double normal = 1.95996;
    constexpr double next_term = 2.3724;  // (z^3 + z) / 4, of Fisher's expansion
    return normal + next_term / static_cast<double>(degrees);
}

/// Of positive values.
FittedValue geometric_mean(const std::vector<double>& values) {
    const auto count = static_cast<double>(values.size());
    double sum = 0;
    for (const double value : values) sum += std::log(value);
    const double mean = sum / count;
    FittedValue estimate{std::exp(mean), std::nullopt, values.size()};
    if (values.size() < 2) return estimate;
    double squares = 0;
    for (const double value : values) squares += (std::log(value) - mean) * (std::log(value) - mean);
    const double half = student(values.size() - 1) * std::sqrt(squares / (count - 1) / count);
    estimate.interval = Interval{std::exp(mean - half), std::exp(mean + half)};
    return estimate;
}

bool positive(double value) { return std::isfinite(value) && value > 0; }

}  // namespace

Result<OperationFit> fit_operation(std::span<const CurvePoint> points) {
    if (points.empty()) return Error{ErrorKind::bad_input, "a curve without points", "spt fit", {}};
    for (const CurvePoint& point : points)
        if (!positive(point.oversubscription) || !positive(point.ilp) || !positive(point.cycles))
            return Error{ErrorKind::bad_input, "a point whose M_o, M_I or time is not positive", "spt fit",
                         "measure with a longer run: between two runs nothing but operations may differ"};
    const auto throughput = [](const CurvePoint& point) { return point.oversubscription / point.cycles; };
    const auto latency = [](const CurvePoint& point) { return point.cycles * point.ilp; };
    const auto multiplicity = [](const CurvePoint& point) { return point.oversubscription * point.ilp; };

    double most = 0;
    double least_multiplicity = multiplicity(points.front());
    for (const CurvePoint& point : points) {
        most = std::max(most, throughput(point));
        least_multiplicity = std::min(least_multiplicity, multiplicity(point));
    }
    std::vector<double> at_least;
    for (const CurvePoint& point : points)
        if (multiplicity(point) <= least_multiplicity) at_least.push_back(latency(point));
    const double knee = geometric_mean(at_least).value * most;

    std::vector<double> latencies;
    std::vector<double> throughputs;
    for (const CurvePoint& point : points) {
        if (multiplicity(point) <= std::max(least_multiplicity, well_below * knee)) latencies.push_back(latency(point));
    }
    // Of the points above the knee, if there are any, those that reach the plateau.
    double from = 0;
    double greatest = most;
    const auto above = [&](const CurvePoint& point) { return multiplicity(point) >= well_above * knee; };
    if (std::any_of(points.begin(), points.end(), above)) {
        from = well_above * knee;
        greatest = 0;
        for (const CurvePoint& point : points)
            if (above(point)) greatest = std::max(greatest, throughput(point));
    }
    for (const CurvePoint& point : points)
        if (multiplicity(point) >= from && throughput(point) >= plateau * greatest)
            throughputs.push_back(throughput(point));
    OperationFit fit;
    fit.latency = geometric_mean(latencies);
    fit.bandwidth = geometric_mean(throughputs);

    for (const CurvePoint& point : points) {
        const double said = std::max(point.oversubscription / fit.bandwidth.value, fit.latency.value / point.ilp);
        const double error = std::abs(said / point.cycles - 1);
        fit.typical_error += error / static_cast<double>(points.size());
        fit.greatest_error = std::max(fit.greatest_error, error);
    }
    return fit;
}

Result<FittedValue> fit_sync(std::span<const SyncPoint> points) {
    struct Means {
        double count = 0, kernels = 0, cycles = 0;
    };
    std::map<double, Means> means;
    for (const SyncPoint& point : points) {
        Means& mean = means[point.oversubscription];
        mean.count += 1;
        mean.kernels += point.kernels;
        mean.cycles += point.cycles;
    }
    double products = 0;
    double squares = 0;
    for (const SyncPoint& point : points) {
        const Means& mean = means[point.oversubscription];
        const double kernels = point.kernels - mean.kernels / mean.count;
        products += kernels * (point.cycles - mean.cycles / mean.count);
        squares += kernels * kernels;
    }
    if (!positive(squares) || !std::isfinite(products))
        return Error{ErrorKind::bad_input, "no two runs with different numbers of kernels", "spt fit", {}};
    FittedValue slope{products / squares, std::nullopt, points.size()};
    const std::size_t fitted = means.size() + 1;
    if (points.size() <= fitted) return slope;
    double residuals = 0;
    for (const SyncPoint& point : points) {
        const Means& mean = means[point.oversubscription];
        const double off =
            point.cycles - mean.cycles / mean.count - slope.value * (point.kernels - mean.kernels / mean.count);
        residuals += off * off;
    }
    const std::size_t degrees = points.size() - fitted;
    const double half = student(degrees) * std::sqrt(residuals / static_cast<double>(degrees) / squares);
    slope.interval = Interval{slope.value - half, slope.value + half};
    return slope;
}

}  // namespace sassafras::validate::spt
