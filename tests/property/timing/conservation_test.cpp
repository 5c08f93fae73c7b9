// What no model of time may break: every cycle of a warp has one reason, timing executes what the functional device
// executes, and no resource does more in a cycle than it can.
#include "tests/sanitized.hpp"
#include "workload_run.hpp"

using namespace sassafras;
using namespace sassafras::sim;
using namespace sassafras::sim::test;

namespace {
const std::vector<Workload> workloads_of_all_kinds =
    sassafras::test::sanitized
        ? std::vector<Workload>{{"gemm", "64x64x16", 128}, {"sort", "", 9000}}
        : std::vector<Workload>{
              {"gemm", "64x64x16", 256}, {"merge", "E15", 65536}, {"search", "", 65536}, {"sort", "", 20000}};
}

TEST_CASE("timing counts the instructions, wavefronts and sectors that the functional device counts") {
    for (const Workload& workload : workloads_of_all_kinds) {
        CAPTURE(workload.name);
        const auto timed = simulate("", workload);
        const auto device = make_functional_device(changed_h200(""), {});
        const auto counted = run_on(*device, workload);
        REQUIRE(timed.size() == counted.size());
        for (std::size_t launch = 0; launch < timed.size(); ++launch) {
            CAPTURE(launch);
            REQUIRE(timed[launch].source.size() == counted[launch].source.size());
            for (std::size_t row = 0; row < timed[launch].source.size(); ++row) {
                const SourceRow& a = timed[launch].source[row];
                const SourceRow& b = counted[launch].source[row];
                REQUIRE(a.inst_executed == b.inst_executed);
                REQUIRE(a.thread_inst_executed == b.thread_inst_executed);
                REQUIRE(a.shared_wavefronts == b.shared_wavefronts);
                REQUIRE(a.shared_wavefronts_ideal == b.shared_wavefronts_ideal);
                REQUIRE(a.global_sectors == b.global_sectors);
            }
        }
    }
}

TEST_CASE("stall reasons of a launch add up to the cycles its warps were resident") {
    const Platform platform = changed_h200("");
    for (const Workload& workload : workloads_of_all_kinds) {
        CAPTURE(workload.name);
        for (const KernelResult& launch : simulate("", workload)) {
            std::uint64_t reasons = 0;
            std::uint64_t selected = 0;
            std::uint64_t executed = 0;
            for (const SourceRow& row : launch.source) {
                executed += row.inst_executed;
                for (const std::uint64_t cycles : row.stalls) reasons += cycles;
                selected += row.stalls[index_of(Stall::selected)];
            }
            // The metric is warp cycles over active cycles times the most warps there can be.
            const double active = launch.metric("sm__cycles_active.avg"_metric) * platform.gpu.sm_count;
            const double resident = launch.metric("sm__warps_active.avg.pct_of_peak_sustained_active"_metric) / 100 *
                                    active * platform.sm.max_warps;
            CHECK(static_cast<double>(reasons) == Approx(resident).epsilon(1e-9));
            CHECK(selected == executed);
        }
    }
}

TEST_CASE("no kernel is faster than its scheduler slots, its data stages or DRAM allow") {
    const Platform platform = changed_h200("");
    for (const Workload& workload : workloads_of_all_kinds) {
        CAPTURE(workload.name);
        for (const std::uint32_t sms : {2U, 16U, 132U}) {
            for (const KernelResult& launch :
                 simulate(R"("gpu": {"sm_count": )" + std::to_string(sms) + "}", workload)) {
                const double time = launch.metric("sm__cycles_elapsed.max"_metric);
                std::uint64_t executed = 0;
                std::uint64_t wavefronts = 0;
                for (const SourceRow& row : launch.source) {
                    executed += row.inst_executed;
                    wavefronts += row.shared_wavefronts;
                }
                CHECK(time * sms * platform.sm.subcores >= static_cast<double>(executed));
                CHECK(time * sms >= static_cast<double>(wavefronts));
                const double bytes_per_cycle = platform.dram.bandwidth_gb_per_s * 1e3 / platform.clock.sm_mhz;
                CHECK(time * bytes_per_cycle >= launch.metric("dram__bytes_read.sum"_metric));
                CHECK(launch.metric("sm__cycles_active.avg"_metric) <= time);
            }
        }
    }
}
