// MAGMA's GEMM in all its shapes, and the plain ones: bit-equal at awkward sizes on both modelled devices, and the
// access pattern that the sources describe, as counted. (workloads/gemm/README.md derives the counts.)
#include <catch2/catch.hpp>

#include <set>

#include "tests/contract/workloads/verified_run.hpp"
#include "tests/sanitized.hpp"

using namespace sassafras;
using namespace sassafras::test;
using workloads::WorkloadRequest;

namespace {

struct MagmaShape {
    int N_TB, lambda, b;
};
constexpr MagmaShape magma_shapes[] = {
    {32, 16, 256}, {32, 32, 256}, {64, 8, 256},   {64, 16, 256},  {64, 32, 256},  {96, 8, 256},  {96, 16, 256},
    {96, 32, 256}, {128, 8, 256}, {128, 16, 256}, {160, 8, 256},  {160, 16, 256}, {192, 8, 256}, {192, 16, 256},
    {32, 16, 128}, {64, 16, 128}, {96, 16, 128},  {128, 16, 128}, {32, 16, 64},   {64, 16, 64},  {96, 16, 64}};

WorkloadRequest gemm(const char* variant, std::uint64_t n) {
    WorkloadRequest request;
    request.name = "gemm";
    request.variant = variant;
    request.n = n;
    request.seed = n + 1;
    return request;
}

WorkloadRequest magma(const MagmaShape& shape, std::uint64_t n) {
    WorkloadRequest request = gemm("magma", n);
    request.parameters = {{"N_TB", shape.N_TB}, {"lambda", shape.lambda}, {"b", shape.b}};
    return request;
}

constexpr std::uint64_t warp = 32;

}  // namespace

TEST_CASE("gemm magma is bit-equal in every shape and without a bank conflict") {
    const auto device = functional();
    std::size_t index = 0;
    for (const MagmaShape& shape : magma_shapes) {
        if (!test::is_tried(index++)) continue;
        const auto tile = static_cast<std::uint64_t>(shape.N_TB);
        for (const std::uint64_t n :
             std::set<std::uint64_t>{0, 1, 31, 32, 33, 64, 63, 65, 97, tile - 1, tile, tile + 1})
            for (const sim::KernelResult& kernel : verified_run(*device, magma(shape, n)))
                CHECK(conflict_free_wavefronts(kernel) > 0);
        for (const char* input : {"random", "integers"})
            for (const auto& [m, k] : {std::pair{5, 130}, {200, 3}, {70, 0}, {0, 10}, {1, 1}}) {
                WorkloadRequest request = magma(shape, 75);
                request.input = input;
                request.parameters.insert({{"M", m}, {"K", k}});
                for (const sim::KernelResult& kernel : verified_run(*device, request))
                    (void)conflict_free_wavefronts(kernel);
            }
    }
}

TEST_CASE("the plain gemms are bit-equal at every size") {
    const auto device = functional();
    for (const char* variant : {"naive", "tiled", "regtile", "parboil-base", "parboil-regtile"}) {
        for (const std::uint64_t n : std::initializer_list<std::uint64_t>{0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64,
                                                                          65, 127, 128, 129, 211})
            verified_run(*device, gemm(variant, n));
        for (const auto& [m, k] : {std::pair{5, 130}, {200, 3}, {70, 0}, {0, 10}, {1, 1}}) {
            WorkloadRequest request = gemm(variant, 75);
            request.parameters = {{"M", m}, {"K", k}};
            verified_run(*device, request);
        }
    }
}

TEST_CASE("a large gemm in every variant") {
    const auto device = functional();
    for (const char* variant : {"naive", "tiled", "regtile"})
        verified_run(*device, gemm(variant, test::sanitized ? 200 : 300));
    for (const sim::KernelResult& kernel : verified_run(*device, gemm("magma", test::sanitized ? 300 : 600)))
        CHECK(conflict_free_wavefronts(kernel) > 0);
}

TEST_CASE("gemm is bit-equal under the timing model") {
    const auto device = simulated();
    std::size_t index = 0;
    for (const char* variant : {"magma", "naive", "tiled", "regtile", "parboil-base", "parboil-regtile"})
        for (const std::uint64_t n : std::initializer_list<std::uint64_t>{0, 1, 31, 32, 33, 63, 64, 65, 97, 130})
            if (test::is_tried(index++, 7)) verified_run(*device, gemm(variant, n));
}

TEST_CASE("gemm magma makes the accesses of the analysis") {
    const auto device = functional();
    for (const MagmaShape& shape : magma_shapes) {
        const auto N_TB = static_cast<std::uint64_t>(shape.N_TB);
        const auto lambda = static_cast<std::uint64_t>(shape.lambda);
        const auto b = static_cast<std::uint64_t>(shape.b);
        CAPTURE(N_TB, lambda, b);
        const std::uint64_t n = 2 * N_TB;
        const std::uint64_t m = N_TB;
        const std::uint64_t k = 3 * lambda;
        WorkloadRequest request = magma(shape, n);
        request.parameters.insert({{"M", m}, {"K", k}});
        const auto kernels = verified_run(*device, request);
        REQUIRE(kernels.size() == 1);
        const sim::KernelResult& kernel = kernels[0];
        CHECK(executed(kernel, "FFMA") == n * m * k / warp);

        // A_g: every batch once and every element of C once, in whole sectors of eight words.
        CHECK(executed(kernel, "LDG") == 2 * n * m * k / N_TB / warp);
        const std::uint64_t read_sectors = 2 * n * m * k / N_TB / 8;
        const std::uint64_t written_sectors = n * m / 8;
        CHECK(kernel.metric("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"_metric) ==
              static_cast<double>(read_sectors));
        CHECK(kernel.metric("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"_metric) ==
              static_cast<double>(written_sectors));

        // A_s: the batches are stored word by word; a thread reads rows + columns words a step, in accesses of four
        // words and of two.
        const std::uint64_t across = b == 64 ? 8 : 16;
        const std::uint64_t rows = N_TB / (b / across);
        const std::uint64_t columns = N_TB / across;
        CHECK(executed(kernel, "STS") == 2 * n * m * k / N_TB / warp);
        const auto accesses = [](std::uint64_t words) { return words / 4 + words % 4 / 2; };
        CHECK(executed(kernel, "LDS") == (n / N_TB) * (b / warp) * k * (accesses(rows) + accesses(columns)));
        CHECK(conflict_free_wavefronts(kernel) > 0);

        // A_y: two barriers a batch, but for the one before the first and the one after the last.
        CHECK(executed(kernel, "BAR") == (n / N_TB) * (b / warp) * (2 * (k / lambda) - 1));
    }
}

TEST_CASE("the plain gemms make the accesses of their descriptions") {
    const auto device = functional();
    constexpr std::uint64_t n = 256;  // a multiple of every tile
    constexpr std::uint64_t products = n * n * n / warp;

    const auto naive = verified_run(*device, gemm("naive", n)).at(0);
    CHECK(executed(naive, "FFMA") == products);
    CHECK(executed(naive, "LDG") == 2 * products);
    CHECK(executed(naive, "LDS") == 0);

    const auto tiled = verified_run(*device, gemm("tiled", n)).at(0);
    CHECK(executed(tiled, "FFMA") == products);
    CHECK(executed(tiled, "LDG") == 2 * products / 16);
    CHECK(executed(tiled, "STS") == 2 * products / 16);
    CHECK(executed(tiled, "BAR") == 2 * (n / 16) * (n / 16) * (n / 16) * 8);

    // A once for each 16 columns of C; B once for each 128 rows, staged in shared memory and read by broadcasts.
    const auto regtile = verified_run(*device, gemm("regtile", n)).at(0);
    CHECK(executed(regtile, "FFMA") == products);
    CHECK(executed(regtile, "LDG") == products / 16 + products / 128);
    CHECK(executed(regtile, "STS") == products / 128);
    CHECK(executed(regtile, "STG") == n * n / warp);
    CHECK(conflict_free_wavefronts(regtile) > 0);
}

TEST_CASE("gemm refuses shapes that are not compiled, and says which are") {
    const auto device = functional();
    WorkloadRequest request = gemm("magma", 64);
    request.parameters = {{"N_TB", 100}};
    const auto odd = workloads::run_workload(*device, request);
    REQUIRE_FALSE(odd.ok());
    CHECK(odd.error().kind == ErrorKind::bad_input);
    CHECK(odd.error().message().find("96, 16, 256") != std::string::npos);
    for (const char* variant : {"regtile", "parboil-regtile"}) {
        request = gemm(variant, 64);
        request.parameters = {{"N_TB", 96}};
        CHECK_FALSE(workloads::run_workload(*device, request).ok());
    }
    // Only magma has a tile of 192; naming the tile is enough.
    request = gemm("", 64);
    request.parameters = {{"N_TB", 192}};
    const auto chosen = workloads::run_workload(*device, request);
    REQUIRE(chosen.ok());
    CHECK((*chosen).variant == "magma");
}
