#include <catch2/catch.hpp>

#include "cli/reports/microbench_report.hpp"

using namespace sassafras::cli;

namespace {

MicrobenchReport small_microbenchmark() {
    return {{"sassafras", "microbench"},
            "d",
            {{"name", "p"}, {"hash", "h"}, {"resolved", nullptr}},
            {{"latency x", "warps=1", 4.0625, "cycles"}, {"rate \"y\"", "a=1, b=2", 2, "bytes/cycle"}}};
}

}  // namespace

TEST_CASE("microbench CSV quotes every field and doubles quotes") {
    CHECK(to_csv(small_microbenchmark()) ==
          "\"name\",\"parameter\",\"value\",\"unit\"\n"
          "\"latency x\",\"warps=1\",\"4.0625\",\"cycles\"\n"
          "\"rate \"\"y\"\"\",\"a=1, b=2\",\"2\",\"bytes/cycle\"\n");
}

TEST_CASE("microbench JSON has the command, the platform and a row a measurement") {
    const auto json = nlohmann::ordered_json::parse(to_json(small_microbenchmark()));
    CHECK(json["command"] == nlohmann::ordered_json({"sassafras", "microbench"}));
    CHECK(json["device"] == "d");
    CHECK(json["platform"]["name"] == "p");
    REQUIRE(json["rows"].size() == 2);
    CHECK(json["rows"][0]["name"] == "latency x");
    CHECK(json["rows"][0]["parameter"] == "warps=1");
    CHECK(json["rows"][0]["value"].get<double>() == 4.0625);
    CHECK(json["rows"][1]["unit"] == "bytes/cycle");
}

TEST_CASE("microbench table: a line a row, columns below each other") {
    const std::string text = to_table(small_microbenchmark());
    CHECK(text.find("    latency x warps=1          4.062 cycles\n") != std::string::npos);
    CHECK(text.find("    rate \"y\"  a=1, b=2         2.000 bytes/cycle\n") != std::string::npos);
}
