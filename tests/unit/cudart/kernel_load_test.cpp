// What a launch takes of the GPU, from what is known of it.
#include <catch2/catch.hpp>

#include "cudart/kernel_load.hpp"
#include "tests/fixture_platform.hpp"

using namespace sassafras;
using namespace sassafras::cudart;

namespace {

double of(const SmBusy& busy, SmUnit unit) { return busy[static_cast<std::size_t>(unit)]; }
double of(const Places& places, SmPlace place) { return places[static_cast<std::size_t>(place)]; }

/// 1,024 threads a block; 1,000 cycles of SMs beside the overheads, in all of which the FMA pipes are busy.
sim::KernelResult result_of(const sim::Platform& platform, std::uint32_t blocks) {
    const double overheads = platform.gpu.launch_overhead_cycles + platform.gpu.completion_overhead_cycles;
    const double cycles = 1000 + overheads;
    sim::KernelResult result;
    result.grid = {blocks, 1, 1};
    result.block = {1024, 1, 1};
    result.registers_per_thread = 16;
    result.course.emplace();
    result.metrics.put("sm__cycles_elapsed.max"_metric, cycles);
    result.metrics.put("gpu__time_duration.sum"_metric, cycles);
    result.metrics.put("sm__cycles_active.sum"_metric, 1000.0 * std::min(blocks, platform.gpu.sm_count));
    for (const sim::MetricId unused :
         {"smsp__inst_issued.sum"_metric, "sm__pipe_alu_cycles_active.avg.pct_of_peak_sustained_elapsed"_metric,
          "sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_elapsed"_metric,
          "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed"_metric,
          "sm__pipe_xu_cycles_active.avg.pct_of_peak_sustained_elapsed"_metric,
          "l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed"_metric,
          "model__l1_lines.avg.pct_of_peak_sustained_elapsed"_metric})
        result.metrics.put(unused, 0.0);
    result.metrics.put("model__fma_busier_half.avg.pct_of_peak_sustained_elapsed"_metric,
                       100 * 1000 / cycles * std::min(blocks, platform.gpu.sm_count) / platform.gpu.sm_count);
    return result;
}

}  // namespace

TEST_CASE("a kernel of one wave: units are busy while its blocks run, on their SMs") {
    const sim::Platform platform = sim::test::fixture_platform();
    const std::uint32_t blocks = platform.gpu.sm_count / 2;
    sim::KernelResult result = result_of(platform, blocks);
    const std::uint64_t begin = platform.gpu.launch_overhead_cycles;
    result.course->tail = {
        .blocks = blocks, .begin = begin, .first_end = begin + 900, .block_cycles = blocks * 1000ULL};
    const KernelLoad load = load_of(result, platform);
    CHECK(load.one_wave());
    CHECK(load.resident == blocks);
    CHECK(of(load.block_takes, SmPlace::warps) == 0.5);
    CHECK(of(load.parts[KernelLoad::full].of_block, SmUnit::fma) == Approx(1));
    CHECK(of(load.parts[KernelLoad::full].of_block, SmUnit::alu) == 0);
    CHECK(load.parts[KernelLoad::full].sms == 1);
    CHECK(load.parts[KernelLoad::full].time + load.parts[KernelLoad::tail].time == Approx(1));
    CHECK(load.parts[KernelLoad::full].time == Approx(0.9));
    CHECK(load.before == Approx(platform.gpu.launch_overhead_cycles * 1000 / platform.clock.sm_mhz));
    CHECK(load.after == Approx(platform.gpu.completion_overhead_cycles * 1000 / platform.clock.sm_mhz));
    CHECK_FALSE(load.parts[KernelLoad::full].fills_memory());
}

TEST_CASE("a kernel has used of L2 the share of its lines, and begins late behind others as the platform says") {
    sim::Platform platform = sim::test::fixture_platform();
    platform.copies.launch_place_ns = 123;
    platform.copies.launch_beside_ns = 45;
    sim::KernelResult result = result_of(platform, 1);
    result.course->l2.lines = 3 * platform.l2.bytes / platform.lsu.l1_line_bytes / 2;
    const KernelLoad load = load_of(result, platform);
    CHECK(load.l2_lines == Approx(1.5));
    CHECK(load.behind_place == 123);
    CHECK(load.behind_other == 45);
    CHECK(load_of_places(1, {32, 16, 0}, platform).behind_place == 123);
}

TEST_CASE("memory does most of a kernel's work in the stretch in which it answers most") {
    const sim::Platform platform = sim::test::fixture_platform();
    const std::uint32_t blocks = platform.gpu.sm_count;
    sim::KernelResult result = result_of(platform, blocks);
    const std::uint64_t begin = platform.gpu.launch_overhead_cycles;
    result.course->tail = {
        .blocks = blocks, .begin = begin, .first_end = begin + 1000, .block_cycles = blocks * 1000ULL};
    // So many sectors that slices send in 320 of the 1,000 cycles.
    result.course->l2.reads.sectors =
        static_cast<std::uint64_t>(2 * 320 * platform.l2.clock_share * platform.l2.slices);
    const KernelLoad even = load_of(result, platform);
    CHECK(even.parts[KernelLoad::lead].time == 0);
    CHECK(even.parts[KernelLoad::full].time == Approx(1));
    CHECK(even.parts[KernelLoad::full].of_gpu[1] == Approx(0.32).epsilon(0.01));

    for (std::uint64_t cycle = begin + 400; cycle < begin + 800; ++cycle) result.course->answers.note(cycle);
    const KernelLoad load = load_of(result, platform);
    const auto& [lead, full, rest, tail] = load.parts;
    CHECK(lead.time + full.time + rest.time + tail.time == Approx(1));
    CHECK(lead.time >= 0.35);
    CHECK(full.time <= 0.4);
    CHECK(full.of_gpu[1] > 0.7);
    CHECK(lead.of_gpu[1] < 0.15);
    CHECK(rest.of_gpu[1] == lead.of_gpu[1]);
    CHECK(lead.time * lead.of_gpu[1] + full.time * full.of_gpu[1] + rest.time * rest.of_gpu[1] ==
          Approx(0.32).epsilon(0.01));
    CHECK(full.of_block == even.parts[KernelLoad::full].of_block);
    CHECK_FALSE(load.fills_memory());
}

TEST_CASE("a kernel of several waves: half of its SMs are free in the tail") {
    const sim::Platform platform = sim::test::fixture_platform();
    const std::uint32_t sms = platform.gpu.sm_count;
    sim::KernelResult result = result_of(platform, 3 * sms);
    const std::uint64_t begin = platform.gpu.launch_overhead_cycles + 600;
    result.metrics.put("sm__cycles_active.sum"_metric, sms * 800.0);
    result.metrics.put("smsp__inst_executed.sum"_metric, 4000.0);
    result.course->tail = {
        .blocks = sms, .begin = begin, .instructions = 3000, .first_end = begin, .block_cycles = sms * 200ULL};
    const KernelLoad load = load_of(result, platform);
    CHECK_FALSE(load.one_wave());
    CHECK(load.resident == 2.0 * sms);
    CHECK(load.parts[KernelLoad::tail].sms == Approx(0.5));
    CHECK(load.parts[KernelLoad::tail].blocks == Approx(0.5));
    // Two blocks an SM had three quarters of the work in 600 cycles: no more than all of the pipe.
    CHECK(of(load.parts[KernelLoad::full].of_block, SmUnit::fma) == Approx(0.5));
}

TEST_CASE("units that are not known are busy all the time") {
    const sim::Platform platform = sim::test::fixture_platform();
    sim::KernelResult result;
    result.grid = {1, 1, 1};
    result.block = {32, 1, 1};
    result.registers_per_thread = 16;
    result.metrics.put("sm__cycles_elapsed.max"_metric, 5000.0);
    const KernelLoad load = load_of(result, platform);
    for (const double busy : load.parts[KernelLoad::full].of_block) CHECK(busy == Approx(1));
    CHECK(load.parts[KernelLoad::full].fills_memory());
    CHECK(load.parts[KernelLoad::tail].time == 0);
}

TEST_CASE("a copy within the device wants all SMs and device memory") {
    const sim::Platform platform = sim::test::fixture_platform();
    const KernelLoad load = load_of_copy(platform);
    CHECK_FALSE(load.one_wave());
    CHECK(load.resident == platform.gpu.sm_count);
    CHECK(load.parts[KernelLoad::full].fills_memory());
}
