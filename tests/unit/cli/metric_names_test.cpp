// Which metrics --metrics names.
#include <catch2/catch.hpp>

#include "cli/options/metric_names.hpp"

namespace sassafras::cli {
namespace {

std::vector<std::string> named(const std::string& text) {
    const auto metrics = parse_metrics(text);
    REQUIRE(metrics);
    std::vector<std::string> names;
    for (const sim::MetricId metric : *metrics) names.emplace_back(name_of(metric));
    return names;
}

using Names = std::vector<std::string>;

TEST_CASE("Metrics are named whole, by their front or by an expression, each once and in the list's order") {
    CHECK(named("sm__cycles_elapsed.max") == Names{"sm__cycles_elapsed.max"});
    CHECK(named("gpu__time_duration.sum,sm__cycles_elapsed.max,gpu__time_duration.sum") ==
          Names{"sm__cycles_elapsed.max", "gpu__time_duration.sum"});
    CHECK(named("gpu__time_duration") == Names{"gpu__time_duration.sum", "gpu__time_duration.avg"});
    CHECK(named("regex:^gpu__time_dur.*sum$") == Names{"gpu__time_duration.sum"});
    CHECK(named("regex:^(gpu__time_duration|sm__cycles_elapsed)[.](sum|max)$").front() == "sm__cycles_elapsed.max");
}

TEST_CASE("What names no metric is refused, with the nearest") {
    for (const char* text : {"", "sm__", "gpu__time_duration.sum,", "regex:(", "regex:no such metric"})
        CHECK_FALSE(parse_metrics(text));
    CHECK(parse_metrics("gpu__time_duraton.sum").error().remedy.find("gpu__time_duration.sum") != std::string::npos);
}

}  // namespace
}  // namespace sassafras::cli
