#include <array>
#include <utility>

#include "cli/html/charts/charts.hpp"
#include "cli/html/spec.hpp"

namespace sassafras::cli::charts {

namespace {

using SeriesPart = std::pair<const char*, double SeriesTimes::*>;
constexpr std::array<SeriesPart, 5> parts_of_series{{{"global memory (g)", &SeriesTimes::g},
                                                     {"shared memory (s)", &SeriesTimes::s},
                                                     {"registers (r)", &SeriesTimes::r},
                                                     {"barriers (y)", &SeriesTimes::y},
                                                     {"synchronisation", &SeriesTimes::sync}}};

/// A row for each part of each point. Of a series with more than one axis a point is also known by the others.
Spec part_rows(const SeriesReport& report) {
    Spec values = Spec::array();
    for (const SeriesRow& row : report.rows) {
        if (!row.spt || row.values.empty()) continue;
        std::string others;
        for (std::size_t i = 1; i < row.values.size(); ++i)
            others += (i > 1 ? ", " : "") + report.axes[i] + " = " + std::to_string(row.values[i]);
        for (const auto& [name, member] : parts_of_series)
            values.push_back({{"x", row.values[0]},
                              {"part", name},
                              {"cycles", row.spt.value().*member},
                              {"share", row.spt->cycles > 0 ? row.spt.value().*member / row.spt->cycles : 0},
                              {"others", others}});
    }
    return values;
}

Spec axis_of_series(const SeriesReport& report) {
    return {{"field", "x"},
            {"type", "quantitative"},
            {"title", report.axes.empty() ? "n" : report.axes[0]},
            {"scale", {{"type", "log"}, {"base", 2}, {"nice", false}}},
            {"axis", {{"format", ","}, {"tickCount", 6}}}};
}

}  // namespace

Spec series_parts(const SeriesReport& report) {
    Spec values = part_rows(report);
    // A logarithm has no place for parts that are 0.
    Spec shown = Spec::array();
    for (Spec& row : values)
        if (row["cycles"].get<double>() > 0) shown.push_back(std::move(row));
    const bool has_others = report.axes.size() > 1;
    Spec encoding{{"x", axis_of_series(report)},
                  {"y",
                   {{"field", "cycles"},
                    {"type", "quantitative"},
                    {"title", "cycles"},
                    {"scale", {{"type", "log"}}},
                    {"axis", {{"format", "~s"}, {"tickCount", 6}}}}},
                  {"color", color_by("part")}};
    if (has_others) encoding["strokeDash"] = {{"field", "others"}, {"type", "nominal"}, {"title", nullptr}};
    return spec_of(std::move(shown), {{"height", 300},
                                      {"mark", {{"type", "line"}, {"point", true}, {"tooltip", {{"content", "data"}}}}},
                                      {"encoding", std::move(encoding)}});
}

Spec series_shares(const SeriesReport& report) {
    if (report.axes.size() > 1) return nullptr;
    return spec_of(part_rows(report), {{"height", 220},
                                       {"mark", {{"type", "area"}, {"tooltip", {{"content", "data"}}}}},
                                       {"encoding",
                                        {{"x", axis_of_series(report)},
                                         {"y",
                                          {{"field", "share"},
                                           {"type", "quantitative"},
                                           {"stack", "zero"},
                                           {"title", "share of T"},
                                           {"axis", {{"format", "%"}}},
                                           {"scale", {{"domain", {0, 1}}}}}},
                                         {"color", color_by("part")}}}});
}

}  // namespace sassafras::cli::charts
