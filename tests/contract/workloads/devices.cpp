// Every workload, variant and awkward size on every device there is, bit-equal to the CPU reference.
#include <functional>
#include <memory>
#include <set>

#include <catch2/catch.hpp>

#include "sim/device/modelled_devices.hpp"
#include "sim/platform/platform_reader.hpp"
#include "workloads/micro/micro.hpp"
#include "workloads/workload.hpp"

using namespace sassafras;
using namespace sassafras::workloads;

namespace {

sim::Platform platform() {
    auto found = sim::load_platform("h200");
    REQUIRE(found.ok());
    return (*found).platform;
}

std::unique_ptr<sim::Device> bounded_device() {
    sim::ModelOptions options;
    options.instruction_limit = 50'000'000;  // a kernel that never ends must fail the test, not hang it
    return sim::make_functional_device(platform(), options);
}

std::int64_t fixed(const VariantInfo& variant, const std::string& name) {
    for (const auto& [fixed_name, value] : variant.fixed)
        if (fixed_name == name) return value;
    return 0;
}

/// What one block works on: where a kernel's bounds matter.
std::uint64_t tile_of(const WorkloadInfo& info, const VariantInfo& variant) {
    if (info.name == "gemm" && fixed(variant, "N_TB") != 0) return static_cast<std::uint64_t>(fixed(variant, "N_TB"));
    if (info.name == "gemm") return 128;
    // Variants that fix no E and b have tests of their own (sort_variants.cpp).
    if (info.name == "sort" && fixed(variant, "E") == 0) return 1024;
    if (info.name == "sort") return static_cast<std::uint64_t>(fixed(variant, "E") * fixed(variant, "b"));
    if (info.name == "merge" && fixed(variant, "E") != 0) return static_cast<std::uint64_t>(fixed(variant, "E") * 128);
    return 256 * 8;
}

void check_verified(sim::Device& device, const WorkloadRequest& request) {
    CAPTURE(request.name, request.variant, request.n.value_or(0), request.input, request.seed);
    const auto run = run_workload(device, request);
    if (!run) FAIL(run.error().message());
    INFO((*run).mismatch);
    CHECK((*run).verified);
}

void check_sizes(const std::string& name) {
    const auto device = bounded_device();
    for (const WorkloadInfo& info : list()) {
        if (info.name != name) continue;
        for (const VariantInfo& variant : info.variants) {
            const std::uint64_t tile = tile_of(info, variant);
            std::set<std::uint64_t> sizes{0, 1, 2, 31, 33, tile - 1, tile, tile + 1};
            if (name != "gemm") sizes.insert({1000, 3 * tile + 5});
            for (const std::uint64_t n : sizes) {
                WorkloadRequest request;
                request.name = name;
                request.variant = variant.name;
                request.n = n;
                request.seed = n + 1;
                check_verified(*device, request);
            }
        }
    }
}

void check_inputs(const std::string& name, std::uint64_t n) {
    const auto device = bounded_device();
    for (const WorkloadInfo& info : list()) {
        if (info.name != name) continue;
        for (const VariantInfo& variant : info.variants)
            for (const std::string& input : info.inputs) {
                WorkloadRequest request;
                request.name = name;
                request.variant = variant.name;
                request.n = n;
                request.input = input;
                check_verified(*device, request);
            }
    }
}

}  // namespace

TEST_CASE("gemm is bit-equal at every size") { check_sizes("gemm"); }
TEST_CASE("search is bit-equal at every size") { check_sizes("search"); }
TEST_CASE("merge is bit-equal at every size") { check_sizes("merge"); }
TEST_CASE("sort is bit-equal at every size") { check_sizes("sort"); }
TEST_CASE("gemm is bit-equal on every input") { check_inputs("gemm", 50); }
TEST_CASE("search is bit-equal on every input") { check_inputs("search", 3000); }
TEST_CASE("merge is bit-equal on every input") { check_inputs("merge", 5000); }
TEST_CASE("sort is bit-equal on every input") { check_inputs("sort", 12000); }

TEST_CASE("gemm of order 500") {
    const auto device = bounded_device();
    WorkloadRequest request;
    request.name = "gemm";
    request.variant = "128x128x8";
    request.n = 500;
    check_verified(*device, request);
}

TEST_CASE("gemm of oblong matrices, empty ones too") {
    const auto device = bounded_device();
    for (const auto& [rows, columns, inner] :
         {std::tuple{5, 130, 40}, {200, 3, 70}, {70, 70, 0}, {0, 10, 10}, {1, 1, 200}}) {
        WorkloadRequest request;
        request.name = "gemm";
        request.n = static_cast<std::uint64_t>(columns);
        request.parameters = {{"M", rows}, {"K", inner}};
        check_verified(*device, request);
    }
}

TEST_CASE("search among any number of keys, in any block") {
    const auto device = bounded_device();
    for (const char* variant : {"bisection", "halving"})
        for (const int keys : {0, 1, 2, 3, 100, 4095, 12288})
            for (const int block : {33, 256}) {
                WorkloadRequest request;
                request.name = "search";
                request.variant = variant;
                request.n = 1500;
                request.parameters = {{"K", keys}, {"b", block}, {"Q", 3}};
                check_verified(*device, request);
            }
}

TEST_CASE("merge of unequal arrays") {
    const auto device = bounded_device();
    for (const int first : {0, 1, 700, 2999, 3000}) {
        WorkloadRequest request;
        request.name = "merge";
        request.n = 3000;
        request.parameters = {{"A", first}, {"b", 100}};
        check_verified(*device, request);
    }
}

TEST_CASE("sort keeps the greatest key, which also pads the last tile") {
    const auto device = bounded_device();
    WorkloadRequest request;
    request.name = "sort";
    request.keys = std::vector<std::uint32_t>(2500, 0xffffffffU);
    for (std::size_t i = 0; i < request.keys->size(); i += 3)
        (*request.keys)[i] = static_cast<std::uint32_t>(i * 2654435761U);
    check_verified(*device, request);
}

TEST_CASE("the same request gives the same counts") {
    const auto counts = [] {
        const auto device = bounded_device();
        WorkloadRequest request;
        request.name = "sort";
        request.n = 5000;
        check_verified(*device, request);
        std::vector<std::uint64_t> all;
        for (const sim::KernelResult& kernel : device->results())
            for (const sim::SourceRow& row : kernel.source) {
                all.push_back(row.inst_executed);
                all.push_back(row.thread_inst_executed);
                all.push_back(row.shared_wavefronts);
                all.push_back(row.global_sectors);
            }
        return all;
    };
    const auto first = counts();
    CHECK_FALSE(first.empty());
    CHECK(first == counts());
}

TEST_CASE("every microbenchmark runs, each under its own name and parameter", "[release]") {
    const auto device = bounded_device();
    const auto rows = micro::run(*device);
    if (!rows) FAIL(rows.error().message());
    std::set<std::pair<std::string, std::string>> names;
    for (const micro::Row& row : *rows) CHECK(names.emplace(row.name, row.parameter).second);
    CHECK(names.size() > 60);
}
