#include <catch2/catch.hpp>

#include "cli/options.hpp"
#include "cli/report.hpp"

using namespace sassafras;
using namespace sassafras::cli;

namespace {

Report small_report() {
    sim::KernelResult kernel;
    kernel.name = "k";
    kernel.grid = {2, 3, 4};
    kernel.block = {128, 1, 1};
    kernel.registers_per_thread = 40;
    kernel.static_shared = Bytes{16};
    kernel.dynamic_shared = Bytes{32};
    kernel.metrics = {
        {"sm__cycles_elapsed.max", 1000}, {"gpu__time_duration.sum", 505.25}, {"smsp__inst_executed.sum", 4000}};
    sim::SourceRow row;
    row.pc = 16;
    row.sass = "LDS R0, [R1], \"quoted\"";
    row.inst_executed = 2;
    row.thread_inst_executed = 60;
    row.shared_wavefronts = 6;
    row.shared_wavefronts_ideal = 2;
    row.global_sectors = 0;
    row.stalls = {{"stall_wait", 7}};
    kernel.source = {row};
    Report report;
    report.command = {"sassafras", "run", "x"};
    report.device = "d";
    report.platform = {{"name", "p"}, {"hash", "h"}, {"resolved", nullptr}};
    report.workload = {{"name", "x"}};
    report.verified = true;
    report.kernels = {kernel, kernel};
    report.wall_seconds = 0.5;
    return report;
}

}  // namespace

TEST_CASE("the JSON has the documented keys in the documented order") {
    const auto text = to_json(small_report(), true);
    const auto json = nlohmann::ordered_json::parse(text);
    const auto keys = [](const nlohmann::ordered_json& object) {
        std::vector<std::string> names;
        for (const auto& [name, value] : object.items()) names.push_back(name);
        return names;
    };
    using Names = std::vector<std::string>;
    CHECK(keys(json) == Names{"sassafras", "command", "platform", "workload", "verified", "kernels", "total"});
    CHECK(keys(json["kernels"][0]) == Names{"name", "grid", "block", "registers_per_thread", "static_shared_bytes",
                                            "dynamic_shared_bytes", "metrics", "source"});
    CHECK(keys(json["kernels"][0]["source"][0]) == Names{"pc", "sass", "inst_executed", "thread_inst_executed",
                                                         "shared_wavefronts", "shared_wavefronts_ideal",
                                                         "global_sectors", "stalls"});
    CHECK(keys(json["total"]) == Names{"cycles", "time_ns", "wall_seconds", "warp_instructions_per_second"});
    CHECK(json["kernels"][0]["grid"].dump() == "[2,3,4]");
    CHECK(json["kernels"][0]["metrics"]["sm__cycles_elapsed.max"].is_number_integer());
    CHECK(json["kernels"][0]["metrics"]["gpu__time_duration.sum"] == 505.25);
    CHECK(json["kernels"][0]["source"][0]["stalls"]["stall_wait"] == 7);
    CHECK(json["total"]["cycles"] == 2000);
    CHECK(json["total"]["time_ns"] == 1010.5);
    CHECK(json["total"]["warp_instructions_per_second"] == 16000);
    CHECK(json["verified"] == true);
    CHECK(text.back() == '\n');
}

TEST_CASE("the source page is in the JSON only if asked for") {
    CHECK_FALSE(nlohmann::json::parse(to_json(small_report(), false))["kernels"][0].contains("source"));
}

TEST_CASE("what is not known is null, never 0") {
    Report report = small_report();
    report.verified.reset();
    report.kernels[1].metrics.clear();
    const auto json = nlohmann::json::parse(to_json(report, false));
    CHECK(json["verified"].is_null());
    CHECK(json["total"]["cycles"].is_null());
    CHECK(json["total"]["warp_instructions_per_second"].is_null());
}

TEST_CASE("bytes that are no UTF-8 do not break the JSON") {
    Report report = small_report();
    report.command.push_back("\xff\xfe");
    CHECK_NOTHROW(nlohmann::json::parse(to_json(report, false)));
}

TEST_CASE("the recorded command leaves out where output goes and how many threads work") {
    using Words = std::vector<std::string>;
    CHECK(recorded_command({"run", "gemm", "--json", "-", "--threads", "4", "--n", "64"}) ==
          Words{"sassafras", "run", "gemm", "--n", "64"});
    CHECK(recorded_command({"run", "gemm", "--json=x", "--threads=2"}) == Words{"sassafras", "run", "gemm"});
    CHECK(recorded_command({"run", "--json"}) == Words{"sassafras", "run"});
}

TEST_CASE("CSV: details has a row a metric, fields are quoted") {
    const std::string text = to_csv(small_report(), Page::details);
    CHECK(text.find("\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel "
                    "Name\",\"Context\",\"Stream\",\"Block Size\",\"Grid Size\","
                    "\"Device\",\"CC\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n") == 0);
    CHECK(std::count(text.begin(), text.end(), '\n') == 1 + 2 * 3);
    CHECK(text.find("\"k\",\"1\",\"7\",\"(128, 1, 1)\",\"(2, 3, 4)\",\"0\",\"9.0\",\"Command line profiler "
                    "metrics\",\"sm__cycles_elapsed.max\","
                    "\"cycle\",\"1000\"\n") != std::string::npos);
}

TEST_CASE("CSV: raw has a row of names, one of units, and one a kernel; a metric that a kernel lacks is empty") {
    Report report = small_report();
    report.kernels[1].metrics.pop_back();
    const std::string text = to_csv(report, Page::raw);
    CHECK(std::count(text.begin(), text.end(), '\n') == 4);
    CHECK(text.find("\"register/thread\",\"byte/block\",\"byte/block\",\"cycle\",\"nsecond\",\"inst\"\n") !=
          std::string::npos);
    CHECK(text.find("\"40\",\"16\",\"32\",\"1000\",\"505.25\",\"4000\"\n") != std::string::npos);
    CHECK(text.find("\"40\",\"16\",\"32\",\"1000\",\"505.25\",\"\"\n") != std::string::npos);
}

TEST_CASE("CSV: the source page counts conflicts and quotes quotes") {
    const std::string text = to_csv(small_report(), Page::source);
    CHECK(text.find("\"Kernel Name\",\"k\"\n\"#\",\"Address\",\"Source\",\"Instructions Executed\",\"Thread "
                    "Instructions Executed\"") == 0);
    // 60 threads of 2 instructions are 30 each; 6 wavefronts of 2 are a 3-way conflict, 4 of them excessive.
    CHECK(text.find("\"0\",\"0x10\",\"LDS R0, [R1], "
                    "\"\"quoted\"\"\",\"2\",\"60\",\"30\",\"3\",\"6\",\"2\",\"4\",\"0\",\"7\"\n") != std::string::npos);
}

TEST_CASE("numbers") {
    CHECK(number_text(3) == "3");
    CHECK(number_text(-0.5) == "-0.5");
    CHECK(number_text(1e15) == "1000000000000000");
    CHECK(number_text(0.1) == "0.1");
}

TEST_CASE("the table names kernel, metrics, verdict and totals") {
    const std::string text = to_table(small_report(), Page::details);
    CHECK(text.find("k (2, 3, 4)x(128, 1, 1)") != std::string::npos);
    CHECK(text.find("gpu__time_duration.sum") != std::string::npos);
    CHECK(text.find("verified: yes") != std::string::npos);
    CHECK(text.find("cycles: 2000") != std::string::npos);
}
