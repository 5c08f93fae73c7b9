#include "cli/options/metric_names.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "core/spelling.hpp"
#include "core/text_pattern.hpp"

namespace sassafras::cli {

namespace {

constexpr std::size_t nearest_names = 3;

/// The nearest by spelling of all that are printed.
std::string nearest_metrics(const std::string& wrong) {
    std::vector<std::pair<std::size_t, std::string_view>> near;
    for (const sim::MetricRow& row : sim::metric_rows)
        if (!row.is_part) near.emplace_back(edit_distance(wrong, row.name), row.name);
    std::stable_sort(near.begin(), near.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::string text;
    for (std::size_t i = 0; i < std::min(nearest_names, near.size()); ++i)
        text += fmt::format("{}{}", text.empty() ? "" : ", ", near[i].second);
    return text;
}

std::vector<sim::MetricId> metrics_named(const std::string& name) {
    std::vector<sim::MetricId> found;
    for (std::size_t i = 0; i < sim::metric_count; ++i) {
        const sim::MetricId id{static_cast<std::uint16_t>(i)};
        const std::string_view of = name_of(id);
        if (of == name || (!row_of(id).is_part && of.starts_with(name + "."))) found.push_back(id);
    }
    return found;
}

Result<std::vector<sim::MetricId>> metrics_of_word(const std::string& word) {
    if (!word.starts_with(regex_prefix)) {
        auto found = metrics_named(word);
        if (!found.empty()) return found;
        return Error{ErrorKind::bad_input, fmt::format("there is no metric \"{}\"", word), "--metrics",
                     fmt::format("the nearest are {}; sassafras list --metrics shows all", nearest_metrics(word))};
    }
    const auto pattern = TextPattern::parse(word, "--metrics");
    if (!pattern) return pattern.error();
    std::vector<sim::MetricId> found;
    for (std::size_t i = 0; i < sim::metric_count; ++i) {
        const sim::MetricId id{static_cast<std::uint16_t>(i)};
        if (!row_of(id).is_part && pattern->matches(std::string(name_of(id)))) found.push_back(id);
    }
    if (!found.empty()) return found;
    return Error{ErrorKind::bad_input, fmt::format("no metric matches \"{}\"", word), "--metrics",
                 "sassafras list --metrics shows all"};
}

}  // namespace

Result<std::vector<sim::MetricId>> parse_metrics(const std::string& text) {
    std::vector<sim::MetricId> metrics;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        auto found = metrics_of_word(text.substr(begin, end - begin));
        if (!found) return found.error();
        metrics.insert(metrics.end(), found->begin(), found->end());
        begin = end + 1;
    }
    std::sort(metrics.begin(), metrics.end());
    metrics.erase(std::unique(metrics.begin(), metrics.end()), metrics.end());
    return metrics;
}

}  // namespace sassafras::cli
