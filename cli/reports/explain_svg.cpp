#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cli/reports/drawing.hpp"
#include "cli/reports/explain.hpp"
#include "sim/access/shared_passes.hpp"

namespace sassafras::cli {

namespace {

using sim::LaneService;
using sim::ServicePlan;

// Pixels.
constexpr double column_width = 30;
constexpr double row_height = 24;
constexpr double left = 92;
constexpr double right = 24;
constexpr double group_label = 110;  ///< right of the banks, where lanes are served in groups
constexpr double line_height = 18;
constexpr double strings = 110;  ///< from the lanes down to the banks
constexpr double group_gap = 10;

/// Blue for what goes first, red for what waits longest.
std::string color_of_pass(std::uint32_t pass, std::uint32_t passes) {
    constexpr double first_hue = 212;
    const double share = passes < 2 ? 0 : static_cast<double>(pass) / static_cast<double>(passes - 1);
    return fmt::format("hsl({:.0f},{}%,{}%)", first_hue * (1 - share), 62, 46);
}

void string_from_to(Drawing& to, double x1, double y1, double x2, double y2, const std::string& color) {
    const double bend = (y2 - y1) / 2;
    to.path(fmt::format("M{:.1f} {:.1f}C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}", x1, y1, x1, y1 + bend, x2,
                        y2 - bend, x2, y2),
            fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\" stroke-opacity=\"0.8\"", color));
}

constexpr const char* centred = "text-anchor=\"middle\"";
constexpr const char* label = "text-anchor=\"end\" fill=\"#555\"";
constexpr const char* plain = "fill=\"#222\"";

/// The lanes along the top: filled with the colour of the pass that serves them.
void draw_lanes(Drawing& to, double y, const ServicePlan& plan, double shift) {
    to.text(left - 10, y + 17, "lane", label);
    std::map<int, std::uint32_t> pass_of;
    for (const LaneService& service : plan.lanes) pass_of[service.lane] = service.pass;
    for (int lane = 0; lane < warp_size; ++lane) {
        const double x = left + shift + lane * column_width;
        const auto found = pass_of.find(lane);
        if (found == pass_of.end()) {
            to.box(x + 2, y, column_width - 4, row_height,
                   R"(rx="5" fill="#f3f3f3" stroke="#ccc" stroke-dasharray="3 2")");
            to.text(x + column_width / 2, y + 16, fmt::format("{}", lane), std::string(centred) + " fill=\"#bbb\"");
        } else {
            to.box(x + 2, y, column_width - 4, row_height,
                   fmt::format("rx=\"5\" fill=\"{}\"", color_of_pass(found->second, plan.passes)));
            to.text(x + column_width / 2, y + 16, fmt::format("{}", lane), std::string(centred) + " fill=\"white\"");
        }
    }
}

/// Under each bank what it serves, pass by pass.
double draw_passes(Drawing& to, double y, const ExplainedRequest& explained, const ServicePlan& plan) {
    const double width = explained.geometry.banks * column_width;
    std::vector<double> top(plan.passes);
    std::size_t group = 0;
    for (std::uint32_t pass = 0; pass < plan.passes; ++pass) {
        if (group < plan.group_begins.size() && plan.group_begins[group] == pass && group++ != 0) {
            to.box(left, y + group_gap / 2 - 0.5, width, 1, "fill=\"#999\"");
            y += group_gap;
        }
        if (plan.group_begins.size() > 1 && plan.group_begins[group - 1] == pass)
            to.text(left + width + 8, y + 16, lanes_of_group(plan, group - 1), "fill=\"#555\"");
        top[pass] = y;
        to.box(left, y, width, row_height, pass % 2 == 0 ? "fill=\"#f6f8fa\"" : "fill=\"#eef1f4\"");
        to.text(left - 10, y + 16, pass == 0 ? "pass 1" : fmt::format("{}", pass + 1), label);
        y += row_height;
    }
    for (const LaneService& service : plan.lanes) {
        if (service.shares) continue;
        std::size_t sharing = 0;
        for (const LaneService& other : plan.lanes)
            sharing += other.shares && other.pass == service.pass && other.word == service.word ? 1U : 0U;
        const double x = left + service.first_bank * column_width;
        const double cell_width = service.banks * column_width;
        to.box(x + 2, top[service.pass] + 2, cell_width - 4, row_height - 4,
               fmt::format("rx=\"4\" fill=\"{}\"", color_of_pass(service.pass, plan.passes)));
        const std::string name = sharing == 0        ? fmt::format("{}", service.lane)
                                 : service.banks > 1 ? fmt::format("{} +{}", service.lane, sharing)
                                                     : fmt::format("{}+", service.lane);
        to.text(x + cell_width / 2, top[service.pass] + 16, name,
                std::string(centred) + (sharing == 0 ? " fill=\"white\"" : " fill=\"white\" font-size=\"10\""));
    }
    return y;
}

}  // namespace

std::string explain_svg(const ExplainedRequest& explained) {
    const auto& request = explained.request;
    const ServicePlan plan = sim::service_plan(request.access, request.width, request.kind, explained.geometry);
    const double banks_width = explained.geometry.banks * column_width;
    const double lanes_width = warp_size * column_width;
    const double width =
        left + std::max(banks_width, lanes_width) + (plan.group_begins.size() > 1 ? group_label : right);
    Drawing to;
    double y = 26;
    to.text(16, y, request_title(explained), "font-size=\"14\" font-weight=\"bold\" fill=\"#111\"");
    std::string where = request_place(explained);
    constexpr std::size_t longest = 150;
    if (where.size() > longest) where = where.substr(0, longest) + " ...";
    to.text(16, y += line_height, where, plain);
    to.text(16, y += line_height, request_cost(explained), plain);
    y += 14;

    draw_lanes(to, y, plan, std::max(0.0, (banks_width - lanes_width) / 2));
    const double lanes_bottom = y + row_height;
    const double banks_top = lanes_bottom + strings;
    // What goes first is drawn last, above the rest.
    std::vector<LaneService> order = plan.lanes;
    std::stable_sort(order.begin(), order.end(),
                     [](const LaneService& a, const LaneService& b) { return a.pass > b.pass; });
    for (const LaneService& service : order)
        string_from_to(to, left + std::max(0.0, (banks_width - lanes_width) / 2) + (service.lane + 0.5) * column_width,
                       lanes_bottom, left + (service.first_bank + service.banks / 2.0) * column_width, banks_top,
                       color_of_pass(service.pass, plan.passes));
    to.text(left - 10, banks_top + 17, "bank", label);
    for (std::uint32_t bank = 0; bank < explained.geometry.banks; ++bank) {
        const double x = left + bank * column_width;
        to.box(x + 1, banks_top, column_width - 2, row_height, R"(fill="#444")");
        to.text(x + column_width / 2, banks_top + 16, fmt::format("{}", bank),
                std::string(centred) + " fill=\"white\"");
    }
    y = draw_passes(to, banks_top + row_height + 4, explained, plan) + 8;
    for (const std::string& reason : request_reasons(explained)) to.text(16, y += line_height, reason, plain);
    return to.document(width, y + 18);
}

}  // namespace sassafras::cli
