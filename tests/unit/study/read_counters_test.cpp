// Profilers' files, in the forms that their manuals show, become the same quantities.
#include <catch2/catch.hpp>

#include <string>

#include "study/diagnose/read_counters.hpp"

using namespace sassafras;
using namespace sassafras::study;

namespace {

std::vector<CountedKernel> kernels_in(const std::string& text) {
    const auto launches = launches_in(text, "counters");
    if (!launches) FAIL(launches.error().message());
    auto kernels = counted_kernels(*launches, "counters");
    if (!kernels) FAIL(kernels.error().message());
    return std::move(kernels).value();
}

std::string refusal_of(const std::string& text) {
    const auto launches = launches_in(text, "counters");
    if (!launches) return launches.error().message();
    const auto kernels = counted_kernels(*launches, "counters");
    return kernels ? "taken" : kernels.error().message();
}

double value_of(const CountedKernel& kernel, Quantity quantity) {
    const auto value = kernel.counters.find(quantity);
    CAPTURE(row_of(quantity).name);
    REQUIRE(value.has_value());
    return *value;
}

}  // namespace

TEST_CASE("Nsight Compute's raw page: a row a launch, units below the names, launches of a kernel together") {
    const auto kernels = kernels_in(
        "==PROF== Connected to process 7\n"
        "\"ID\",\"Kernel Name\",\"gpu__time_duration.sum\",\"dram__bytes_read.sum\",\"lts__t_sector_hit_rate.pct\"\n"
        "\"\",\"\",\"usecond\",\"Mbyte\",\"%\"\n"
        "\"0\",\"a(int, float *)\",\"1,000\",\"3.2\",\"50\"\n"
        "\"1\",\"b()\",\"2\",\"1\",\"10\"\n"
        "\"2\",\"a(int, float *)\",\"3,000\",\"6.4\",\"90\"\n");
    REQUIRE(kernels.size() == 2);
    CHECK(kernels[0].name == "a(int, float *)");
    CHECK(kernels[0].launches == 2);
    CHECK(value_of(kernels[0], Quantity::time) == 4e6);
    CHECK(value_of(kernels[0], Quantity::dram_read_sectors) == Approx(300'000));
    CHECK(value_of(kernels[0], Quantity::l2_hit_rate) == Approx(80));  // weighted by time
    CHECK(kernels[1].launches == 1);
}

TEST_CASE("Nsight Compute's details page: a row a metric") {
    const auto kernels = kernels_in(
        "\"ID\",\"Kernel Name\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
        "\"0\",\"a\",\"Command line profiler metrics\",\"smsp__inst_executed.sum\",\"inst\",\"12,345\"\n"
        "\"0\",\"a\",\"Command line profiler metrics\",\"gpu__time_duration.sum\",\"ns\",\"500\"\n"
        "\"1\",\"a\",\"Command line profiler metrics\",\"smsp__inst_executed.sum\",\"inst\",\"5\"\n"
        "\"1\",\"a\",\"Command line profiler metrics\",\"gpu__time_duration.sum\",\"us\",\"0.5\"\n");
    REQUIRE(kernels.size() == 1);
    CHECK(kernels[0].launches == 2);
    CHECK(value_of(kernels[0], Quantity::instructions_executed) == 12350);
    CHECK(value_of(kernels[0], Quantity::time) == 1000);
}

TEST_CASE("nvprof's events and metrics: the average of a kernel's launches, levels as percent") {
    const auto kernels = kernels_in(
        "==42== NVPROF is profiling process 42\n"
        "\"Device\",\"Kernel\",\"Invocations\",\"Metric Name\",\"Metric Description\",\"Min\",\"Max\",\"Avg\"\n"
        "\"C2050\",\"k(int)\",\"2\",\"tex_utilization\",\"x\",\"Low (2)\",\"Low (2)\",\"High (8)\"\n"
        "\"C2050\",\"k(int)\",\"2\",\"achieved_occupancy\",\"x\",\"0.4\",\"0.6\",\"0.5\"\n"
        "\"C2050\",\"k(int)\",\"2\",\"dram_read_transactions\",\"x\",\"1\",\"3\",\"2\"\n");
    REQUIRE(kernels.size() == 1);
    CHECK(value_of(kernels[0], Quantity::l1_utilisation) == 80);
    CHECK(value_of(kernels[0], Quantity::achieved_occupancy) == 50);
    CHECK(value_of(kernels[0], Quantity::dram_read_sectors) == 2);
    const auto events = kernels_in(
        "\"Device\",\"Kernel\",\"Invocations\",\"Event Name\",\"Min\",\"Max\",\"Avg\",\"Total\"\n"
        "\"C2050\",\"k\",\"1\",\"fb_subp0_read_sectors\",\"5\",\"5\",\"5\",\"5\"\n"
        "\"C2050\",\"k\",\"1\",\"fb_subp1_read_sectors\",\"7\",\"7\",\"7\",\"7\"\n"
        "\"C2050\",\"k\",\"1\",\"gputime\",\"2\",\"2\",\"2\",\"2\"\n");
    CHECK(value_of(events[0], Quantity::dram_read_sectors) == 12);
    CHECK(value_of(events[0], Quantity::time) == 2000);
}

TEST_CASE("JSON of a run, or of names and numbers") {
    const auto kernels = kernels_in(
        R"({"kernels": [{"name": "k", "metrics": {"smsp__inst_executed.sum": 3, "gpu__time_duration.sum": 4}}]})");
    CHECK(kernels[0].name == "k");
    CHECK(value_of(kernels[0], Quantity::instructions_executed) == 3);
    CHECK(value_of(kernels_in(R"({"inst_issued": 9, "remark": "x"})")[0], Quantity::instructions_issued) == 9);
}

TEST_CASE("names and values, with comments, units and line ends of either kind") {
    const auto kernels =
        kernels_in("# by hand\r\nkernel,mine\r\ngputime,1.5\r\ninst_issued,\"1,024\"\r\ntime,2,ms\r\n");
    CHECK(kernels[0].name == "mine");
    CHECK(value_of(kernels[0], Quantity::instructions_issued) == 1024);
    CHECK(value_of(kernels[0], Quantity::time) == 2e6);  // the quantity's own name comes first
}

TEST_CASE("what one launch does not know, the kernel does not know") {
    const auto kernels = kernels_in(
        R"({"kernels": [{"name": "k", "metrics": {"smsp__inst_executed.sum": 3, "gpu__time_duration.sum": 4}},
                        {"name": "k", "metrics": {"gpu__time_duration.sum": 4}}]})");
    CHECK_FALSE(kernels[0].counters.find(Quantity::instructions_executed).has_value());
    CHECK(value_of(kernels[0], Quantity::time) == 8);
}

TEST_CASE("what holds no counters is refused, with the file's name") {
    CHECK(refusal_of("").starts_with("there is no launch with a number [counters]"));
    CHECK(refusal_of("a,b\nc,d\n").starts_with("there is no launch with a number [counters]"));
    CHECK(refusal_of("speed,5\n").starts_with("no name of a counter is known [counters]"));
    CHECK(refusal_of("inst_issued,\"5\n").starts_with("this is no CSV: "));
    CHECK(refusal_of("inst_issued,nan\n").starts_with("there is no launch with a number"));
    CHECK(refusal_of("inst_issued,1e999\n").starts_with("there is no launch with a number"));
    CHECK(refusal_of("{\"kernels\": 3}").starts_with("no name of a counter is known"));
    CHECK(refusal_of("{\"kernels\": [3, {\"metrics\": 4}]}").starts_with("there is no launch with a number"));
    CHECK(refusal_of("{\"a\": ").find("counters") != std::string::npos);
    CHECK(refusal_of("[1, 2]").starts_with("there is no launch with a number"));
}

TEST_CASE("values as profilers write them") {
    CHECK(counter_value("1,234,567") == 1234567.0);
    CHECK(counter_value(" 88.5% ") == 88.5);
    CHECK(counter_value("3.2GB/s") == 3.2e9);
    CHECK(counter_value("Max (10)") == 100.0);
    CHECK(counter_value("Mid") == 50.0);
    CHECK_FALSE(counter_value("Low (12)").has_value());
    CHECK_FALSE(counter_value("fast").has_value());
    CHECK_FALSE(counter_value("5 apples").has_value());
    CHECK_FALSE(counter_value("").has_value());
}
