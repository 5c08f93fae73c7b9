// The list of metrics: what each row must have, so that pages, documentation and totals can be made from it.
#include <catch2/catch.hpp>

#include <map>
#include <set>
#include <string>

#include "sim/metrics/metric_counts.hpp"
#include "sim/metrics/metric_list.hpp"

using namespace sassafras;
using namespace sassafras::sim;

TEST_CASE("every metric has a name of its own, and says in one line what it is") {
    std::set<std::string> names;
    for (const MetricRow& row : metric_rows) {
        CAPTURE(std::string(row.name));
        CHECK(names.insert(std::string(row.name)).second);
        CHECK_FALSE(row.meaning.empty());
        CHECK(row.meaning.find('\n') == std::string_view::npos);
        // Those of the source page have a plain name.
        CHECK((row.name.find("__") != std::string_view::npos || row.name.starts_with("memory_") ||
               row.name.ends_with("inst_executed")));
    }
}

TEST_CASE("ratios, and only they, have parts and wholes; parts of others are not ratios") {
    for (const MetricRow& row : metric_rows) {
        CAPTURE(std::string(row.name));
        CHECK(row.ratio.parts[0].empty() == (row.known_by != KnownBy::ratio));
        CHECK(row.ratio.wholes[0].empty() == (row.known_by != KnownBy::ratio));
        if (row.is_part) CHECK(row.known_by != KnownBy::ratio);
        if (row.is_part) CHECK(row.details.section == Section::none);
        if (row.merge == Merge::parts) CHECK(row.known_by == KnownBy::ratio);
    }
}

TEST_CASE("each part is a part of something") {
    std::set<std::string> used;
    for (const MetricRow& row : metric_rows)
        for (const auto& names : {row.ratio.parts, row.ratio.wholes})
            for (const std::string_view name : names) used.insert(std::string(name));
    for (const MetricRow& row : metric_rows)
        if (row.is_part) CHECK(used.count(std::string(row.name)) == 1);
}

TEST_CASE("no two metrics have one place on the details page") {
    std::set<std::pair<Section, int>> places;
    for (const MetricRow& row : metric_rows) {
        CHECK((row.details.section == Section::none) == row.details.label.empty());
        if (row.details.section == Section::none) continue;
        CAPTURE(std::string(row.name));
        CHECK(places.emplace(row.details.section, row.details.position).second);
    }
}

TEST_CASE("what only the full set has is not counted") {
    MetricCounts counts;
    CHECK_THROWS_AS(counts["launch__grid_size"_metric], std::out_of_range);
    CHECK(counts["dram__bytes_read.sum"_metric] == 0);
}

TEST_CASE("names become numbers and numbers names") {
    CHECK(name_of("dram__bytes_read.sum"_metric) == "dram__bytes_read.sum");
    CHECK(find_metric("gpu__time_duration.sum") == "gpu__time_duration.sum"_metric);
    CHECK_FALSE(find_metric("gpu__time_duration"));
    CHECK_FALSE(find_metric(""));
    for (std::size_t i = 0; i < stall_count; ++i)
        CHECK(name_of(stall_cycles(static_cast<Stall>(i))) ==
              "smsp__warps_issue_stalled_" +
                  std::string(stall_rows[i].name == "branch_resolve" ? "branch_resolving" : stall_rows[i].name) +
                  ".sum");
    // As Nsight Compute's page has it.
    const auto ratio = find_metric("smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio");
    REQUIRE(ratio);
    CHECK(row_of(*ratio).details.label == "Stall Long Scoreboard");
    CHECK(row_of(*ratio).details.section == Section::warp_state);
}
