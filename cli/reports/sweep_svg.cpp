#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>

#include <fmt/format.h>

#include "cli/reports/axis_scale.hpp"
#include "cli/reports/drawing.hpp"
#include "cli/reports/sweep_report.hpp"

namespace sassafras::cli {

namespace {

// Pixels.
constexpr double chart_width = 760;
constexpr double chart_left = 200;
constexpr double chart_right = 190;  // for what stands behind a bar, and the legend
constexpr double bar_height = 18;
constexpr double bar_pitch = 30;
constexpr double plot_height = 380;

constexpr const char* title = "font-size=\"14\" font-weight=\"bold\" fill=\"#111\"";
constexpr const char* caption = "fill=\"#444\"";
constexpr const char* at_end = "text-anchor=\"end\" fill=\"#222\"";
constexpr const char* in_middle = "text-anchor=\"middle\" fill=\"#555\"";
constexpr const char* grid_line = "stroke=\"#ddd\"";

/// A line each reason; where the last one stands.
double draw_left_out(Drawing& to, double y, const CountedRows& counted, const std::string& number) {
    std::istringstream lines(left_out_text(counted, number));
    for (std::string line; std::getline(lines, line);) to.text(16, y += 16, line, caption);
    return y;
}

/// Where the next chart begins.
double draw_sensitivity(Drawing& to, double y, const StudySensitivity& sensitivity) {
    const study::Fit& fit = sensitivity.fit;
    to.text(16, y += 26, fmt::format("What {} depends on", sensitivity.column), title);
    to.text(16, y += 18, "per cent of change where a parameter grows by one per cent, with the 95 % interval", caption);
    to.text(16, y += 16, fmt::format("{} runs, {:.1f} % of the variance explained", fit.samples, 100 * fit.explained),
            caption);
    y = draw_left_out(to, y, sensitivity.counted, "a number above 0");
    for (const auto& one : sensitivity.left_out)
        to.text(16, y += 16, fmt::format("left out: {}: {}", one.name, one.why), caption);
    // An interval that is much wider than all effects ends at the edge; its number stands beside.
    double most = 1e-3;
    for (const auto& one : fit.elasticities) most = std::max(most, std::abs(one.value));
    double reach = most;
    for (const auto& one : fit.elasticities)
        if (std::isfinite(one.margin)) reach = std::max(reach, std::min(std::abs(one.value) + one.margin, 3 * most));
    const double ends[] = {-reach, reach};
    const AxisScale scale(ends, chart_left, chart_width - chart_right);
    const double bottom = (y += 16) + bar_pitch * static_cast<double>(fit.elasticities.size());
    for (const double tick : scale.ticks()) {
        to.line(scale.place(tick), y, scale.place(tick), bottom, grid_line);
        to.text(scale.place(tick), bottom + 16, fmt::format("{:.4g}", tick == 0 ? 0 : tick), in_middle);
    }
    for (const auto& one : fit.elasticities) {
        const double middle = y + bar_pitch / 2;
        const double from = scale.place(std::min(0.0, one.value));
        to.text(chart_left - 10, middle + 4, one.name, at_end);
        to.box(from, middle - bar_height / 2, scale.place(std::max(0.0, one.value)) - from, bar_height,
               one.value < 0 ? R"(class="bar" fill="#3b82b5")" : R"(class="bar" fill="#d1662f")");
        std::string value = fmt::format("{:+.3f}", one.value);
        if (std::isfinite(one.margin)) {
            to.line(scale.place(std::max(one.value - one.margin, -reach)), middle,
                    scale.place(std::min(one.value + one.margin, reach)), middle,
                    R"(class="interval" stroke="#111" stroke-width="2")");
            value += fmt::format(" \u00b1 {:.3f}", one.margin);
        }
        to.text(chart_width - chart_right + 14, middle + 4, value, "fill=\"#222\"");
        y += bar_pitch;
    }
    to.line(scale.place(0), bottom - bar_pitch * static_cast<double>(fit.elasticities.size()), scale.place(0), bottom,
            "stroke=\"#666\"");
    return bottom + 30;
}

/// Evenly around the circle of colours.
std::string color_of_group(std::size_t group, std::size_t groups) {
    return fmt::format("hsl({:.0f},60%,42%)", 212 + 360.0 * static_cast<double>(group) / static_cast<double>(groups));
}

struct Axes {
    AxisScale x;
    AxisScale y;
};

void draw_axes(Drawing& to, double top, const StudyFront& front, const Axes& axes) {
    const double bottom = top + plot_height;
    const double right = chart_width - chart_right;
    for (const double tick : axes.x.ticks()) {
        to.line(axes.x.place(tick), top, axes.x.place(tick), bottom, grid_line);
        to.text(axes.x.place(tick), bottom + 16, tick_text(tick), in_middle);
    }
    for (const double tick : axes.y.ticks()) {
        to.line(chart_left / 2, axes.y.place(tick), right, axes.y.place(tick), grid_line);
        to.text(chart_left / 2 - 8, axes.y.place(tick) + 4, tick_text(tick), at_end);
    }
    to.text((chart_left / 2 + right) / 2, bottom + 36, front.goal_columns[1]->name, in_middle);
    to.text(chart_left / 2, top - 6, front.goal_columns[0]->name, "fill=\"#555\"");
}

std::string description_of(const study::sweep::Table& table, const StudyFront& front, std::size_t row) {
    std::string text = fmt::format("run {}", row);
    for (const auto* column : front.shown)
        text += fmt::format(", {} {}", column->name, study::sweep::text_of(table.at(*column, row)));
    return text;
}

double draw_front(Drawing& to, double y, const study::sweep::Table& table, const StudyFront& front) {
    const auto x_of = [&](std::size_t row) { return number_at(table, *front.goal_columns[1], row); };
    const auto y_of = [&](std::size_t row) { return number_at(table, *front.goal_columns[0], row); };
    const auto is_drawn = [&](std::size_t row) { return std::isfinite(x_of(row)) && std::isfinite(y_of(row)); };
    std::vector<double> xs;
    std::vector<double> ys;
    for (const std::size_t row : front.counted.rows)
        if (is_drawn(row)) {
            xs.push_back(x_of(row));
            ys.push_back(y_of(row));
        }
    to.text(16, y += 26, fmt::format("{} and {}", front.goals[0], front.goals[1]), title);
    std::string what = "filled: runs that no other beats";
    if (!front.groups.empty() && !front.groups.front().work.empty()) what += " with the same work";
    for (std::size_t i = 2; i < front.goals.size(); ++i) what += (i == 2 ? " in these or in " : ", ") + front.goals[i];
    to.text(16, y += 18, what, caption);
    y = draw_left_out(to, y, front.counted, "a number in all of these") + 30;
    const Axes axes{{xs, chart_left / 2, chart_width - chart_right}, {ys, y + plot_height, y}};
    draw_axes(to, y, front, axes);
    const auto dot = [&](std::size_t row, const std::string& attributes) {
        if (is_drawn(row))
            to.dot(axes.x.place(x_of(row)), axes.y.place(y_of(row)), 4.5, attributes,
                   description_of(table, front, row));
    };
    for (std::size_t i = 0; i < front.groups.size(); ++i) {
        const StudyFront::Group& group = front.groups[i];
        const std::string color = color_of_group(i, front.groups.size());
        for (const std::size_t row : group.rows)
            if (std::find(group.front.begin(), group.front.end(), row) == group.front.end())
                dot(row, fmt::format("class=\"run\" fill=\"none\" stroke=\"{}\" stroke-opacity=\"0.6\"", color));
        std::string along;
        for (const std::size_t row : group.front)
            along += fmt::format("{}{:.1f} {:.1f}", along.empty() ? "M" : "L", axes.x.place(x_of(row)),
                                 axes.y.place(y_of(row)));
        if (group.front.size() > 1 && front.goals.size() == 2)
            to.path(along, fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"1.2\"", color));
        for (const std::size_t row : group.front) dot(row, fmt::format("class=\"front\" fill=\"{}\"", color));
        constexpr std::size_t most_named = 18;
        if (!group.work.empty() && i < most_named)
            to.text(chart_width - chart_right + 14, y + 10 + 20 * static_cast<double>(i), group.work,
                    fmt::format("fill=\"{}\"", color));
    }
    return y + plot_height + 50;
}

}  // namespace

std::string study_svg(const study::sweep::Table& table, const std::optional<StudySensitivity>& sensitivity,
                      const std::optional<StudyFront>& front) {
    Drawing to;
    double y = 0;
    if (sensitivity) y = draw_sensitivity(to, y, *sensitivity);
    if (front && front->goals.size() > 1) y = draw_front(to, y, table, *front);
    return to.document(chart_width, y);
}

}  // namespace sassafras::cli
