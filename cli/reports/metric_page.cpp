#include "cli/reports/metric_page.hpp"

#include <fmt/format.h>

#include "sim/device/source_columns.hpp"
#include "sim/metrics/metric_set.hpp"

namespace sassafras::cli {

namespace {

std::string in_code(std::string_view name) { return fmt::format("`{}`", name); }

std::string known_by_text(sim::KnownBy known_by) {
    switch (known_by) {
        case sim::KnownBy::execution: return "executing";
        case sim::KnownBy::timing: return "timing";
        case sim::KnownBy::ratio: return "its parts";
        case sim::KnownBy::set: return "the full set";
    }
    return {};
}

std::string merge_text(sim::Merge merge) {
    switch (merge) {
        case sim::Merge::sum: return "sum";
        case sim::Merge::parts: return "of the parts' totals";
        case sim::Merge::none: return "none";
    }
    return {};
}

std::string metric_meaning(const sim::MetricRow& row) {
    if (row.known_by != sim::KnownBy::ratio) return std::string(row.meaning);
    return fmt::format("{}: {}", row.meaning, in_code(formula_text(row)));
}

std::string metric_row_text(const sim::MetricRow& row) {
    return fmt::format("| {} | {} | {} | {} | {} | {} |\n", in_code(row.name), row.unit, row.details.label,
                       known_by_text(row.known_by), merge_text(row.merge), metric_meaning(row));
}

std::string event_table() {
    std::string text = "| metric | unit | label | known by | launches together | |\n|---|---|---|---|---|---|\n";
    for (const sim::MetricRow& row : sim::event_rows)
        if (!row.is_part) text += metric_row_text(row);
    return text;
}

std::string part_table() {
    std::string text = "| part | unit | launches together | |\n|---|---|---|---|\n";
    for (const sim::MetricRow& row : sim::event_rows)
        if (row.is_part)
            text +=
                fmt::format("| {} | {} | {} | {} |\n", in_code(row.name), row.unit, merge_text(row.merge), row.meaning);
    return text;
}

std::string full_set_table() {
    std::string text = "| metric | unit | section | label | |\n|---|---|---|---|---|\n";
    for (const sim::MetricRow& row : sim::full_set_rows)
        text += fmt::format("| {} | {} | {} | {} | {} |\n", in_code(row.name), row.unit,
                            sim::name_of(row.details.section), row.details.label, row.meaning);
    return text;
}

std::string stall_table() {
    std::string text = "| reason | the warp |\n|---|---|\n";
    for (const sim::StallRow& row : sim::stall_rows)
        text += fmt::format("| {} | {} |\n", in_code(row.name), row.meaning);
    return text;
}

std::string column_table() {
    std::string text = "| column | in JSON | |\n|---|---|---|\n";
    for (const sim::SourceColumn& column : sim::source_columns)
        text += fmt::format("| {} | {} | {} |\n", column.title, column.key.empty() ? "" : in_code(column.key),
                            column.meaning);
    return text;
}

}  // namespace

std::string metric_page() {
    const std::string stalled = "smsp__average_warps_issue_stalled_REASON_per_issue_active.ratio";
    const auto ratio = sim::find_metric("smsp__average_warps_issue_stalled_wait_per_issue_active.ratio").value();
    std::string formula = formula_text(row_of(ratio));
    formula.replace(formula.find("wait"), 4, "REASON");
    return fmt::format(R"(# Metrics

What is said of a launch in numbers, under Nsight Compute's names. This page is made from `sim/metrics/metric_list.hpp`, as are counting, totals, the pages of
results, JSON and CSV: `sassafras list --metrics` prints it, `scripts/renew` writes it.

*Known by* says what a device must do: `functional` executes, `simulated` executes and times, `cuda` measures `gpu__time_duration.sum` alone. A ratio is there where its
parts are. *Launches together* is what several launches have in total: the sum, the ratio of the parts' totals, or nothing, where the value describes one launch.
*Label* is the name on the details page; metrics without one are on the raw page and in JSON.

{}
## Why warps do not issue

In each cycle a resident warp is in one state. The metric of a state is the warps in it for an instruction issued, `{}`
(`{}`); the page of sections shows those that are not 0, the largest first. The source page counts each
instruction's warp-cycles by reason, as `stall_REASON`.

{}
## Parts of ratios

Counted, and not printed.

{}
## The full set

`--set full` (`run`, `exec`, `launch`, `trace replay`) adds these, and the sections of the details page that they fill. Without time (`functional`) there are those of instructions and of the launch. Peaks are the platform's.

{}
## Columns of the source page

A row an instruction; sums over the rows are the launch's metrics. Addresses count bytes from the kernel's begin.

{})",
                       event_table(), stalled, formula, stall_table(), part_table(), full_set_table(), column_table());
}

}  // namespace sassafras::cli
