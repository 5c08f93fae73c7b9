// What a request can ask for, and what drivers do when a device fails or computes nothing.
#include <algorithm>
#include <set>

#include <catch2/catch.hpp>

#include "tests/unit/workloads/scripted_device.hpp"
#include "workloads/workload.hpp"

using namespace sassafras;
using namespace sassafras::workloads;
using sassafras::test::ScriptedDevice;

namespace {

WorkloadRequest request_of(const std::string& name, std::uint64_t n) {
    WorkloadRequest request;
    request.name = name;
    request.n = n;
    return request;
}

/// The error of a request that must be refused as bad input, before anything is launched.
Error refused(const WorkloadRequest& request) {
    ScriptedDevice device;
    const auto run = run_workload(device, request);
    REQUIRE_FALSE(run.ok());
    CHECK(run.error().kind == ErrorKind::bad_input);
    CHECK(device.launches.empty());
    return run.error();
}

bool mentions(const Error& error, const std::string& text) { return error.message().find(text) != std::string::npos; }

}  // namespace

TEST_CASE("the list has each workload once, with variants, inputs and distinct parameters") {
    std::set<std::string> names;
    for (const WorkloadInfo& info : list()) {
        CHECK(names.insert(info.name).second);
        CHECK_FALSE(info.variants.empty());
        CHECK_FALSE(info.inputs.empty());
        CHECK(info.default_n <= info.greatest_n);
        std::set<std::string> parameters;
        for (const ParameterInfo& parameter : info.parameters) {
            CHECK(parameters.insert(parameter.name).second);
            CHECK(parameter.least <= parameter.greatest);
        }
        for (const VariantInfo& variant : info.variants)
            for (const auto& [name, value] : variant.fixed) {
                const auto known =
                    std::find_if(info.parameters.begin(), info.parameters.end(),
                                 [&wanted = name](const auto& parameter) { return parameter.name == wanted; });
                REQUIRE(known != info.parameters.end());
                CHECK(value >= known->least);
                CHECK(value <= known->greatest);
            }
    }
    for (const char* name : {"gemm", "search", "merge", "sort"}) CHECK(names.contains(name));
}

TEST_CASE("an unknown workload, variant, input or parameter is refused with what there is") {
    const Error workload = refused(request_of("quicksort", 10));
    CHECK(mentions(workload, "quicksort"));
    for (const char* name : {"gemm", "search", "merge", "sort"}) CHECK(mentions(workload, name));

    for (const WorkloadInfo& info : list()) {
        WorkloadRequest request = request_of(info.name, 10);
        request.variant = "no-such-variant";
        const Error variant = refused(request);
        constexpr std::size_t most_listed = 12;  // of name_one_of()
        for (std::size_t i = 0; i < std::min(info.variants.size(), most_listed); ++i)
            CHECK(mentions(variant, info.variants[i].name));

        request = request_of(info.name, 10);
        request.input = "no-such-input";
        const Error input = refused(request);
        for (const std::string& known : info.inputs) CHECK(mentions(input, known));

        request = request_of(info.name, 10);
        request.parameters["no_such_parameter"] = 1;
        const Error parameter = refused(request);
        for (const ParameterInfo& known : info.parameters) CHECK(mentions(parameter, known.name));
    }
}

TEST_CASE("values out of range are refused") {
    for (const WorkloadInfo& info : list()) {
        CHECK(mentions(refused(request_of(info.name, info.greatest_n + 1)), std::to_string(info.greatest_n)));
        for (const ParameterInfo& parameter : info.parameters) {
            WorkloadRequest request = request_of(info.name, 10);
            request.parameters[parameter.name] = parameter.greatest + 1;
            CHECK(mentions(refused(request), parameter.name));
            request.parameters[parameter.name] = parameter.least - 1;
            CHECK(mentions(refused(request), parameter.name));
        }
    }
    WorkloadRequest request = request_of("merge", 10);
    request.parameters["A"] = 11;
    CHECK(mentions(refused(request), "A = 11"));
}

TEST_CASE("parameters that a variant fixes select it, and must not contradict it") {
    ScriptedDevice device;
    WorkloadRequest request = request_of("sort", 100);
    request.parameters = {{"E", 17}};
    const auto chosen = run_workload(device, request);
    REQUIRE(chosen.ok());
    CHECK((*chosen).variant == "E17_b256");
    REQUIRE(device.launches.size() == 1);
    CHECK(device.launches[0].kernel == "sort_blocksort_E17_b256");
    CHECK(device.launches[0].block == Dim3{256, 1, 1});

    request.parameters = {{"E", 15}, {"b", 512}};
    const auto both = run_workload(device, request);
    REQUIRE(both.ok());
    CHECK((*both).variant == "E15_b512");

    request.parameters = {{"E", 13}};
    CHECK(mentions(refused(request), "E 15 b 128"));
    request.variant = "E15_b128";
    request.parameters = {{"b", 256}};
    refused(request);
}

TEST_CASE("a user's own numbers are for some workloads, with n their count") {
    ScriptedDevice device;
    WorkloadRequest request;
    request.name = "sort";
    request.keys = std::vector<std::uint32_t>{3, 1, 2};
    const auto run = run_workload(device, request);
    REQUIRE(run.ok());
    CHECK((*run).n == 3);
    CHECK((*run).input == "given");
    request.n = 4;
    refused(request);
    request.n.reset();
    request.name = "gemm";
    refused(request);
    request.name = "merge";  // 3 | 1 2
    CHECK(run_workload(device, request).ok());
    request.keys = std::vector<std::uint32_t>{3, 2, 1};  // the second array is not ascending
    CHECK(mentions(refused(request), "number 2 (from 0)"));
    request.keys.reset();
    request.wide_keys = std::vector<std::uint64_t>{1, 2, 3};
    CHECK(mentions(refused(request), "64 bits"));
    request.name = "search";
    CHECK(mentions(refused(request), "64 bits"));
    request.name = "sort";  // whose first variant sorts keys of 32 bits only
    refused(request);
    request.variant = "mgpu";
    CHECK(run_workload(device, request).ok());
}

TEST_CASE("a kernel that does nothing is never verified") {
    for (const WorkloadInfo& info : list())
        for (const VariantInfo& variant : info.variants) {
            ScriptedDevice device;
            WorkloadRequest request = request_of(info.name, 100);
            request.variant = variant.name;
            const auto run = run_workload(device, request);
            REQUIRE(run.ok());
            CHECK_FALSE((*run).verified);
            CHECK_FALSE((*run).mismatch.empty());
            CHECK_FALSE(device.launches.empty());
            CHECK(device.allocations == 0);
        }
}

TEST_CASE("of nothing, nothing is launched and the empty result is right") {
    for (const WorkloadInfo& info : list()) {
        ScriptedDevice device;
        const auto run = run_workload(device, request_of(info.name, 0));
        REQUIRE(run.ok());
        CHECK((*run).verified);
        CHECK(device.launches.empty());
        CHECK(device.allocations == 0);
    }
}

TEST_CASE("what a device reports reaches the caller, and no memory stays behind") {
    using Failing = ScriptedDevice::Failing;
    for (const WorkloadInfo& info : list())
        for (const Failing failing : {Failing::allocate, Failing::load_module, Failing::launch, Failing::synchronize,
                                      Failing::copy_from_device}) {
            ScriptedDevice device(failing);
            const auto run = run_workload(device, request_of(info.name, 50));
            REQUIRE_FALSE(run.ok());
            CHECK(run.error().kind == ErrorKind::check_failed);
            CHECK(mentions(run.error(), "was told to fail"));
            CHECK(device.allocations == 0);
        }
}

TEST_CASE("sort launches a block sort and two kernels a round") {
    for (const auto& [n, rounds] :
         {std::pair{1U, 0U}, {1920U, 0U}, {1921U, 1U}, {3840U, 1U}, {3841U, 2U}, {20000U, 4U}}) {
        ScriptedDevice device;
        const auto run = run_workload(device, request_of("sort", n));
        REQUIRE(run.ok());
        REQUIRE(device.launches.size() == 1 + 2 * rounds);
        for (std::size_t i = 1; i < device.launches.size(); ++i)
            CHECK(device.launches[i].kernel == (i % 2 == 1 ? "sort_partition" : "sort_merge_E15_b128"));
    }
}
