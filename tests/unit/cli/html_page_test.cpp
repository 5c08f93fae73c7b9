#include <catch2/catch.hpp>

#include "cli/html/chart_list.hpp"
#include "cli/html/html_launches.hpp"
#include "cli/html/html_page.hpp"
#include "cli/html/html_sources.hpp"
#include "cli/html/operations.hpp"
#include "sim/platform/platform_reader.hpp"
#include "tests/sass_text.hpp"

using namespace sassafras;
using namespace sassafras::cli;
using PageValues = nlohmann::ordered_json;

namespace {

/// `ns` long, of one loaded byte for each nanosecond from each level of memory.
sim::KernelResult drawn_kernel(const std::string& name, double ns) {
    sim::KernelResult kernel;
    kernel.name = name;
    kernel.grid = {2, 1, 1};
    kernel.block = {64, 1, 1};
    kernel.metrics = {{"sm__cycles_elapsed.max"_metric, 2 * ns},
                      {"gpu__time_duration.sum"_metric, ns},
                      {"smsp__inst_executed.sum"_metric, 10 * ns},
                      {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"_metric, ns / 8},
                      {"lts__t_sectors_srcunit_tex.sum"_metric, ns / 16},
                      {"dram__bytes_read.sum"_metric, ns},
                      {"dram__bytes_write.sum"_metric, 0}};
    return kernel;
}

Report drawn_report(std::size_t launches) {
    Report report;
    report.device = "d";
    report.workload = {{"name", "x"}};
    for (std::size_t i = 0; i < launches; ++i)
        report.kernels.push_back(drawn_kernel(i % 2 == 0 ? "even" : "odd", static_cast<double>(1000 + i)));
    return report;
}

sim::Platform h200_platform() { return sim::load_platform("h200")->platform; }

const PageValues& values_of(const PageValues& spec, const char* name = "values") { return spec["datasets"][name]; }

const ChartRow<LaunchSource>& launch_chart(std::string_view name) {
    for (const ChartRow<LaunchSource>& row : launch_charts())
        if (row.name == name) return row;
    throw std::out_of_range(std::string(name));
}

}  // namespace

TEST_CASE("nothing in a page's data can end the element that it is in") {
    HtmlPage page;
    page.title = "a & b</title><script>x</script>";
    page.facts = {{"Command", "</script><script>alert(1)</script> @scripts@"}};
    const std::string text = html_text(page);
    CHECK(text.find("<title>a &amp; b&lt;/title>") != text.npos);
    CHECK(text.find("alert(1)") != text.npos);
    CHECK(text.find("<script>alert(1)") == text.npos);
    CHECK(text.find("\\u003c/script>\\u003cscript>alert(1)") != text.npos);
    // What stands for a part of the page is not looked for in what has been put there.
    CHECK(text.find("@scripts@") != text.npos);
    CHECK(html_text(page) == text);
}

TEST_CASE("a page's lists of values have the names of their fields once") {
    const PageValues packed = packed_values(
        {{"values", {{{"a", 1}, {"b", "x"}}, {{"a", 2}, {"b", nullptr}}}}, {"none", PageValues::array()}});
    CHECK(packed == PageValues{{"values", {{"f", {"a", "b"}}, {"r", {{1, "x"}, {2, nullptr}}}}},
                               {"none", {{"f", PageValues::array()}, {"r", PageValues::array()}}}});
}

TEST_CASE("names of charts are of one word, and no report has two of one name") {
    const auto check = [](const auto rows) {
        std::set<std::string_view> names;
        for (const auto& row : rows) {
            CHECK(row.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz-") == row.name.npos);
            CHECK(names.insert(row.name).second);
            CHECK_FALSE(row.title.empty());
            CHECK(row.about.ends_with("."));
        }
    };
    check(run_charts());
    check(launch_charts());
    check(conflict_charts());
    check(validate_charts());
    check(estimate_charts());
    check(series_charts());
    // Those of a run and of its longest launch are files of one folder.
    for (const auto& run : run_charts())
        for (const auto& launch : launch_charts()) CHECK(run.name != launch.name);
}

TEST_CASE("operations of a launch are counted by instruction and lane") {
    sim::KernelResult kernel = drawn_kernel("k", 1000);
    const sim::Platform platform = h200_platform();
    CHECK(operations_of({kernel, &platform}).empty());
    sim::SourceRow row;
    row.inst_executed = 10;
    row.thread_inst_executed = 300;
    row.instruction.opcode = isa::Opcode::FFMA;
    kernel.source.push_back(row);
    row.instruction.opcode = isa::Opcode::FADD;
    kernel.source.push_back(row);
    row.instruction.opcode = isa::Opcode::DFMA;
    kernel.source.push_back(row);
    row.instruction.opcode = isa::Opcode::IADD3;
    kernel.source.push_back(row);
    const auto found = operations_of({kernel, &platform});
    REQUIRE(found.size() == 2);
    CHECK(found[0].kind == "FP64");
    CHECK(found[0].count == 600);
    CHECK(found[1].kind == "FP32");
    CHECK(found[1].count == 900);
    // NVIDIA H200 datasheet: 67 and 34 TFLOP/s.
    CHECK(found[1].peak_per_second == Approx(67e12).epsilon(0.01));
    CHECK(found[0].peak_per_second == Approx(34e12).epsilon(0.02));
    CHECK(operations_of({kernel, nullptr}).empty());
}

TEST_CASE("the memory chart has what SMs send to L2, atomics by themselves") {
    sim::KernelResult kernel = drawn_kernel("k", 1000);
    const sim::Platform platform = h200_platform();
    const auto labels = [&] {
        std::vector<std::string> found;
        const auto spec = launch_chart("memory").spec({kernel, &platform});
        for (const auto& arrow : values_of(spec, "arrows"))
            if (arrow["way"] == "right") found.push_back(arrow["label"]);
        return found;
    };
    // Slices pass on to the other half what lies there: that is counted, and not sent by an SM.
    kernel.metrics.put("lts__t_sectors_op_write.sum"_metric, 3000);
    CHECK(labels().empty());
    kernel.metrics.put("l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"_metric, 7);
    kernel.metrics.put("lts__t_sectors_srcunit_tex_op_write.sum"_metric, 2000);
    CHECK(labels() == std::vector<std::string>{"7 inst", "64 Kbyte"});
    kernel.metrics.put("l1tex__t_requests_pipe_lsu_mem_global_op_red.sum"_metric, 4000);
    kernel.metrics.put("l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum"_metric, 96);
    kernel.metrics.put("l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum"_metric, 100);
    kernel.metrics.put("lts__t_sectors_srcunit_tex_op_red.sum"_metric, 900);
    kernel.metrics.put("lts__t_sectors_srcunit_tex_op_atom.sum"_metric, 100);
    CHECK(labels() ==
          std::vector<std::string>{"7 inst", "4,096 atomics", "3.20 Kbyte", "64 Kbyte", "atomics 32 Kbyte"});
}

TEST_CASE("a roofline has a point for each level of memory") {
    sim::KernelResult kernel = drawn_kernel("k", 1000);
    const sim::Platform platform = h200_platform();
    sim::SourceRow row;
    row.thread_inst_executed = 4000;
    row.instruction.opcode = isa::Opcode::FFMA;
    kernel.source = {row};
    const auto spec = launch_chart("roofline").spec({kernel, &platform});
    const PageValues& points = values_of(spec);
    REQUIRE(points.size() == 3);
    // 8000 operations in 1000 ns; 4000, 2000 and 1000 bytes.
    const double intensities[] = {2, 4, 8};
    const char* names[] = {"L1", "L2", "DRAM"};
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(points[i]["level"] == names[i]);
        CHECK(points[i]["intensity"].get<double>() == Approx(intensities[i]));
        CHECK(points[i]["performance"].get<double>() == Approx(8));
    }
    // DRAM of 4.8 TB/s lets 8 operations a byte do 38.4 TFLOP/s.
    CHECK(points[2]["% of ceiling"].get<double>() == Approx(100 * 8e9 / (8 * platform.dram.bandwidth_gb_per_s * 1e9)));
    CHECK(values_of(spec, "ceilings").size() == 8);
    SECTION("without arithmetic of floating point it counts instructions") {
        kernel.source.clear();
        const auto integer = launch_chart("roofline").spec({kernel, &platform});
        CHECK(values_of(integer)[2]["intensity"].get<double>() == Approx(10'000.0 / (1000.0 / 32)));
        CHECK(values_of(integer)[2]["performance"].get<double>() == Approx(10));
    }
    SECTION("and there is none without time or a platform") {
        CHECK(launch_chart("roofline").spec({kernel, nullptr}).is_null());
        kernel.metrics.erase("gpu__time_duration.sum"_metric);
        CHECK(launch_chart("roofline").spec({kernel, &platform}).is_null());
    }
}

TEST_CASE("charts of what is not known are left out") {
    sim::KernelResult kernel;
    kernel.name = "k";
    CHECK(charts_of(launch_charts(), LaunchSource{kernel, nullptr}).empty());
    kernel.metrics.put("gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"_metric, 50);
    const auto charts = charts_of(launch_charts(), LaunchSource{kernel, nullptr});
    REQUIRE(charts.size() == 1);
    CHECK(values_of(charts[0].spec)[0]["percent"] == 50);
}

TEST_CASE("a page has room for so much, the longest launches first") {
    const Report report = drawn_report(10);
    const sim::Platform platform = h200_platform();
    const RunSource run{report, &platform, nullptr};
    const LaunchPages all = html_launches(run);
    CHECK(all.left_out == 0);
    CHECK(all.without_details == 0);
    const auto whole = PageValues::parse(all.json);
    CHECK(whole["rows"].size() == 10);
    CHECK(whole["kernels"] == PageValues{"even", "odd"});
    CHECK(whole["details"].size() == 10);
    CHECK(whole["specs"].size() <= launch_charts().size());

    const LaunchPages few = html_launches(run, {.rows = 4, .bytes = all.json.size() / 4});
    CHECK(few.left_out == 6);
    CHECK(few.without_details > 0);
    const auto part = PageValues::parse(few.json);
    REQUIRE(part["rows"].size() == 4);
    for (std::size_t i = 0; i < 4; ++i) CHECK(part["rows"][i][8] == 6 + i);
    CHECK_FALSE(part["rows"][3][7].is_null());
    CHECK(part["rows"][0][7].is_null());
}

TEST_CASE("launches that are equal are behind one another's row") {
    Report report;
    for (int i = 0; i < 100; ++i) report.kernels.push_back(drawn_kernel("k", 1000));
    const auto json = PageValues::parse(html_launches({report, nullptr, nullptr}).json);
    CHECK(json["rows"].size() == 100);
    CHECK(json["details"].size() == 1);
}

TEST_CASE("the source view has each kernel once, its lines in their order, and room for so much") {
    Report report;
    for (int i = 0; i < 3; ++i) {
        sim::KernelResult kernel = drawn_kernel("k", 1000);
        for (std::uint64_t pc = 0; pc < 4; ++pc) {
            sim::SourceRow row;
            row.pc = 16 * pc;
            row.instruction = source_rows::shared_load();
            row.inst_executed = pc;
            row.location = pc % 2 == 0 ? "/a/a.cu:10" : "/a/a.cu:2";
            row.stalls[index_of(sim::Stall::wait)] = 10 * pc;
            row.stalls[index_of(sim::Stall::selected)] = pc;
            kernel.source.push_back(row);
        }
        sim::SourceRow filling;
        filling.pc = 64;
        filling.instruction.opcode = isa::Opcode::NOP;
        kernel.source.push_back(filling);
        report.kernels.push_back(kernel);
    }
    const RunSource run{report, nullptr, nullptr};
    const SourcePages pages = html_sources(run, {"k"});
    CHECK(pages.left_out == 0);
    const auto json = PageValues::parse(pages.json);
    REQUIRE(json.size() == 1);
    CHECK(json[0]["launches"] == 3);
    CHECK(json[0]["lines"].dump() == R"([["a.cu:2",""],["a.cu:10",""]])");
    REQUIRE(json[0]["rows"].size() == 4);
    const PageValues& last = json[0]["rows"][3];
    CHECK(last[2] == 0);
    CHECK(last[3] == 3 * 33);
    CHECK(last[4] == 3 * 3);
    CHECK(last.back() == "wait");

    const auto few = PageValues::parse(html_sources(run, {"k"}, {.instructions = 2, .bytes = 5'000'000}).json);
    CHECK(few[0]["rows"].size() == 2);
    CHECK(few[0]["rows"][0][0] == 32);
    CHECK(few[0]["note"] == "The 2 instructions that take most; 2 are left out.");
    CHECK(html_sources(run, {"k"}, {.instructions = 10, .bytes = 10}).left_out == 1);
}
