// docs/metrics.md is what the lists say.
#include <catch2/catch.hpp>

#include <fstream>
#include <iterator>
#include <string>

#include "cli/reports/metric_page.hpp"

TEST_CASE("docs/metrics.md is up to date: scripts/renew writes it") {
    std::ifstream file(SASSAFRAS_SOURCE_DIR "/docs/metrics.md", std::ios::binary);
    REQUIRE(file);
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    CHECK(text == sassafras::cli::metric_page());
}
