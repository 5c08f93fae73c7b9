// The measurements of `micro` on the modelled devices: their results as the CPU reference has them, and as many
// operations as they are said to do.
#include <map>
#include <string>
#include <vector>

#include "tests/contract/workloads/small_gpu.hpp"
#include "tests/contract/workloads/verified_run.hpp"
#include "tests/unit/workloads/scripted_device.hpp"
#include "workloads/micro/operations.hpp"

using namespace sassafras;
using namespace sassafras::test;
using workloads::WorkloadRequest;
using workloads::micro::kernels;
using workloads::micro::operations;

namespace {

using Parameters = std::map<std::string, std::int64_t>;

const std::vector<std::string> of_threads{"global-copy",        "shared-loop", "shared-loop-indexed", "register-loop",
                                          "register-loop-fp32", "barriers",    "kernel-boundaries"};
const std::vector<std::string> with_ilp{"global-copy",   "shared-loop",        "shared-loop-indexed",
                                        "register-loop", "register-loop-fp32", "kernel-boundaries"};

WorkloadRequest request_of(const std::string& variant, std::uint64_t n, const Parameters& parameters = {}) {
    WorkloadRequest request;
    request.name = "micro";
    request.variant = variant;
    request.n = n;
    request.parameters = parameters;
    request.seed = n + 1;
    return request;
}

/// The parameters, and few operations on a word if the variant has a number of them.
Parameters quick(const std::string& variant, Parameters parameters = {}) {
    if (variant.starts_with("shared-loop") || variant.starts_with("register-loop")) parameters.emplace("X", 7);
    return parameters;
}

bool taken_by(const std::string& variant, const std::string& parameter) {
    if (parameter == "M_o" || parameter == "b") return variant != "chase";
    if (parameter == "M_I") return variant != "chase" && variant != "barriers";
    if (parameter == "X") return variant.starts_with("shared-loop") || variant.starts_with("register-loop");
    return parameter == "K" && variant == "kernel-boundaries";
}

/// Executions of instructions of a kind, in all launches, by all warps of the grid.
std::uint64_t executed_in_all(const std::vector<sim::KernelResult>& launches, const std::string& operation) {
    std::uint64_t sum = 0;
    for (const sim::KernelResult& launch : launches) sum += executed(launch, operation);
    return sum;
}

}  // namespace

TEST_CASE("measurements at every size, in any grid, of every input") {
    const auto device = small_functional();
    for (const std::string& variant : of_threads) {
        for (const std::uint64_t n : awkward_sizes()) verified_run(*device, request_of(variant, n, quick(variant)));
        for (const int blocks : {1, 3})
            for (const int threads : {1, 33, 100, 1024})
                verified_run(*device, request_of(variant, 5, quick(variant, {{"M_o", blocks}, {"b", threads}})));
        WorkloadRequest sorted = request_of(variant, 20, quick(variant));
        sorted.input = "sorted";
        verified_run(*device, sorted);
    }
}

TEST_CASE("independent operations: whole groups and what is left of them") {
    const auto device = small_functional();
    for (const std::string& variant : with_ilp)
        for (const int independent : {1, 2, 4, 8})
            for (const std::uint64_t n : {1U, 7U, 8U, 9U, 33U})
                verified_run(*device, request_of(variant, n, quick(variant, {{"M_I", independent}, {"b", 40}})));
}

TEST_CASE("operations on a word: whole trips of the unrolled loop and what is left of them") {
    const auto device = small_functional();
    for (const char* variant : {"shared-loop", "shared-loop-indexed", "register-loop", "register-loop-fp32"})
        for (const int independent : {1, 2, 4, 8})
            for (const int operations_each : {0, 1, 99, 100, 101, 500})
                verified_run(*device,
                             request_of(variant, 3, {{"M_I", independent}, {"X", operations_each}, {"b", 32}}));
}

TEST_CASE("work is shared out over any number of kernels") {
    const auto device = small_functional();
    for (const int count : {1, 2, 7, 33, 40}) {
        const auto launches = verified_run(*device, request_of("kernel-boundaries", 33, {{"K", count}, {"M_I", 2}}));
        CHECK(launches.size() == static_cast<std::size_t>(count));
        CHECK(kernels("kernel-boundaries", {{"K", count}}) == static_cast<std::uint64_t>(count));
    }
    CHECK(verified_run(*device, request_of("kernel-boundaries", 0)).empty());
}

TEST_CASE("chases through every level, in order and at random, round and round") {
    const auto device = small_functional();
    for (const int level : {0, 1, 2, 3})
        for (const std::string input : {"random", "sorted"}) {
            for (const std::uint64_t n : awkward_sizes()) {
                WorkloadRequest request = request_of("chase", n, {{"level", level}});
                request.input = input;
                verified_run(*device, request);
            }
            for (const int stride : {8, 24, 4096})
                for (const int places : {1, 2, 3, 8}) {
                    WorkloadRequest request = request_of(
                        "chase", 100, {{"level", level}, {"stride", stride}, {"footprint", stride * places}});
                    request.input = input;
                    verified_run(*device, request);
                }
        }
}

TEST_CASE("reads of every level, of less and more than all threads read at once") {
    const auto device = small_functional();
    for (const int level : {0, 1, 2, 3}) {
        for (const std::uint64_t n : awkward_sizes())
            verified_run(*device, request_of("bandwidth", n, {{"level", level}, {"b", 64}, {"M_I", 4}}));
        for (const int independent : {1, 2, 4})
            for (const int footprint : {16, 48, 4096, 40000})
                for (const int threads : {1, 33, 256})
                    verified_run(*device, request_of("bandwidth", 21,
                                                     {{"level", level},
                                                      {"M_I", independent},
                                                      {"M_o", 2},
                                                      {"footprint", footprint},
                                                      {"b", threads}}));
    }
}

TEST_CASE("measurements on the simulated device") {
    const auto device = small_simulated();
    for (const auto& variant : info_of("micro").variants)
        for (const std::uint64_t n : {0U, 1U, 31U, 32U, 33U, 1009U})
            verified_run(*device, request_of(variant.name, n, quick(variant.name)));
}

TEST_CASE("a measurement does as many operations as it says") {
    const auto device = small_functional();
    const std::map<std::string, std::string> counted{{"global-copy", "G.E"},
                                                     {"shared-loop", "LDS"},
                                                     {"shared-loop-indexed", "LDS"},
                                                     {"register-loop", "IMAD R"},
                                                     {"register-loop-fp32", "FADD"},
                                                     {"barriers", "BAR"},
                                                     {"kernel-boundaries", "G.E"},
                                                     {"chase", "LDG"},
                                                     {"bandwidth", "LDG"}};
    for (const auto& [variant, instruction] : counted)
        for (const int independent : {1, 2, 4}) {
            const Parameters parameters{{"M_I", independent}, {"M_o", 2}, {"X", 120}, {"K", 3}, {"b", 96}};
            std::uint64_t warps = 2 * small_sm_count * 96 / 32;
            if (variant == "chase") warps = 1;
            const auto of = [&](std::uint64_t n, std::int64_t operations_each) {
                Parameters taken;
                for (const auto& [name, value] : parameters)
                    if (taken_by(variant, name)) taken[name] = name == "X" ? operations_each : value;
                const auto launches = verified_run(*device, request_of(variant, n, taken));
                if (instruction != "G.E") return executed_in_all(launches, instruction);
                return executed_in_all(launches, "LDG.E") + executed_in_all(launches, "STG.E");
            };
            CAPTURE(variant, independent);
            std::uint64_t expected = operations(variant, 72, parameters) - operations(variant, 24, parameters);
            // Addresses of words are computed with IMADs, too.
            if (variant != "register-loop") CHECK(of(72, 120) - of(24, 120) == expected * warps);
            if (!taken_by(variant, "X")) continue;
            Parameters more = parameters;
            more["X"] = 333;
            expected = operations(variant, 24, more) - operations(variant, 24, parameters);
            CHECK(of(24, 333) - of(24, 120) == expected * warps);
        }
}

TEST_CASE("the indexed loop executes nine instructions beside an iteration's accesses") {
    const auto device = small_functional();
    const auto warp_instructions = [&](int independent, int accesses) {
        double sum = 0;
        for (const sim::KernelResult& launch : verified_run(
                 *device, request_of("shared-loop-indexed", 8, {{"M_I", independent}, {"X", accesses}, {"b", 32}})))
            sum += launch.metric("smsp__inst_executed.sum"_metric);
        return sum / small_sm_count;
    };
    for (const int independent : {1, 2, 4, 8}) {
        CAPTURE(independent);
        CHECK(warp_instructions(independent, 300) - warp_instructions(independent, 100) ==
              8 / independent * 200 * (independent + 9));
    }
}

TEST_CASE("the loops in shared memory and its reads at full rate have no bank conflict") {
    const auto device = small_functional();
    for (const char* variant : {"shared-loop", "shared-loop-indexed"})
        for (const int threads : {32, 100, 1024})
            for (const sim::KernelResult& launch :
                 verified_run(*device, request_of(variant, 9, {{"b", threads}, {"M_I", 4}, {"X", 33}})))
                CHECK(conflict_free_wavefronts(launch) > 0);
    for (const int footprint : {128, 4096, 6400})
        for (const sim::KernelResult& launch :
             verified_run(*device, request_of("bandwidth", 50, {{"level", 0}, {"footprint", footprint}})))
            CHECK(conflict_free_wavefronts(launch) > 0);
}

TEST_CASE("M_o blocks for every SM, and few enough registers for 2048 threads of one") {
    const auto device = small_functional();
    for (const auto& variant : info_of("micro").variants) {
        if (variant.name == "chase") continue;
        for (const int independent : {1, 2, 4, 8}) {
            Parameters parameters{{"M_o", 16}, {"M_I", independent}};
            if (variant.name == "barriers") parameters.erase("M_I");
            if (variant.name == "bandwidth" && independent == 8) continue;
            const auto launches = verified_run(*device, request_of(variant.name, 8, quick(variant.name, parameters)));
            CHECK(launches.at(0).registers_per_thread <= 32);
            CHECK(launches.at(0).grid.x == 16 * small_sm_count);
            CHECK(launches.at(0).block.x == 128);
        }
    }
}

TEST_CASE("micro refuses what a variant does not have, and what is not compiled") {
    const auto refused = [](const std::string& variant, const Parameters& parameters, std::uint64_t n = 10) {
        ScriptedDevice device;
        const auto run = workloads::run_workload(device, request_of(variant, n, parameters));
        CAPTURE(variant);
        REQUIRE_FALSE(run.ok());
        CHECK(run.error().kind == ErrorKind::bad_input);
        CHECK(device.launches.empty());
        return run.error().message();
    };
    CHECK_THAT(refused("barriers", {{"M_I", 2}}), Catch::Contains("variant barriers has no parameter M_I"));
    refused("chase", {{"M_o", 2}});
    refused("chase", {{"b", 64}});
    refused("global-copy", {{"X", 2}});
    refused("global-copy", {{"footprint", 4096}});
    refused("bandwidth", {{"stride", 16}});
    refused("shared-loop", {{"K", 2}});
    CHECK_THAT(refused("global-copy", {{"M_I", 3}}), Catch::Contains("1, 2, 4, 8"));
    CHECK_THAT(refused("bandwidth", {{"M_I", 8}}), Catch::Contains("1, 2, 4"));
    CHECK_THAT(refused("bandwidth", {{"footprint", 100}}), Catch::Contains("no multiple of 16"));
    CHECK_THAT(refused("chase", {{"stride", 12}}), Catch::Contains("no multiple of 8"));
    CHECK_THAT(refused("chase", {{"stride", 64}, {"footprint", 100}}), Catch::Contains("no multiple of 64"));
    CHECK_THAT(refused("global-copy", {{"M_o", 32}}, 1U << 20U), Catch::Contains("too many"));
}
