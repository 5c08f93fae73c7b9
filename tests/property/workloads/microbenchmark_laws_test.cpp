// Each row of the microbenchmarks that fixes a number of a platform must follow that number, and by as much as it is
// changed: that is what shows that the row measures what it is said to measure.
#include <catch2/catch.hpp>

#include <map>
#include <string>
#include <vector>

#include "sim/device/modelled_devices.hpp"
#include "sim/platform/platform_reader.hpp"
#include "workloads/micro/micro.hpp"

using namespace sassafras;
using namespace sassafras::workloads;

namespace {

/// The one row called "name parameter" on an H200 with what `changes` says.
double row(const std::string& changes, const std::string& name) {
    CAPTURE(changes, name);
    const std::string text = R"({"name": "changed", "base": "h200")" + (changes.empty() ? "" : ", " + changes) + "}";
    const auto parsed = sim::parse_platform(text, "changed.json");
    if (!parsed) FAIL(parsed.error().message());
    const auto device = sim::make_simulated_device((*parsed).platform, {});
    const auto rows = micro::run(*device, name);
    if (!rows) FAIL(rows.error().message());
    for (const micro::Row& found : *rows)
        if (found.name + " " + found.parameter == name) return found.value;
    FAIL("there is no such row");
    return 0;
}

/// A number that is changed, and what the row is then expected to do.
struct Law {
    std::string changes;
    std::string row;
    double expected;
    double tolerance;
};

/// The row on an unchanged H200, measured once.
double unchanged(std::map<std::string, double>& known, const std::string& name) {
    const auto found = known.find(name);
    return found != known.end() ? found->second : known.emplace(name, row("", name)).first->second;
}

void check_differences(const std::vector<Law>& laws) {
    std::map<std::string, double> known;
    for (const Law& law : laws) {
        CAPTURE(law.changes, law.row);
        CHECK(row(law.changes, law.row) - unchanged(known, law.row) == Approx(law.expected).margin(law.tolerance));
    }
}

void check_ratios(const std::vector<Law>& laws) {
    std::map<std::string, double> known;
    for (const Law& law : laws) {
        CAPTURE(law.changes, law.row);
        CHECK(row(law.changes, law.row) / unchanged(known, law.row) == Approx(law.expected).epsilon(law.tolerance));
    }
}

}  // namespace

TEST_CASE("rows of launches and blocks follow the GPU's costs", "[release]") {
    check_differences({
        {R"("gpu": {"launch_overhead_cycles": 3380})", "launch null grid=1 block=32", 1000, 2},
        {R"("gpu": {"completion_overhead_cycles": 3350})", "launch null grid=1 block=32", 1000, 2},
        {R"("gpu": {"block_start_latency_cycles": 498})", "block gap apart=16 block=1024 by_timer mean", 100, 2},
        // 4,223 blocks further: 2 cycles less 1/5.4, in ns; the first wait for their instructions either way. Either
        // row is from one time to another by a timer with steps of 32.
        {R"("gpu": {"first_wave_blocks_per_cycle": 0.5})", "first wave by_timer blocks_per_sm=32 block=32", 3870, 64},
    });
    check_ratios({
        {R"("gpu": {"completed_blocks_per_cycle": 0.415})", "turnover null grid=4224-42240 block=32", 2, 0.05},
    });
}

// The latency of a pipe of fixed latency is in the stall counts of the control codes, not in the platform's number.
TEST_CASE("rows of pipes follow their latencies and intervals") {
    check_differences({
        {R"("pipes": {"xu": {"latency_cycles": 27}})", "latency popc warps=1", 10, 0.2},
        {R"("sm": {"branch_latency_cycles": 20})", "loop ffma operations=16", 10, 0.2},
        {R"("sm": {"barrier_latency_cycles": 22})", "latency bar_sync warps=4", 10, 0.2},
        {R"("sm": {"barrier_arrival_interval_cycles": 4})", "latency bar_sync warps=16", 32, 2.1},
    });
    check_ratios({
        {R"("pipes": {"alu": {"issue_interval_cycles": 4}})", "rate lop3 warps=32", 0.5, 0.05},
        {R"("pipes": {"fma": {"issue_interval_cycles": 2}})", "rate fadd warps=32", 0.5, 0.1},
        {R"("pipes": {"imad": {"issue_interval_cycles": 4}})", "rate imad warps=32", 0.5, 0.05},
        {R"("pipes": {"imad_wide": {"issue_interval_cycles": 8}})", "rate imad_hi warps=32", 0.5, 0.05},
        {R"("pipes": {"fp16": {"issue_interval_cycles": 4}})", "rate hset2 warps=32", 0.5, 0.05},
        {R"("pipes": {"fp64": {"issue_interval_cycles": 4}})", "rate dadd warps=32", 0.5, 0.05},
        {R"("pipes": {"xu": {"issue_interval_cycles": 16}})", "rate popc warps=32", 0.5, 0.05},
    });
}

TEST_CASE("rows of the memory unit follow its latencies and intervals") {
    check_differences({
        {R"("lsu": {"shared_load_latency_cycles": 33})", "latency lds stride_words=1", 10, 0.2},
        {R"("lsu": {"shared_atomic_latency_cycles": 36})", "latency atoms stride_words=1", 10, 0.3},
        {R"("lsu": {"shuffle_latency_cycles": 34})", "latency shfl warps=1", 10, 0.2},
        {R"("lsu": {"constant_latency_cycles": 38})", "latency ldc indexed", 10, 0.2},
        {R"("lsu": {"warp_wavefront_interval_cycles": 4})", "warps lds width=4 stride=8 warps=one", 2 * 8, 0.3},
        {R"("lsu": {"l1_hit_latency_cycles": 41})", "latency ldg l1 footprint=16384 stride=128", 10, 0.2},
        // 432 sets of four lines fill unevenly, and the lines that the row stores its times to have places among them,
        // so that it finds less than there is.
        {R"("sm": {"unified_l1_bytes": 294912})", "capacity l1 dynamic_shared=0", 32768, 6144},
    });
    check_ratios({
        // Eight wavefronts, every fourth cycle where the next warp's could go between (10.1 cycles a load).
        {R"("lsu": {"subcore_wavefront_interval_cycles": 4})", "warps lds width=4 stride=8 warps=one_subcore", 3.16,
         0.05},
        {R"("lsu": {"wavefront_interval_cycles": 2, "subcore_wavefront_interval_cycles": 2})",
         "warps sts width=4 stride=8 warps=eight", 2, 0.05},
        {R"("lsu": {"tags_per_cycle": 4, "lines_per_wavefront": 2})", "throughput ldg l1 width=4 warps=32 lines=32",
         0.5, 0.05},
    });
}

TEST_CASE("rows of code and constants follow the caches that hold them") {
    check_differences({
        {R"("fetch": {"constant_miss_latency_cycles": 87})", "cold constant lines=24", 30, 1},
    });
    check_ratios({{R"("fetch": {"fill_interval_cycles": 36})", "straight line first pass operations=4096", 2, 0.05}});
    // On an H200 what the lines ahead take, one after the other, is longer than a miss.
    const std::string jumps = "cold code jumps=16";
    CHECK(row(R"("fetch": {"l1_miss_latency_cycles": 260})", jumps) -
              row(R"("fetch": {"l1_miss_latency_cycles": 200})", jumps) ==
          Approx(60).margin(3));
    // Code of 64 lines and a few around it: more than a sub-core keeps, and then not.
    const std::string order = "issue order ffma operations=512 warps=16";
    CHECK(row(R"("fetch": {"l0_lines": 128})", order) < 0.9 * row("", order));
    // Code of 256 lines and a few around it.
    const std::string second = "straight line second pass operations=2048";
    CHECK(row(R"("fetch": {"l1_lines": 512})", second) < 0.99 * row("", second));
    CHECK(row(R"("fetch": {"l1_lines": 128})", second) > 1.5 * row("", second));
}

TEST_CASE("rows of L2 follow latency, distance and the rates of its slices", "[release]") {
    const std::string all = "load l2 sms=all lines=128 ";
    check_differences({
        {R"("l2": {"hit_latency_cycles": 306})", all + "mean", 50, 2},
        // The lines were read before: each partition has a copy, and far is as near.
        {R"("l2": {"far_latency_cycles": 280})", all + "mean", 0, 1},
        {R"("l2": {"slice_spread_cycles": 156})", all + "mean", 50, 10},
    });
    check_ratios({
        {R"("l2": {"slice_write_sector_bytes": 118, "slice_write_partial_bytes": 118})",
         "scatter st footprint=4194304 stride_words=32", 0.5, 0.05},
        // A partly written sector alone costs 59 and a mask of 59, four full ones cost 4 * 59.
        {R"("l2": {"slice_write_request_bytes": 88})", "scatter st footprint=4194304 stride_words=32", 118.0 / 206,
         0.05},
        {R"("l2": {"slice_write_request_bytes": 88})", "scatter st footprint=4194304 stride_words=1", 236.0 / 324,
         0.08},
    });
    // From slices that are slow enough to be all that counts.
    const std::string again = "stream bytes=16777216 blocks_per_sm=4 again segment=2 read";
    CHECK(row(R"("l2": {"slice_bytes_per_cycle": 12})", again) / row(R"("l2": {"slice_bytes_per_cycle": 24})", again) ==
          Approx(0.5).epsilon(0.15));
}

TEST_CASE("rows of cold loads follow DRAM's latency, its refresh and its rows") {
    const std::string one = "load cold lines=1 spacing=131072 mean";
    check_differences({
        {R"("dram": {"latency_cycles": 358})", one, 100, 8},  // refreshes come at other times
        // A wait of 265 on average in 530 of 3,805 cycles is 37.
        {R"("dram": {"refresh_interval_cycles": 0})", one, -37, 15},
    });
    // Half of the lines are the far partition's. Without refreshes, for whose phase it matters when a load comes.
    const std::string no_refresh = R"("dram": {"refresh_interval_cycles": 0})";
    CHECK(row(no_refresh + R"(, "l2": {"far_latency_cycles": 280})", one) - row(no_refresh, one) ==
          Approx(50).margin(6));
    // Of 32 lines one is far and some are late: the latest of 32 waits nearly a whole refresh more, and no longer.
    const std::string many = "load cold lines=32 spacing=131072 p99";
    CHECK(row("", many) - row(R"("dram": {"refresh_interval_cycles": 0})", many) == Approx(530).margin(60));
    CHECK(row(R"("l2": {"far_latency_cycles": 280})", many) - row("", many) == Approx(100).margin(15));
    // 32 lines in a row of memory are two rows of DRAM, or 32 that draw their own.
    const std::string together = "load cold lines=32 spacing=128 mean";
    CHECK(row(R"("dram": {"row_region_bytes": 128, "interleaved_rows": 1, "row_interleave_bytes": 128})", together) >
          row("", together) + 130);
}

TEST_CASE("rows of bandwidth follow DRAM's", "[release]") {
    // All that DRAM takes: bytes, and rows that are not open.
    check_ratios({{R"("dram": {"efficiency": 0.475, "t_rrd_ns": 9.72, "row_miss_cycles": 5.2})",
                   "stream bytes=67108864 blocks_per_sm=2 on segment=1 read", 0.5, 0.08}});
}
