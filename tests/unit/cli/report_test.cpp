#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "cli/options/options.hpp"
#include "cli/reports/latex_report.hpp"
#include "cli/reports/report.hpp"
#include "tests/sass_text.hpp"

using namespace sassafras;
using namespace sassafras::cli;

namespace {

Report small_study() {
    sim::KernelResult kernel;
    kernel.name = "k";
    kernel.grid = {2, 3, 4};
    kernel.block = {128, 1, 1};
    kernel.registers_per_thread = 40;
    kernel.static_shared = Bytes{16};
    kernel.dynamic_shared = Bytes{32};
    kernel.metrics = {{"sm__cycles_elapsed.max"_metric, 1000},
                      {"gpu__time_duration.sum"_metric, 505.25},
                      {"smsp__inst_executed.sum"_metric, 4000}};
    sim::SourceRow row;
    row.pc = 16;
    row.instruction = source_rows::shared_load();
    row.inst_executed = 2;
    row.thread_inst_executed = 60;
    row.shared_wavefronts = 6;
    row.shared_wavefronts_ideal = 2;
    row.global_sectors = 0;
    row.stalls[index_of(sim::Stall::wait)] = 7;
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
    const auto text = to_json(small_study(), true);
    const auto json = nlohmann::ordered_json::parse(text);
    const auto keys = [](const nlohmann::ordered_json& object) {
        std::vector<std::string> names;
        for (const auto& [name, value] : object.items()) names.push_back(name);
        return names;
    };
    using Names = std::vector<std::string>;
    CHECK(keys(json) == Names{"sassafras", "schema_version", "kind", "command", "platform", "workload", "verified",
                              "units", "kernels", "total"});
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
    CHECK_FALSE(nlohmann::json::parse(to_json(small_study(), false))["kernels"][0].contains("source"));
}

TEST_CASE("what is not known is null, never 0") {
    Report report = small_study();
    report.verified.reset();
    report.kernels[1].metrics = {};
    const auto json = nlohmann::json::parse(to_json(report, false));
    CHECK(json["verified"].is_null());
    CHECK(json["total"]["cycles"].is_null());
    CHECK(json["total"]["warp_instructions_per_second"].is_null());
}

TEST_CASE("bytes that are no UTF-8 do not break the JSON") {
    Report report = small_study();
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
    const std::string text = to_csv(small_study(), Page::details);
    CHECK(text.find("\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel "
                    "Name\",\"Context\",\"Stream\",\"Block Size\",\"Grid Size\","
                    "\"Device\",\"CC\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n") == 0);
    CHECK(std::count(text.begin(), text.end(), '\n') == 1 + 2 * 8);  // three metrics, and how it was launched
    CHECK(text.find("\"k\",\"1\",\"7\",\"(128, 1, 1)\",\"(2, 3, 4)\",\"0\",\"9.0\",\"GPU Speed Of Light "
                    "Throughput\",\"Elapsed Cycles\",\"cycle\",\"1,000\"\n") != std::string::npos);
}

TEST_CASE("CSV: raw has a row of names, one of units, and one a kernel; a metric that a kernel lacks is empty") {
    Report report = small_study();
    report.kernels[1].metrics.erase("smsp__inst_executed.sum"_metric);
    const std::string text = to_csv(report, Page::raw);
    CHECK(std::count(text.begin(), text.end(), '\n') == 4);
    CHECK(text.find("\"register/thread\",\"byte/block\",\"byte/block\",\"cycle\",\"nsecond\",\"inst\"\n") !=
          std::string::npos);
    CHECK(text.find("\"40\",\"16\",\"32\",\"1000\",\"505.25\",\"4000\"\n") != std::string::npos);
    CHECK(text.find("\"40\",\"16\",\"32\",\"1000\",\"505.25\",\"\"\n") != std::string::npos);
}

TEST_CASE("CSV: the source page counts conflicts and quotes quotes") {
    Report report = small_study();
    report.kernels[0].name = "a \"k\"";
    const std::string text = to_csv(report, Page::source);
    CHECK(text.find("\"Kernel Name\",\"a \"\"k\"\"\"\n\"#\",\"Address\",\"Source\",\"Instructions Executed\",\"Thread "
                    "Instructions Executed\"") == 0);
    // 60 threads of 2 instructions are 30 each; 6 wavefronts of 2 are a 3-way conflict, 4 of them excessive.
    CHECK(text.find("\"0\",\"0x10\",\"LDS R28, "
                    "[R20]\",\"2\",\"60\",\"30\",\"3\",\"6\",\"2\",\"4\",\"0\",\"7\"\n") != std::string::npos);
}

TEST_CASE("numbers") {
    CHECK(number_text(3) == "3");
    CHECK(number_text(-0.5) == "-0.5");
    CHECK(number_text(1e15) == "1000000000000000");
    CHECK(number_text(0.1) == "0.1");
}

TEST_CASE("the details table has Nsight Compute's sections and labels, readable numbers and totals") {
    Report report = small_study();
    sim::MetricSet& metrics = report.kernels[0].metrics;
    metrics.put("dram__bytes_read.sum"_metric, 2116352);
    metrics.put("l1tex__t_sector_hit_rate.pct"_metric, 74.99535193212843);
    metrics.put("smsp__average_warps_issue_stalled_wait_per_issue_active.ratio"_metric, 3.6237569);
    metrics.put("smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio"_metric, 7.1756);
    metrics.put("smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio"_metric, 0);
    metrics.put("sm__cycles_active.sum"_metric, 123'456);  // a part of ratios
    const std::string text = to_table(report, Page::details);
    INFO(text);
    CHECK(text.find("k (2, 3, 4)x(128, 1, 1), d\n    Section: GPU Speed Of Light Throughput\n") != std::string::npos);
    const auto has_row = [&](const char* label, const char* unit, const char* value) {
        return text.find(fmt::format("    {:<32} {:>15} {:>15}\n", label, unit, value)) != std::string::npos;
    };
    CHECK(has_row("Elapsed Cycles", "cycle", "1,000"));
    CHECK(has_row("Duration", "ns", "505.25"));
    CHECK(has_row("Executed Instructions", "inst", "4,000"));
    CHECK(has_row("DRAM Read", "Mbyte", "2.12"));
    CHECK(has_row("L1/TEX Hit Rate", "%", "75.00"));
    CHECK(has_row("Stall Long Scoreboard", "warp/issue", "7.18"));
    CHECK(has_row("Registers Per Thread", "register/thread", "40"));
    // What stalls most comes first, what never stalls is left out.
    CHECK(text.find("Stall Long Scoreboard") < text.find("Stall Wait"));
    CHECK(text.find("Stall Barrier") == std::string::npos);
    CHECK(text.find("123,456") == std::string::npos);
    CHECK(text.find("verified: yes") != std::string::npos);
    CHECK(text.find("  cycles: 2,000\n  time: 1.01 us\n") != std::string::npos);
}

TEST_CASE("a kernel that names more registers than a thread of the GPU has is named once") {
    Report report = small_study();
    CHECK(to_totals(report).find("note") == std::string::npos);  // not known
    for (sim::KernelResult& kernel : report.kernels) kernel.most_registers_per_thread = 40;
    CHECK(to_totals(report).find("note") == std::string::npos);
    for (sim::KernelResult& kernel : report.kernels) kernel.most_registers_per_thread = 39;
    const std::string text = to_totals(report);
    const std::size_t first = text.find("  note: k has 40 registers a thread, and a thread of this GPU 39: ");
    CHECK(first != std::string::npos);
    CHECK(text.find("note", first + 8) == std::string::npos);
}

TEST_CASE("the raw table has every metric by its name") {
    const std::string text = to_table(small_study(), Page::raw);
    for (const char* name : {"sm__cycles_elapsed.max", "gpu__time_duration.sum", "smsp__inst_executed.sum"})
        CHECK(text.find(name) != std::string::npos);
}

TEST_CASE("CSV and JSON on standard output are one too many") {
    MeasureOptions options;
    options.csv = true;
    CHECK(check_outputs(options).ok());
    options.json = "result.json";
    CHECK(check_outputs(options).ok());
    options.json = "-";
    REQUIRE_FALSE(check_outputs(options).ok());
    CHECK(check_outputs(options).error().exit_status() == 2);
}

TEST_CASE("no character is a command in LaTeX") {
    CHECK(latex_text("void f<float, 32>(a_b) 50 % {x} #1 $ & ~ ^ \\ |") ==
          "void f\\textless{}float, 32\\textgreater{}(a\\_b) 50 \\% \\{x\\} \\#1 \\$ \\& \\textasciitilde{} "
          "\\textasciicircum{} \\textbackslash{} \\textbar{}");
    const std::string text = to_latex(small_study());
    CHECK(text.find("  Elapsed Cycles & cycle & 1,000 \\\\\n") != std::string::npos);
    CHECK(text.find("% Needs \\usepackage{booktabs}") == 0);
}
