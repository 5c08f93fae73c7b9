#include "study/compare/difference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace sassafras::study {

namespace {

constexpr double percent_of_all = 100;

using Metrics = std::vector<const MeasuredMetric*>;

Metrics chosen_metrics(const MeasuredLaunch& launch, const std::vector<TextPattern>& patterns) {
    Metrics chosen;
    for (const MeasuredMetric& metric : launch.metrics) {
        const auto matches = [&](const TextPattern& pattern) { return pattern.matches(metric.name); };
        if (patterns.empty() || std::any_of(patterns.begin(), patterns.end(), matches)) chosen.push_back(&metric);
    }
    return chosen;
}

std::optional<double> change_percent(double a, double b) {
    if (a == b) return 0;
    if (a == 0) return std::nullopt;
    return percent_of_all * (b - a) / std::abs(a);
}

bool same_extents(const std::optional<Dim3>& a, const std::optional<Dim3>& b) {
    return !a || !b || (a->x == b->x && a->y == b->y && a->z == b->z);
}

/// The unit that a metric has in both reports; a bare number has the other's.
std::optional<std::string> common_unit(const std::string& a, const std::string& b) {
    if (a == b || b.empty()) return a;
    if (a.empty()) return b;
    return std::nullopt;
}

LaunchDifference compare(const LaunchPair& pair, const MeasuredLaunch& a, const MeasuredLaunch& b,
                         const std::vector<TextPattern>& patterns, double threshold, ReportDifference& total) {
    LaunchDifference result;
    result.pair = pair;
    result.is_same_shape = same_extents(a.grid, b.grid) && same_extents(a.block, b.block);
    std::map<std::string, const MeasuredMetric*> others;
    for (const MeasuredMetric* metric : chosen_metrics(b, patterns)) others.emplace(metric->name, metric);
    for (const MeasuredMetric* metric : chosen_metrics(a, patterns)) {
        const auto found = others.find(metric->name);
        if (found == others.end()) {
            result.only_a.push_back(metric->name);
            continue;
        }
        const MeasuredMetric& other = *found->second;
        others.erase(found);
        const auto unit = common_unit(metric->unit, other.unit);
        if (!unit) {
            result.other_unit.push_back(metric->name);
            continue;
        }
        const MetricChange change{metric->name, *unit, metric->value, other.value,
                                  change_percent(metric->value, other.value)};
        ++total.compared;
        total.largest_percent = std::max(total.largest_percent, change.size());
        if (change.size() == 0)
            ++result.equal;
        else if (change.size() <= threshold)
            ++result.below;
        else
            result.changes.push_back(change);
    }
    for (const MeasuredMetric& metric : b.metrics)  // in its order
        if (others.contains(metric.name)) result.only_b.push_back(metric.name);
    std::stable_sort(result.changes.begin(), result.changes.end(),
                     [](const MetricChange& one, const MetricChange& other) { return one.size() > other.size(); });
    return result;
}

}  // namespace

double MetricChange::size() const { return percent ? std::abs(*percent) : std::numeric_limits<double>::infinity(); }

ReportDifference difference(const MeasuredReport& a, const MeasuredReport& b, const std::vector<TextPattern>& metrics,
                            double threshold_percent) {
    LaunchMatch match = match_launches(a.launches, b.launches);
    ReportDifference result;
    for (const LaunchPair& pair : match.pairs)
        result.launches.push_back(
            compare(pair, a.launches[pair.a], b.launches[pair.b], metrics, threshold_percent, result));
    result.only_a = std::move(match.only_a);
    result.only_b = std::move(match.only_b);
    return result;
}

}  // namespace sassafras::study
