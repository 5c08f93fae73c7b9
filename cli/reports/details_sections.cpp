#include "cli/reports/details_sections.hpp"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "cli/reports/report.hpp"
#include "core/number_text.hpp"

namespace sassafras::cli {

namespace {

using sim::Section;

/// A metric that a section shows beside the one section of its row, or a part that no other page shows.
struct SharedRow {
    Section section;
    std::uint8_t position;
    std::string_view label;
    sim::MetricId metric;
};
constexpr auto shared_rows = std::to_array<SharedRow>({
    {Section::occupancy, 7, "Theoretical Active Warps per SM", "sm__maximum_warps_avg_per_active_cycle"_metric},
    {Section::distribution, 5, "Average SM Active Cycles", "sm__cycles_active.avg"_metric},
});

/// The sections that Nsight Compute has without being asked for more.
bool is_basic(Section section) {
    return section == Section::speed_of_light || section == Section::launch || section == Section::occupancy;
}

bool shows_row(const sim::MetricRow& row, Section section, const DetailsView& view) {
    if (!view.sections.empty())
        return std::find(view.sections.begin(), view.sections.end(), section) != view.sections.end();
    if (view.detail != Detail::basic || is_basic(section)) return true;
    return row.known_by != sim::KnownBy::set && section != Section::source && section != Section::distribution;
}

struct PlacedLine {
    Section section = Section::none;
    int position = 0;
    double size = 0;  ///< of those that are shown by size
    DetailsLine line;
};

/// What warps did most comes first; what they never did is left out.
PlacedLine placed(sim::MetricId metric, double value) {
    const sim::DetailsPlace& place = row_of(metric).details;
    if (!is_stall_ratio(metric))
        return {place.section, place.position, 0, details_line(std::string(place.label), value, row_of(metric).unit)};
    constexpr int behind_others = 256;
    return {place.section, behind_others, value, {std::string(place.label), std::string(place.unit), rounded(value)}};
}

/// How the launch was made, where nobody has measured it: on a real GPU.
void add_launch_lines(std::vector<PlacedLine>& lines, const sim::KernelResult& result, const sim::MetricSet& metrics) {
    std::vector<LaunchFact> facts = launch_facts(result);
    facts.push_back({"launch__grid_size"_metric, static_cast<double>(result.grid.volume())});
    facts.push_back({"launch__block_size"_metric, static_cast<double>(result.block.volume())});
    for (const auto& [metric, value] : facts)
        if (!metrics.find(metric)) lines.push_back(placed(metric, value));
}

std::vector<DetailsTable> tables_of(Section section, const sim::MetricSet& metrics, const DetailsView& view) {
    if (section == Section::speed_of_light && view.detail == Detail::full) return breakdown_tables(metrics);
    const bool has_table = section == Section::memory && (view.detail != Detail::basic || !view.sections.empty());
    if (!has_table) return {};
    DetailsTable table = memory_table(metrics);
    return table.rows.empty() ? std::vector<DetailsTable>() : std::vector{std::move(table)};
}

}  // namespace

DetailsLine details_line(std::string name, double value, std::string_view unit) {
    // Nsight Compute's older name, which the CSV keeps, has no larger units here.
    Quantity shown = quantity(value, unit == "nsecond" ? "ns" : std::string(unit));
    return {std::move(name), std::move(shown.unit), std::move(shown.value)};
}

std::vector<DetailsSection> details_sections(const sim::KernelResult& result, const sim::MetricSet& metrics,
                                             const DetailsView& view) {
    std::vector<PlacedLine> lines;
    for (const auto& [metric, value] : metrics.reported()) {
        const Section section = row_of(metric).details.section;
        if (section == Section::none || (is_stall_ratio(metric) && value == 0)) continue;
        if (shows_row(row_of(metric), section, view)) lines.push_back(placed(metric, value));
    }
    for (const SharedRow& row : shared_rows)
        if (const auto value = metrics.find(row.metric); value && shows_row(row_of(row.metric), row.section, view))
            lines.push_back(
                {row.section, row.position, 0, details_line(std::string(row.label), *value, row_of(row.metric).unit)});
    if (shows_row({}, Section::launch, view)) add_launch_lines(lines, result, metrics);
    std::stable_sort(lines.begin(), lines.end(), [](const PlacedLine& a, const PlacedLine& b) {
        return std::tuple(a.section, a.position, -a.size) < std::tuple(b.section, b.position, -b.size);
    });
    std::vector<DetailsSection> sections;
    for (PlacedLine& placed : lines) {
        if (sections.empty() || sections.back().kind != placed.section)
            sections.push_back({placed.section, {}, tables_of(placed.section, metrics, view)});
        sections.back().lines.push_back(std::move(placed.line));
    }
    return sections;
}

}  // namespace sassafras::cli
