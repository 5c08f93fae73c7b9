// The same result, bit for bit, whatever the number of threads and however often it is run.
#include "tests/sanitized.hpp"
#include "workload_run.hpp"

using namespace sassafras;
using namespace sassafras::sim;
using namespace sassafras::sim::test;

namespace {

void check_equal(const std::vector<KernelResult>& a, const std::vector<KernelResult>& b) {
    REQUIRE(a.size() == b.size());
    for (std::size_t launch = 0; launch < a.size(); ++launch) {
        CAPTURE(launch, a[launch].name);
        REQUIRE(a[launch].metrics == b[launch].metrics);
        REQUIRE(a[launch].source.size() == b[launch].source.size());
        for (std::size_t row = 0; row < a[launch].source.size(); ++row) {
            const SourceRow& left = a[launch].source[row];
            const SourceRow& right = b[launch].source[row];
            REQUIRE(left.pc == right.pc);
            REQUIRE(left.inst_executed == right.inst_executed);
            REQUIRE(left.thread_inst_executed == right.thread_inst_executed);
            REQUIRE(left.shared_wavefronts == right.shared_wavefronts);
            REQUIRE(left.global_sectors == right.global_sectors);
            REQUIRE(left.stalls == right.stalls);
        }
    }
}

/// A second run, and runs of two and four threads, are what `one` is. What AddressSanitizer may see, it sees in one of
/// them.
void check_again(const std::vector<KernelResult>& one, const std::string& changes, const Workload& workload) {
    if (!sassafras::test::sanitized) {
        check_equal(one, simulate(changes, workload, 1));
        check_equal(one, simulate(changes, workload, 2));
    }
    check_equal(one, simulate(changes, workload, 4));
}

}  // namespace

TEST_CASE("one, two and four threads give the same result, and so does a second run") {
    std::size_t index = 0;
    for (const Workload& workload : {Workload{"gemm", "64x64x16", 256}, Workload{"merge", "E15", 65536},
                                     Workload{"search", "", 65536}, Workload{"sort", "", 20000}}) {
        if (!sassafras::test::is_tried(index++)) continue;
        CAPTURE(workload.name);
        const auto one = simulate("", workload, 1);
        CHECK(cycles(one) > 1000);
        check_again(one, "", workload);
    }
}

TEST_CASE("so it is with other policies") {
    const std::string policies =
        R"("sm": {"warp_scheduler": "two_level"}, "lsu": {"l1_replacement": "random"},)"
        R"("l2": {"replacement": "random", "address_map": "interleaved"}, "dram": {"scheduler": "first_ready_open_rows"})";
    const std::string others =
        R"("sm": {"warp_scheduler": "loose_round_robin"}, "l2": {"replacement": "first_in_first_out"})";
    for (const std::string& changes : {policies, others})
        for (const Workload& workload : {Workload{"gemm", "64x64x16", 192}, Workload{"merge", "E15", 65536}}) {
            CAPTURE(changes, workload.name);
            const auto one = simulate(changes, workload, 1);
            // This merge has one warp a sub-core, whose scheduler has no choice.
            if (workload.name == std::string("gemm")) CHECK(cycles(one) != cycles(simulate("", workload, 1)));
            check_again(one, changes, workload);
        }
}

TEST_CASE("so it is where addresses are translated and few loads are under way") {
    const std::string changes =
        R"("tlb": {"l1": {"page_bytes": 4096, "entries": 4, "ways": 4, "miss_cycles": 90, "miss_interval_cycles": 1.95},)"
        R"("l2": {"page_bytes": 16384, "entries": 17, "sets": 2, "ways": 8, "buffers": 5, "miss_cycles": 560,)"
        R"("miss_interval_cycles": 4.69}}, "lsu": {"outstanding_loads": 16})";
    for (const Workload& workload : {Workload{"merge", "E15", 65536}, Workload{"search", "", 65536}}) {
        CAPTURE(workload.name);
        const auto one = simulate(changes, workload, 1);
        CHECK(cycles(one) > cycles(simulate("", workload, 1)));
        check_again(one, changes, workload);
    }
}

TEST_CASE("a launch with cold caches does not depend on what ran before it") {
    const auto device = make_simulated_device(changed_h200(""), {});
    const Workload merge{"merge", "E15", 20000};
    const auto first = run_on(*device, merge);
    device->clear_results();
    run_on(*device, {"search", "", 5000});
    const auto alone = make_simulated_device(changed_h200(""), {});
    CHECK(cycles(first) == cycles(run_on(*alone, merge)));
}
