// The workloads' code for sm_75 and sm_80, on the platforms that run it: every workload and variant is right, on both
// modelled devices, at a size of several blocks and one that is no multiple of a tile.
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "isa/cubin/cubin.hpp"
#include "sim/device/modelled_devices.hpp"
#include "sim/platform/platform_reader.hpp"
#include "tests/contract/workloads/verified_run.hpp"
#include "tests/sanitized.hpp"
#include "workloads/load_cubin.hpp"
#include "workloads/workload.hpp"

using namespace sassafras;
using namespace sassafras::workloads;
namespace files = std::filesystem;

namespace {

sim::Platform platform(const std::string& name) {
    auto found = sim::load_platform(name);
    if (!found) FAIL(found.error().message());
    found->platform.gpu.sm_count = 4;
    found->platform.l2.slices = 8 * found->platform.l2.partitions;
    return found->platform;
}

std::vector<std::byte> bytes_of(const std::string& path) {
    std::ifstream file(files::path(SASSAFRAS_SOURCE_DIR) / path, std::ios::binary);
    std::vector<std::byte> bytes;
    for (std::istreambuf_iterator<char> at(file), end; at != end; ++at) bytes.push_back(static_cast<std::byte>(*at));
    return bytes;
}

std::uint64_t size_for(const WorkloadInfo& info) {
    if (info.name == "gemm") return 130;
    if (info.name == "ode" || info.name == "stencil" || info.name == "micro") return 40;
    return 5000;
}

void check_every_variant(sim::Device& device, std::size_t least) {
    std::size_t runs = 0;
    for (const WorkloadInfo& info : list()) {
        for (const VariantInfo& variant : info.variants) {
            WorkloadRequest request;
            request.name = info.name;
            request.variant = variant.name;
            request.n = size_for(info);
            request.seed = 3;
            if (variant.name == "btree")
                request.parameters["M_TB"] = 4096;  // the default needs more shared memory than a T4 has
            if (test::is_tried(runs++, 16)) test::verified_run(device, request);
        }
    }
    CHECK(runs >= least);
}

constexpr std::size_t least_runs = 20;

}  // namespace

TEST_CASE("every variant's code for sm_80 is right on an A100", "[architectures]") {
    SECTION("functional") {
        const auto device = sim::make_functional_device(platform("a100"), {});
        check_every_variant(*device, least_runs);
    }
    SECTION("simulated") {
        const auto device = sim::make_simulated_device(platform("a100"), {});
        check_every_variant(*device, least_runs);
    }
}

TEST_CASE("every variant's code for sm_75 is right on a T4", "[architectures]") {
    SECTION("functional") {
        const auto device = sim::make_functional_device(platform("t4"), {});
        check_every_variant(*device, least_runs);
    }
    SECTION("simulated") {
        const auto device = sim::make_simulated_device(platform("t4"), {});
        check_every_variant(*device, least_runs);
    }
}

TEST_CASE("every embedded cubin has its like for sm_75 and sm_80", "[architectures]") {
    std::size_t count = 0;
    for (const auto& entry : files::recursive_directory_iterator(files::path(SASSAFRAS_SOURCE_DIR) / "workloads")) {
        if (entry.path().extension() != ".cubin") continue;
        for (const int sm : {75, 80}) {
            INFO(entry.path() << " for sm_" << sm);
            const isa::ComputeCapability gpu{static_cast<std::uint32_t>(sm) / 10, static_cast<std::uint32_t>(sm) % 10};
            const auto bytes = cubin_for(gpu, {}, entry.path().string());
            REQUIRE(bytes);
            const auto cubin = isa::read_cubin(*bytes, entry.path().string());
            if (!cubin) FAIL(cubin.error().message());
            CHECK(isa::layout_of(cubin->architecture).sm == sm);
            CHECK_FALSE(cubin->kernels.empty());
            ++count;
        }
    }
    CHECK(count > 30);
}

TEST_CASE("a GPU gets the newest code that it runs, and a message where there is none", "[architectures]") {
    const auto sm_90 = bytes_of("workloads/scan/scan.cubin");
    const auto sm_of = [&](isa::ComputeCapability gpu) {
        const auto bytes = cubin_for(gpu, sm_90, "workloads/scan/scan.cubin");
        if (!bytes) return 0;
        const auto cubin = isa::read_cubin(*bytes, "scan");
        return cubin ? isa::layout_of(cubin->architecture).sm : -1;
    };
    CHECK(sm_of({9, 0}) == 90);
    CHECK(sm_of({8, 0}) == 80);
    CHECK(sm_of({8, 6}) == 80);
    CHECK(sm_of({7, 5}) == 75);
    CHECK(sm_of({7, 0}) == 0);
    CHECK(sm_of({10, 0}) == 0);
}

TEST_CASE("a platform refuses code that its GPU does not run", "[architectures]") {
    const auto device = sim::make_functional_device(platform("a100"), {});
    const auto refused = device->load_module(bytes_of("workloads/scan/scan.cubin"), "scan.cubin");
    REQUIRE_FALSE(refused);
    CHECK(refused.error().kind == ErrorKind::bad_input);
    CHECK(refused.error().what == "platform a100 has compute capability 8.0 and cannot run code for sm_90");
    CHECK(refused.error().where == "scan.cubin");
    CHECK(refused.error().remedy.find("-arch=sm_80") != std::string::npos);
}
