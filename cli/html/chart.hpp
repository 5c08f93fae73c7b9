// A chart is data: a row that says how it is called and what it is made from, and a Vega-Lite specification with its
// values inside. Nothing about looks is in a specification: the page and --svg bring their own theme.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace sassafras::cli {

/// One in a list; a chart is a file of cli/html/charts and its row.
template <class Of>
struct ChartRow {
    std::string_view name{};                              ///< of files and places in the page: "speed-of-light"
    std::string_view title{};                             ///< above it
    std::string_view about{};                             ///< a sentence or two: what is seen
    bool wide = false;                                    ///< takes the whole width of the page
    nlohmann::ordered_json (*spec)(const Of&) = nullptr;  ///< null where there is nothing to draw
};

/// One that is drawn. All its values are in `spec["datasets"]`, each a list of objects with the same fields.
struct Chart {
    std::string name;
    std::string title;
    std::string about;
    bool wide = false;
    nlohmann::ordered_json spec;
};

template <class Of>
[[nodiscard]] std::vector<Chart> charts_of(std::span<const ChartRow<Of>> rows, const Of& of) {
    std::vector<Chart> charts;
    for (const ChartRow<Of>& row : rows)
        if (auto spec = row.spec(of); !spec.is_null())
            charts.push_back(
                {std::string(row.name), std::string(row.title), std::string(row.about), row.wide, std::move(spec)});
    return charts;
}

}  // namespace sassafras::cli
