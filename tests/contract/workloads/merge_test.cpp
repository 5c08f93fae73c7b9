// The merges by co-ranks on the modelled devices, every output as the CPU reference has it.
#include "tests/contract/workloads/checked_run.hpp"
#include "tests/contract/workloads/small_gpu.hpp"
#include "tests/sanitized.hpp"
#include "tests/unit/workloads/scripted_device.hpp"
#include "workloads/merge/co_rank.hpp"

using namespace sassafras;
using namespace sassafras::test;
using workloads::merge::co_rank_variants;
using workloads::merge::CoRankVariant;

TEST_CASE("merges by co-ranks at every size, on every input") {
    const auto device = functional();
    for (const CoRankVariant& variant : co_rank_variants())
        for (const std::uint64_t n : awkward_sizes())
            for (const std::string& input : info_of("merge").inputs)
                checked_run(*device, {"merge", variant.name, n, input, {{"blocks", 3}, {"b", 64}}, n + 1});
}

TEST_CASE("merges by co-ranks of unequal arrays, in any blocks, threads and shared bytes") {
    const auto device = functional();
    std::size_t index = 0;
    for (const CoRankVariant& variant : co_rank_variants())
        for (const int first : {0, 1, 700, 2999, 3000})
            for (const int blocks : {1, 7, 40})
                for (const int threads : {1, 33, 256}) {
                    // Three of the nine shapes for each split, others for the next: every variant meets all nine.
                    const std::size_t number = index++;
                    if ((number + number / 3 + number / 9) % 3 != 0) continue;
                    if (!test::is_tried(number / 3, 2)) continue;
                    Choice choice{
                        "merge", variant.name, 3000, "random", {{"A", first}, {"blocks", blocks}, {"b", threads}}};
                    if (variant.buffers != 0) choice.parameters["S"] = 4 * (variant.half ? threads : 1) + 400;
                    checked_run(*device, choice);
                }
}

TEST_CASE("large merges by co-ranks, in the shape that is chosen for them") {
    const auto device = functional();
    for (const CoRankVariant& variant : co_rank_variants())
        checked_run(*device, {"merge", variant.name, (1U << 16U) + 7, "random", {}});
}

TEST_CASE("merges by co-ranks on the simulated device") {
    const auto device = simulated();
    for (const CoRankVariant& variant : co_rank_variants())
        for (const std::uint64_t n : {0U, 1U, 31U, 32U, 33U, 1009U, 20000U})
            checked_run(*device, {"merge", variant.name, n, "random", {}});
}

TEST_CASE("merge chooses a shape that works, or the fastest of those it tries", "[release]") {
    for (const bool timed : {false, true}) {
        const auto device = timed ? small_simulated() : small_functional();
        workloads::WorkloadRequest request;
        request.name = "merge";
        request.variant = "single-buffer-half";
        request.n = 3000;
        request.parameters = {{"tune", 1}, {"S", 12288}};
        if (timed) request.parameters["b"] = 128;
        const auto run = workloads::run_workload(*device, request);
        if (!run) FAIL(run.error().message());
        CHECK((*run).verified);
        // One warm-up, 3 threads x 8 blocks (timed, of 128 threads only), and the best again.
        REQUIRE(device->results().size() == (timed ? 10 : 26));
        CHECK((device->results()[0].metric("gpu__time_duration.sum"_metric) > 0) == timed);
        const auto cost = [&](const sim::KernelResult& launch) {
            return launch.metric(timed ? "gpu__time_duration.sum"_metric : "smsp__inst_executed.sum"_metric);
        };
        const sim::KernelResult& last = device->results().back();
        for (const sim::KernelResult& launch : device->results()) {
            CHECK(cost(launch) > 0);
            CHECK(cost(last) <= cost(launch) * 1.05);  // caches and clocks may differ from launch to launch
        }
        for (const auto& [name, value] : (*run).parameters) {
            if (name == "blocks") CHECK(value == last.grid.x);
            if (name == "b") CHECK(value == last.block.x);
            if (name == "S") CHECK(value == 12288);
        }
    }
}

TEST_CASE("a shape that needs more shared memory than the GPU's blocks have is not tried", "[release]") {
    const auto platform = sim::load_platform("c2050");
    REQUIRE(platform.ok());
    const auto device = sim::make_functional_device(platform->platform, bounded());
    CHECK(device->most_shared_per_block() == Bytes{49152});
    workloads::WorkloadRequest request;
    request.name = "merge";
    request.variant = "single-buffer";
    request.n = 500;
    request.parameters = {{"tune", 1}, {"b", 128}};
    std::vector<workloads::TuneProgress> told;
    request.tuning = [&](const workloads::TuneProgress& progress) { told.push_back(progress); };
    const auto run = workloads::run_workload(*device, request);
    if (!run) FAIL(run.error().message());
    CHECK((*run).verified);
    // One warm-up; 8 blocks x 5 of the 6 sizes, of which 54,272 bytes are too many; the best again.
    CHECK(device->results().size() == 1 + 8 * 5 + 1);
    for (const sim::KernelResult& launch : device->results()) CHECK(launch.dynamic_shared.count <= 49152);
    // Each is told before it is tried, with the best of those before it, and the end of all.
    REQUIRE(told.size() == 8 * 5 + 1);
    for (std::size_t i = 0; i < told.size(); ++i) {
        CHECK(told[i].tried == i);
        CHECK(told[i].all == 8 * 5);
        CHECK(told[i].best.empty() == (i == 0));
        CHECK(told[i].trying.empty() == (i + 1 == told.size()));
    }
    CHECK(told[0].trying == "blocks 1, b 128, S 1024");
    CHECK(told[1].best.starts_with("blocks 1, b 128, S 1024: "));
}

TEST_CASE("merge refuses what a variant does not have, and too little shared memory") {
    const auto refused = [](const std::string& variant, const std::map<std::string, std::int64_t>& parameters) {
        ScriptedDevice device;
        workloads::WorkloadRequest request;
        request.name = "merge";
        request.variant = variant;
        request.n = 100;
        request.parameters = parameters;
        const auto run = workloads::run_workload(device, request);
        REQUIRE_FALSE(run.ok());
        CHECK(run.error().kind == ErrorKind::bad_input);
        CHECK(device.launches.empty());
    };
    refused("naive", {{"E", 8}});
    refused("naive", {{"S", 1024}});
    refused("E15", {{"blocks", 3}});
    refused("E8", {{"tune", 1}});
    refused("single-buffer", {{"S", 8}});
    refused("double-buffer-half", {{"S", 1024}, {"b", 256}});
    refused("double-buffer-half", {{"S", 1024}, {"b", 256}, {"tune", 1}});
    refused("lv-naive", {{"S", 1024}});
    refused("lv-double-buffer-half", {{"S", 1024}, {"b", 256}});
}
