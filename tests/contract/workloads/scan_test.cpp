// Prefix sums on the modelled devices, every sum as the CPU reference has it.
#include "tests/contract/workloads/checked_run.hpp"
#include "tests/unit/workloads/scripted_device.hpp"

using namespace sassafras;
using namespace sassafras::test;

namespace {
bool by_levels(const std::string& variant) { return variant == "unpadded" || variant == "padded"; }
}  // namespace

TEST_CASE("scans at every size, on every input") {
    const auto device = functional();
    for (const auto& variant : info_of("scan").variants)
        for (const std::uint64_t n : awkward_sizes())
            for (const std::string& input : info_of("scan").inputs) {
                Choice choice{"scan", variant.name, n, input, {}, n + 1};
                by_levels(variant.name) ? choice.parameters["b"] = 64 : choice.parameters["blocks"] = 3;
                checked_run(*device, choice);
            }
}

TEST_CASE("scans in blocks of any size and number, of any number of colours") {
    const auto device = functional();
    for (const std::uint64_t n : {1U, 31U, 2048U, 2049U, 5003U}) {
        for (const char* variant : {"unpadded", "padded"})
            for (const int threads : {1, 2, 16, 32, 512, 1024})
                checked_run(*device, {"scan", variant, n, "random", {{"b", threads}}});
        for (const int blocks : {1, 2, 5, 40}) {
            checked_run(*device, {"scan", "three-phase", n, "random", {{"blocks", blocks}}});
            for (const int colors : {1, 2, 31, 33, 1024})
                checked_run(*device, {"scan", "colored", n, "random", {{"blocks", blocks}, {"colors", colors}}});
        }
    }
}

TEST_CASE("large scans") {
    const auto device = functional();
    for (const auto& variant : info_of("scan").variants)
        checked_run(*device, {"scan", variant.name, (1U << 20U) + 77, "random", {}});
}

TEST_CASE("scans on the simulated device") {
    const auto device = simulated();
    for (const auto& variant : info_of("scan").variants)
        for (const std::uint64_t n : {0U, 1U, 31U, 32U, 33U, 1009U, 20000U})
            checked_run(*device, {"scan", variant.name, n, "random", {}});
}

TEST_CASE("scan refuses what a variant does not have") {
    const auto refused = [](const std::string& variant, const std::map<std::string, std::int64_t>& parameters) {
        ScriptedDevice device;
        workloads::WorkloadRequest request;
        request.name = "scan";
        request.variant = variant;
        request.n = 100;
        request.parameters = parameters;
        const auto run = workloads::run_workload(device, request);
        REQUIRE_FALSE(run.ok());
        CHECK(run.error().kind == ErrorKind::bad_input);
        CHECK(device.launches.empty());
    };
    refused("padded", {{"b", 100}});
    refused("padded", {{"blocks", 3}});
    refused("three-phase", {{"b", 64}});
    refused("three-phase", {{"colors", 2}});
}
