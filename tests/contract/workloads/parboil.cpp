// The Parboil kernels against what Gehrke's thesis measured of them: warp instructions (Table 4.2; elsewhere
// instructions a cycle and SM x time x 1.15 GHz x 14 SMs of Tables 6.1 to 6.5) and bytes through L2 (rate x time).
#include <catch2/catch.hpp>

#include "sim/platform/platform_reader.hpp"
#include "tests/contract/workloads/verified_run.hpp"
#include "tests/sanitized.hpp"

using namespace sassafras;
using namespace sassafras::test;
using workloads::WorkloadRequest;

namespace {

constexpr double five_percent = 0.05;

WorkloadRequest parboil_gemm(const char* variant, std::uint64_t m, std::uint64_t n, std::uint64_t k) {
    WorkloadRequest request;
    request.name = "gemm";
    request.variant = variant;
    request.n = n;
    request.parameters = {{"M", whole(m)}, {"K", whole(k)}};
    return request;
}

WorkloadRequest parboil_stencil(const char* variant, std::int64_t nx, std::int64_t ny, std::int64_t nz) {
    WorkloadRequest request;
    request.name = "stencil";
    request.variant = variant;
    request.n = static_cast<std::uint64_t>(nx);
    request.parameters = {{"ny", ny}, {"nz", nz}, {"T", 1}};
    return request;
}

double warp_instructions(const sim::KernelResult& kernel) { return kernel.metric("smsp__inst_executed.sum"_metric); }

/// Of a whole C2050, in a run of so many microseconds.
double instructions_of_fermi(double per_cycle_and_sm, double microseconds) {
    return per_cycle_and_sm * microseconds * 1150 * 14;
}

}  // namespace

TEST_CASE("Parboil's SGEMM executes as many instructions as the thesis counted") {
    const auto device = functional();
    // Table 4.2: 40 warps, which are those of the optimised kernel on the small matrices, and Table 6.1: the baseline.
    const auto optimised = verified_run(*device, parboil_gemm("parboil-regtile", 128, 160, 96)).at(0);
    CHECK(optimised.grid.volume() * optimised.block.volume() == 1280);
    CHECK(warp_instructions(optimised) == Approx(103'240).epsilon(five_percent));
    const auto baseline = verified_run(*device, parboil_gemm("parboil-base", 128, 160, 96)).at(0);
    CHECK(warp_instructions(baseline) == Approx(instructions_of_fermi(0.49, 80.62)).epsilon(five_percent));
}

TEST_CASE("Parboil's SGEMM reads three sectors for a pair of operands, its optimised form four for sixteen products") {
    const auto device = functional();
    constexpr std::uint64_t m = 256;
    constexpr std::uint64_t n = 64;
    constexpr std::uint64_t k = 40;
    constexpr std::uint64_t pairs = m * n * k / 32;  // of warps
    constexpr std::uint64_t of_c = m * n / 8;        // read and written, in sectors of eight elements
    const auto sectors = [](const sim::KernelResult& kernel) {
        return kernel.metric("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"_metric);
    };
    const auto baseline = verified_run(*device, parboil_gemm("parboil-base", m, n, k)).at(0);
    CHECK(executed(baseline, "LDG") == 2 * pairs + m * n / 32);
    CHECK(executed(baseline, "FFMA") == pairs + m * n / 32);  // and one with beta
    CHECK(sectors(baseline) == 3 * pairs + of_c);
    // Rows of B are 16 words: a warp stages two of them.
    const auto optimised = verified_run(*device, parboil_gemm("parboil-regtile", m, n, k)).at(0);
    CHECK(executed(optimised, "LDG") == pairs / 16 + pairs / 128 + m * n / 32);
    CHECK(sectors(optimised) == 4 * pairs / 16 + 4 * pairs / 128 + of_c);
    CHECK(executed(optimised, "STS") == pairs / 128);
    CHECK(conflict_free_wavefronts(optimised) > 0);
    CHECK(optimised.registers_per_thread <= 42);  // Table 6.3: half of a C2050's threads fit
}

TEST_CASE("Parboil's SGEMM moves the thesis' bytes through a GTX 960's L2") {
    auto platform = sim::load_platform("gtx960");
    REQUIRE(platform.ok());
    const auto device = sim::make_simulated_device((*platform).platform, bounded());
    // The medium matrices' m and n are whole tiles, so bytes are linear in m, n and k but for C.
    constexpr std::uint64_t m = 128;
    constexpr std::uint64_t n = 96;
    constexpr std::uint64_t k = 31;
    const auto kernel = verified_run(*device, parboil_gemm("parboil-base", m, n, k)).at(0);
    const double bytes =
        32 * (kernel.metric("lts__t_sectors_op_read.sum"_metric) + kernel.metric("lts__t_sectors_op_write.sum"_metric));
    constexpr double of_c = 2.0 * m * n * sizeof(float);
    constexpr double tiles = 1024.0 * 1056 / (m * n);
    const double medium = (bytes - of_c) * tiles * 992 / k + of_c * tiles;
    CHECK(medium == Approx(182e9 * 17674e-6).epsilon(0.03));  // Table 6.11: 3,217 MB
}

TEST_CASE("on a C2050 DRAM's bytes are those of the data and of its error correction") {
    auto platform = sim::load_platform("c2050");
    REQUIRE(platform.ok());
    sim::Platform gpu = (*platform).platform;
    REQUIRE(gpu.dram.ecc_bandwidth_share == 0.8);
    const auto run = [&gpu] {
        const auto device = sim::make_simulated_device(gpu, bounded());
        return verified_run(*device, parboil_gemm("parboil-base", 32, 48, 40)).at(0);
    };
    const auto with = run();
    // As fast without, if all of the bandwidth is the data's.
    gpu.dram.bandwidth_gb_per_s *= gpu.dram.ecc_bandwidth_share;
    gpu.dram.ecc_bandwidth_share = 1;
    const auto without = run();
    CHECK(with.metric("sm__cycles_elapsed.max"_metric) == without.metric("sm__cycles_elapsed.max"_metric));
    CHECK(without.metric("dram__bytes_read.sum"_metric) > 0);
    CHECK(with.metric("dram__bytes_read.sum"_metric) == 1.25 * without.metric("dram__bytes_read.sum"_metric));
}

TEST_CASE("Parboil's stencil executes as many instructions as the thesis counted", "[release]") {
    const auto device = functional();
    // 512 x 512 x 64 points; a plane of z costs as much as any other, so fewer of them are run.
    const auto planes = [&](const char* variant) {
        const auto some = verified_run(*device, parboil_stencil(variant, 512, 512, 4)).at(0);
        const auto more = verified_run(*device, parboil_stencil(variant, 512, 512, 8)).at(0);
        return warp_instructions(some) + (warp_instructions(more) - warp_instructions(some)) / 4 * 60;
    };
    CHECK(planes("parboil-base") ==
          Approx(instructions_of_fermi(0.55, 3106)).epsilon(five_percent));  // Table 6.4: 27.5 M
    const double optimised = planes("parboil-tiled");
    CHECK(optimised == Approx(24'753'000).epsilon(five_percent));                         // Table 4.2
    CHECK(optimised == Approx(instructions_of_fermi(0.72, 2150)).epsilon(five_percent));  // Table 6.5
    const auto whole_grid = verified_run(*device, parboil_stencil("parboil-tiled", 512, 512, 4)).at(0);
    CHECK(whole_grid.grid.volume() * whole_grid.block.volume() == 131'072);  // Table 4.2
}

TEST_CASE("Parboil's stencil makes the accesses of its description") {
    const auto device = functional();
    const auto sectors = [](const sim::KernelResult& kernel) {
        return kernel.metric("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"_metric);
    };
    // As stencil base: rows of eight warps; the last point of a row has no thread.
    constexpr std::uint64_t rows = 8 * 8;
    const auto base = verified_run(*device, parboil_stencil("parboil-base", 256, 10, 10)).at(0);
    CHECK(executed(base, "LDG") == rows * 8 * 7);
    CHECK(executed(base, "STG") == rows * 8);
    CHECK(sectors(base) == rows * (8 * 5 * 4 + 2 * (8 * 5 - 1)));
    // As stencil tiled: each point once, and the rims of the tiles.
    const auto tiled = verified_run(*device, parboil_stencil("parboil-tiled", 256, 12, 10)).at(0);
    CHECK(sectors(tiled) == 8 * 12 * 10 * 4 + (2 + 2) * 8 * 8 * 4 + (3 + 3) * 10 * 8);
    CHECK(executed(tiled, "BAR") == 12 * 4 * (2 + 2 * 8));
    CHECK(conflict_free_wavefronts(tiled) > 0);
}
