#include "sim/metrics/metric_set.hpp"

#include <stdexcept>

namespace sassafras::sim {

namespace {

struct ResolvedRatio {
    double scale = 1;
    std::array<std::optional<MetricId>, most_parts> parts{};
    std::array<std::optional<MetricId>, most_parts> wholes{};
};

constexpr std::array<std::optional<MetricId>, most_parts> resolved(
    const std::array<std::string_view, most_parts>& names) {
    std::array<std::optional<MetricId>, most_parts> ids{};
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i].empty()) continue;
        ids[i] = find_metric(names[i]).value();
        if (row_of(*ids[i]).known_by == KnownBy::ratio) throw std::logic_error("a ratio of ratios");
    }
    return ids;
}

/// Names are looked up at compile time: one that is no row, or is a ratio itself, does not compile.
constexpr std::array<ResolvedRatio, metric_count> ratios = [] {
    std::array<ResolvedRatio, metric_count> all{};
    for (std::size_t i = 0; i < metric_count; ++i) {
        const MetricRow& row = metric_rows[i];
        if (row.known_by == KnownBy::ratio)
            all[i] = {row.ratio.scale, resolved(row.ratio.parts), resolved(row.ratio.wholes)};
    }
    return all;
}();

}  // namespace

std::vector<std::pair<MetricId, double>> MetricSet::all() const {
    std::vector<std::pair<MetricId, double>> values;
    for (std::size_t i = 0; i < metric_count; ++i)
        if (known_[i]) values.emplace_back(MetricId{static_cast<std::uint16_t>(i)}, values_[i]);
    return values;
}

std::vector<std::pair<MetricId, double>> MetricSet::reported() const {
    auto values = all();
    std::erase_if(values, [](const auto& value) { return row_of(value.first).is_part; });
    return values;
}

void MetricSet::add_ratios() {
    for (std::size_t i = 0; i < metric_count; ++i) {
        const MetricId id{static_cast<std::uint16_t>(i)};
        if (row_of(id).known_by != KnownBy::ratio) continue;
        if (const auto value = ratio_of(id, [&](MetricId part) { return find(part); })) put(id, *value);
    }
}

void add_counts(MetricSet& metrics, const MetricCounts& counts, KnownBy known_by) {
    for (std::size_t i = 0; i < counted_metrics; ++i) {
        const MetricId id{static_cast<std::uint16_t>(i)};
        const KnownBy needed = metric_rows[i].known_by;
        if (needed == KnownBy::execution || needed == known_by) metrics.put(id, static_cast<double>(counts[id]));
    }
}

std::optional<double> ratio_of(MetricId id, const std::function<std::optional<double>(MetricId)>& value_of) {
    const auto sum = [&](const std::array<std::optional<MetricId>, most_parts>& ids) {
        std::optional<double> total = 0;
        for (const auto& part : ids) {
            const auto value = part ? value_of(*part) : 0;
            total = total && value ? std::optional(*total + *value) : std::nullopt;
        }
        return total;
    };
    const ResolvedRatio& ratio = ratios[id.index];
    const auto parts = sum(ratio.parts);
    const auto wholes = sum(ratio.wholes);
    if (!parts || !wholes) return std::nullopt;
    return ratio.scale * (*wholes == 0 ? 0 : *parts / *wholes);
}

std::string formula_text(const MetricRow& row) {
    const auto sum = [](const std::array<std::string_view, most_parts>& names) {
        std::string text(names[0]);
        for (std::size_t i = 1; i < names.size() && !names[i].empty(); ++i) text += " + " + std::string(names[i]);
        return names[1].empty() ? text : "(" + text + ")";
    };
    const std::string scale = row.ratio.scale == 1 ? "" : std::to_string(static_cast<int>(row.ratio.scale)) + " * ";
    return scale + sum(row.ratio.parts) + " / " + sum(row.ratio.wholes);
}

}  // namespace sassafras::sim
