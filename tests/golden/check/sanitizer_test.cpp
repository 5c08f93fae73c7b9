// What --check finds in tests/fixtures/check beside what compute-sanitizer found there on an H200 (sanitizer.csv).
#include <catch2/catch.hpp>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tests/unit/check/checked_launch.hpp"

namespace {

using namespace sassafras;

using Row = std::map<std::string, std::string>;

std::vector<std::string> fields(const std::string& line) {
    std::vector<std::string> found(1);
    bool quoted = false;
    for (const char c : line) {
        if (c == '"')
            quoted = !quoted;
        else if (c == ',' && !quoted)
            found.emplace_back();
        else
            found.back() += c;
    }
    return found;
}

std::vector<Row> recorded() {
    std::ifstream file(SASSAFRAS_SOURCE_DIR "/tests/golden/check/sanitizer.csv");
    REQUIRE(file);
    std::vector<Row> rows;
    std::vector<std::string> names;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with('#')) continue;
        const auto values = fields(line);
        if (names.empty()) {
            names = values;
            continue;
        }
        REQUIRE(values.size() == names.size());
        Row row;
        for (std::size_t i = 0; i < names.size(); ++i) row[names[i]] = values[i];
        rows.push_back(row);
    }
    return rows;
}

/// Where --check means to differ, and why (docs/checks.md).
const std::map<std::string, std::string> different{
    {"half_synchronised", "lanes that take no part in a __syncwarp() are not ordered by it"},
    {"atomic_then_read", "racecheck does not look at atomics"},
    {"clean_lock", "racecheck does not know that atomics behind fences order"},
    {"first_warp_only", "synccheck lets threads go around a barrier and exit"},
    {"different_trip_counts", "likewise"},
    {"block_reads_another", "racecheck looks at shared memory only"},
};

test::CheckedCase case_of(const Row& row) {
    const auto number = [&](const char* name) { return static_cast<std::uint32_t>(std::stoul(row.at(name))); };
    return {row.at("cubin"), row.at("kernel"), number("grid"),
            number("block"), number("shared"), static_cast<std::int32_t>(number("n"))};
}

std::string at(const sim::FindingPlace& place) { return fmt::format("{:#x} {}:{}", place.pc, place.file, place.line); }

}  // namespace

TEST_CASE("--check finds what compute-sanitizer finds on an H200, at the same instructions and as often") {
    const auto rows = recorded();
    REQUIRE(rows.size() > 40);
    std::size_t races = 0;
    std::size_t others = 0;
    for (const Row& row : rows) {
        CAPTURE(row.at("kernel"));
        const auto launched = test::launch_checked(case_of(row));
        std::vector<sim::Finding> of_tool;
        for (const sim::Finding& finding : launched.findings())
            if (sim::tool_name(finding.tool) == row.at("tool")) of_tool.push_back(finding);
        if (different.contains(row.at("kernel"))) {
            CHECK(of_tool.empty() != row.at("severity").empty());
            continue;
        }
        if (row.at("severity").empty()) {
            CHECK(of_tool.empty());
            if (row.at("kernel").starts_with("clean_")) CHECK(launched.findings().empty());
            continue;
        }
        REQUIRE(!of_tool.empty());
        const std::string first = row.at("first_pc") + " " + row.at("first_source");
        if (row.at("what") != "race") {
            ++others;
            REQUIRE(of_tool.size() == 1);
            CHECK(of_tool[0].what == row.at("what"));
            CHECK(at(of_tool[0].places.at(0)) == first);
            continue;
        }
        ++races;
        const std::string second = row.at("second_pc") + " " + row.at("second_source");
        std::uint64_t hazards = 0;
        for (const sim::Finding& finding : of_tool) {
            REQUIRE(finding.places.size() == 2);
            // Which of the two came first depends on the schedule.
            std::pair<std::string, std::string> places{finding.places[0].action + " " + at(finding.places[0]),
                                                       finding.places[1].action + " " + at(finding.places[1])};
            std::pair<std::string, std::string> wanted{row.at("first_access") + " " + first,
                                                       row.at("second_access") + " " + second};
            if (places.first > places.second) std::swap(places.first, places.second);
            if (wanted.first > wanted.second) std::swap(wanted.first, wanted.second);
            CHECK(places == wanted);
            CHECK((finding.is_warning ? "Warning" : "Error") == row.at("severity"));
            hazards += finding.count;
        }
        CHECK(std::to_string(hazards) == row.at("count_or_place"));
    }
    CHECK(races == 11);
    CHECK(others == 12);
}
