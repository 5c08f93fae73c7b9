// What must happen to a kernel's time when one number of the GPU changes. Where physics demands an effect, a least size
// of it is asserted; where it only forbids one direction, `about` leaves room for scheduling anomalies. Where an
// access falls into DRAM's refresh interval changes when it moves by a cycle, which alone makes a gemm on two SMs 3 %
// faster or slower: some laws therefore do without it. Many laws start from a GPU of two or four SMs: there small
// problems fill it, so that throughput counts and not one block's latency.
#include "workload_run.hpp"

using namespace sassafras;
using namespace sassafras::sim;
using namespace sassafras::sim::test;

namespace {

constexpr double about = 1.02;
// The tiled gemm on two SMs takes 202,000 to 208,700 cycles as DRAM's bandwidth goes from once to four times the
// H200's, up and down: which block's loads come first decides.
constexpr double about_of_gemm = 1.04;
constexpr Workload gemm_tiled{"gemm", "64x64x16", 256};
constexpr Workload gemm_small_tiles{"gemm", "16x16x16", 128};
constexpr Workload merge_small{"merge", "E15", 65536};
constexpr Workload merge_large{"merge", "E8", 262144};
constexpr Workload search_keys{"search", "", 65536};
constexpr Workload sort_keys{"sort", "", 20000};

}  // namespace

TEST_CASE("halving the SMs of a full GPU nearly doubles the time", "[release]") {
    for (const Workload& workload : {gemm_small_tiles, merge_small, search_keys}) {
        CAPTURE(workload.name);
        const double four = cycles(R"("gpu": {"sm_count": 4})", workload);
        const double two = cycles(R"("gpu": {"sm_count": 2})", workload);
        CHECK(two > 1.5 * four);
        CHECK(two < 2.2 * four);
    }
}

TEST_CASE("SMs beyond the number of blocks change nothing much", "[release]") {
    // Sixteen blocks. Sixteen SMs are of two GPCs, of 132 nine are of one and seven each of another: other distances to
    // L2. Without refresh, which makes more of a load that comes a little later.
    const double many = cycles(R"("dram": {"refresh_interval_cycles": 0})", gemm_tiled);
    const double enough = cycles(R"("gpu": {"sm_count": 16}, "dram": {"refresh_interval_cycles": 0})", gemm_tiled);
    CHECK(enough < about_of_gemm * many);
    CHECK(many < about_of_gemm * enough);
}

TEST_CASE("twice the DRAM bandwidth helps a kernel that waits for it", "[release]") {
    const double slow = cycles(R"("dram": {"bandwidth_gb_per_s": 150})", merge_large);
    const double fast = cycles(R"("dram": {"bandwidth_gb_per_s": 300})", merge_large);
    CHECK(fast < 0.8 * slow);
    // Nothing is gained where the arithmetic is what takes time.
    const double gemm = cycles(R"("gpu": {"sm_count": 2}, "dram": {"refresh_interval_cycles": 0})", gemm_tiled);
    const double gemm_fast = cycles(
        R"("gpu": {"sm_count": 2}, "dram": {"refresh_interval_cycles": 0, "bandwidth_gb_per_s": 9600})", gemm_tiled);
    CHECK(gemm_fast < about_of_gemm * gemm);
    CHECK(gemm_fast > gemm / about_of_gemm);
}

TEST_CASE("half the shared-memory banks make more wavefronts and take longer") {
    for (const Workload& workload : {gemm_tiled, search_keys}) {
        CAPTURE(workload.name);
        const auto banks_32 = simulate(R"("gpu": {"sm_count": 2})", workload);
        const auto banks_16 = simulate(R"("gpu": {"sm_count": 2}, "sm": {"shared_banks": 16})", workload);
        const auto wavefronts_32 = static_cast<double>(source_sum(banks_32, &SourceRow::shared_wavefronts));
        const auto wavefronts_16 = static_cast<double>(source_sum(banks_16, &SourceRow::shared_wavefronts));
        CHECK(wavefronts_16 > 1.3 * wavefronts_32);
        CHECK(wavefronts_16 < 2.5 * wavefronts_32);
        CHECK(cycles(banks_16) > 1.15 * cycles(banks_32));
    }
}

TEST_CASE("longer latencies of shared memory, L2 and DRAM take longer", "[release]") {
    const double search = cycles("", search_keys);
    CHECK(cycles(R"("l2": {"hit_latency_cycles": 444})", search_keys) > search + 1000);
    CHECK(cycles(R"("lsu": {"shared_load_latency_cycles": 60})", search_keys) > search + 500);
    const double merge = cycles("", merge_small);
    CHECK(cycles(R"("l2": {"hit_latency_cycles": 444})", merge_small) > merge + 400);
    CHECK(cycles(R"("dram": {"latency_cycles": 1246})", merge_small) > merge + 900);
}

TEST_CASE("the latency of a barrier is paid at every barrier", "[release]") {
    // 256 / 16 steps of two barriers each.
    const double base = cycles("", gemm_tiled);
    const double slow = cycles(R"("sm": {"barrier_latency_cycles": 212})", gemm_tiled);
    CHECK(slow > base + 16 * 200);
    CHECK(slow < base + 40 * 200);
}

TEST_CASE("more L1 does not hurt, and helps where threads walk along their own lines") {
    const std::string small =
        R"("gpu": {"sm_count": 4}, "sm": {"unified_l1_bytes": 65536, "shared_bytes": 32768, "max_shared_per_block_bytes": 16384})";
    const auto little = simulate(small, merge_small);
    const auto normal = simulate(R"("gpu": {"sm_count": 4})", merge_small);
    CHECK(cycles(normal) < 0.95 * cycles(little));
    CHECK(sum(normal, "lts__t_sectors_op_read.sum"_metric) < 0.95 * sum(little, "lts__t_sectors_op_read.sum"_metric));
    const double twice = cycles(R"("gpu": {"sm_count": 4}, "sm": {"unified_l1_bytes": 524288})", merge_small);
    CHECK(twice < about * cycles(normal));
}

TEST_CASE("fewer warps or registers mean fewer blocks at a time, and no less time") {
    const std::string sms = R"("gpu": {"sm_count": 4})";
    CHECK(cycles(sms + R"(, "sm": {"max_warps": 32})", gemm_small_tiles) > 1.05 * cycles(sms, gemm_small_tiles));
    CHECK(cycles(sms + R"(, "sm": {"max_warps": 8, "max_threads_per_block": 256})", merge_small) >
          1.05 * cycles(sms, merge_small));
    CHECK(cycles(sms + R"(, "sm": {"registers": 32768})", gemm_tiled) > 0.98 * cycles(sms, gemm_tiled));
    CHECK(cycles(R"("gpu": {"sm_count": 2}, "sm": {"registers": 32768})", gemm_tiled) >
          1.2 * cycles(R"("gpu": {"sm_count": 2})", gemm_tiled));
}

TEST_CASE("a slower clock leaves an SM's cycles as they are and makes them longer") {
    const std::string sms = R"("gpu": {"sm_count": 2}, "dram": {"refresh_interval_cycles": 0})";
    const auto fast = simulate(sms, gemm_tiled);
    const auto slow = simulate(sms + R"(, "clock": {"sm_mhz": 990})", gemm_tiled);
    CHECK(cycles(slow) < about_of_gemm * cycles(fast));
    CHECK(cycles(slow) > cycles(fast) / about_of_gemm);
    CHECK(sum(slow, "gpu__time_duration.sum"_metric) ==
          Approx(2 * sum(fast, "gpu__time_duration.sum"_metric)).epsilon(0.04));
    // DRAM keeps its own time: waiting for it takes fewer cycles of a slower clock.
    const std::string narrow = R"("dram": {"bandwidth_gb_per_s": 150})";
    CHECK(cycles(narrow + R"(, "clock": {"sm_mhz": 990})", merge_large) < 0.8 * cycles(narrow, merge_large));
}

TEST_CASE("slower pipes take longer where they are the bottleneck", "[release]") {
    const std::string sms = R"("gpu": {"sm_count": 2})";
    // Below a half: the memory unit takes nearly as long as the FFMAs at their own rate.
    CHECK(cycles(sms + R"(, "pipes": {"fma": {"issue_interval_cycles": 4}})", gemm_tiled) >
          1.15 * cycles(sms, gemm_tiled));
    // 524,288 FFMA warp instructions on eight sub-cores.
    CHECK(cycles(sms + R"(, "pipes": {"fma": {"issue_interval_cycles": 4}})", gemm_tiled) > 524288.0 / 8 * 4);
}

TEST_CASE("overheads shift a launch, cycle for cycle") {
    // Without refresh: whether an access meets it depends on the time of the access.
    const std::string still = R"("dram": {"refresh_interval_cycles": 0})";
    for (const Workload& workload : {gemm_tiled, merge_small, search_keys}) {
        CAPTURE(workload.name);
        const Platform platform = changed_h200("");
        const double base = cycles(still, workload);
        const auto more = [](std::uint32_t value) { return std::to_string(value + 777); };
        CHECK(cycles(still + R"(, "gpu": {"completion_overhead_cycles": )" +
                         more(platform.gpu.completion_overhead_cycles) + "}",
                     workload) == base + 777);
        CHECK(
            cycles(still + R"(, "gpu": {"launch_overhead_cycles": )" + more(platform.gpu.launch_overhead_cycles) + "}",
                   workload) == base + 777);
    }
}

TEST_CASE("sectors of twice the size are fewer, but not fewer than half") {
    for (const Workload& workload : {merge_small, search_keys, sort_keys}) {
        CAPTURE(workload.name);
        const auto sectors_32 = source_sum(simulate("", workload), &SourceRow::global_sectors);
        const auto sectors_64 =
            source_sum(simulate(R"("lsu": {"sector_bytes": 64})", workload), &SourceRow::global_sectors);
        CHECK(sectors_64 < sectors_32);
        CHECK(2 * sectors_64 >= sectors_32);
    }
}

TEST_CASE("larger problems take longer", "[release]") {
    CHECK(cycles("", {"merge", "E15", 262144}) > 1.05 * cycles("", merge_small));
    CHECK(cycles(R"("gpu": {"sm_count": 2})", {"search", "", 65536}) >
          1.7 * cycles(R"("gpu": {"sm_count": 2})", {"search", "", 32768}));
    CHECK(cycles("", gemm_tiled) > 1.7 * cycles("", {"gemm", "64x64x16", 128}));
    CHECK(cycles("", sort_keys) > cycles("", {"sort", "", 5000}));
}
