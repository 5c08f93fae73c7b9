// What the library in a program and `sassafras exec` write for each other reads back as it was.
#include <catch2/catch.hpp>

#include "cudart/protocol/exec_settings.hpp"
#include "cudart/protocol/launch_record.hpp"
#include "tests/sass_text.hpp"

namespace sassafras::cudart {
namespace {

sim::KernelResult some_result() {
    sim::KernelResult result;
    result.name = "_Z1kPi";
    result.grid = {3, 4, 5};
    result.block = {32, 2, 1};
    result.registers_per_thread = 40;
    result.static_shared = Bytes{123};
    result.dynamic_shared = Bytes{456};
    result.metrics = {{"gpu__time_duration.sum"_metric, 1234.5678901234567},
                      {"smsp__inst_executed.sum"_metric, 1e15},
                      {"sm__cycles_active.sum"_metric, 3}};
    result.source.push_back({0x10, source_rows::shared_load(), 1, 32, 2, 1, 4, {}});
    result.source[0].stalls[index_of(sim::Stall::wait)] = 7;
    return result;
}

TEST_CASE("Settings read back as they were") {
    ExecSettings settings;
    settings.device = ExecSettings::Device::capture;
    settings.platform = "{\n\"name\": \"x\"}";
    settings.threads = 3;
    settings.cold_caches = true;
    settings.instruction_limit = 1ULL << 60U;
    settings.source = true;
    settings.check = true;
    settings.records = "/a b/\"c\"";
    settings.trace_folder = "traces";
    const auto read = parse_settings(to_json(settings), "here");
    REQUIRE(read);
    CHECK(to_json(*read) == to_json(settings));
    CHECK(read->records == settings.records);
    CHECK_FALSE(parse_settings("{}", "here"));
    CHECK_FALSE(parse_settings("", "here"));
}

TEST_CASE("Launches, troubles and findings read back as they were") {
    const sim::KernelResult result = some_result();
    sim::Finding finding;
    finding.tool = sim::FindingTool::racecheck;
    finding.kernel = "k(int*)";
    finding.what = "Potential RAW hazard";
    finding.details = {"a", "b"};
    finding.places.push_back({"Write", 0x40, "STS", "k.cu", 12, {"a.cu:3"}, {1, 2, 3}, {4, 5, 6}});
    finding.count = 9;
    const std::string text =
        start_line() + launch_line(result, true) + launch_line(result, false) + trouble_line({"it broke", 3, true}) +
        trouble_line({"a kernel failed", 1}) + failed_line({"f", {7, 1, 1}, {32, 2, 1}, "why", 0}) +
        traced_line({"0001-k.sft", "k", 1, 2, 3, ~std::uint64_t{0}}) + findings_line({}) + findings_line({finding});
    const auto records = parse_records(text, "records");
    REQUIRE(records);
    CHECK(records->started);
    REQUIRE(records->kernels.size() == 2);
    const sim::KernelResult& read = records->kernels[0];
    CHECK(read.name == result.name);
    CHECK(read.grid == result.grid);
    CHECK(read.block == result.block);
    CHECK(read.registers_per_thread == 40);
    CHECK(read.static_shared.count == 123);
    CHECK(read.dynamic_shared.count == 456);
    CHECK(read.metrics == result.metrics);
    REQUIRE(read.source.size() == 1);
    CHECK(source_rows::sass(read.source[0]) == "LDS R28, [R20]");
    CHECK(read.source[0].pc == 0x10);
    CHECK(read.source[0].stalls == result.source[0].stalls);
    CHECK(records->kernels[1].source.empty());
    REQUIRE(records->traced.size() == 1);
    CHECK(records->traced[0].file == "0001-k.sft");
    CHECK(records->traced[0].bytes == 3);
    CHECK(records->traced[0].checksum == ~std::uint64_t{0});
    REQUIRE(records->failed.size() == 1);
    CHECK(records->failed[0].kernel == "f");
    CHECK(records->failed[0].grid == Dim3{7, 1, 1});
    CHECK(records->failed[0].block == Dim3{32, 2, 1});
    CHECK(records->failed[0].message == "why");
    CHECK(records->failed[0].before == 2);
    REQUIRE(records->troubles.size() == 2);
    CHECK(records->troubles[0].exit_status == 3);
    CHECK(records->troubles[0].cut_short);
    CHECK_FALSE(records->troubles[1].cut_short);
    REQUIRE(records->findings.size() == 1);
    CHECK(sim::report_lines(records->findings[0]) == sim::report_lines(finding));
}

TEST_CASE("A last line that was cut is left out; any other that is damaged is refused with its number") {
    const std::string whole = start_line() + launch_line(some_result(), false);
    const auto cut = parse_records(whole + "{\"launch\": {\"na", "records");
    REQUIRE(cut);
    CHECK(cut->kernels.size() == 1);
    const auto damaged = parse_records(start_line() + "{\"launch\": {\"na\n" + whole, "records");
    REQUIRE_FALSE(damaged);
    CHECK(damaged.error().where == "records, line 2");
    for (const char* wrong : {R"("metrics": [["no__such.metric", 1]], "source": [])",
                              R"("metrics": [], "source": [[0, 0, 0, 99, 0, 0, 0, 0, 0, []]])"}) {
        const auto read =
            parse_records(std::string(R"({"launch": {"name": "k", "grid": [1,1,1], "block": [1,1,1], "registers": 1, )"
                                      R"("static_shared": 0, "dynamic_shared": 0, )") +
                              wrong + "}}\n",
                          "records");
        REQUIRE_FALSE(read);
        CHECK(read.error().where == "records, line 1");
    }
    const auto nothing = parse_records("", "records");
    REQUIRE(nothing);
    CHECK_FALSE(nothing->started);
}

}  // namespace
}  // namespace sassafras::cudart
