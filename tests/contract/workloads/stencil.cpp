// The 7-point stencil: bit-equal at awkward sizes on both modelled devices, and the accesses of its description, as
// counted.
#include <catch2/catch.hpp>

#include <algorithm>
#include <initializer_list>
#include <tuple>

#include "tests/contract/workloads/verified_run.hpp"
#include "tests/sanitized.hpp"

using namespace sassafras;
using namespace sassafras::test;
using workloads::WorkloadRequest;

namespace {

WorkloadRequest stencil(const char* variant, std::uint64_t nx, std::int64_t ny, std::int64_t nz,
                        std::int64_t iterations) {
    WorkloadRequest request;
    request.name = "stencil";
    request.variant = variant;
    request.n = nx;
    request.seed = nx + 1;
    request.parameters = {{"ny", ny}, {"nz", nz}, {"T", iterations}};
    return request;
}

}  // namespace

TEST_CASE("stencil is bit-equal at every size and on every input") {
    const auto device = functional();
    for (const char* variant : {"base", "tiled", "parboil-base", "parboil-tiled"}) {
        for (const std::int64_t n : {0, 1, 2, 3, 4, 5, 31, 32, 33, 63, 64, 65, 97})
            verified_run(*device, stencil(variant, static_cast<std::uint64_t>(n), n, n, 3));
        for (const auto& [nx, ny, nz] :
             {std::tuple{130, 3, 3}, {3, 70, 5}, {66, 9, 40}, {5, 5, 1}, {64, 0, 4}, {257, 4, 6}})
            for (const char* input : {"random", "equal", "point"}) {
                WorkloadRequest request = stencil(variant, static_cast<std::uint64_t>(nx), ny, nz, 2);
                request.input = input;
                verified_run(*device, request);
            }
    }
}

TEST_CASE("a large stencil") {
    const auto device = functional();
    for (const char* variant : {"base", "tiled"}) verified_run(*device, stencil(variant, 512, 150, 12, 1));
}

TEST_CASE("stencil is bit-equal under the timing model") {
    const auto device = simulated();
    std::size_t index = 0;
    for (const char* variant : {"base", "tiled", "parboil-base", "parboil-tiled"})
        for (const std::int64_t n : {0, 1, 31, 32, 33, 64, 47})
            if (is_tried(index++, 5))
                verified_run(*device, stencil(variant, static_cast<std::uint64_t>(n), std::min<std::int64_t>(n, 9),
                                              std::min<std::int64_t>(n, 7), 2));
}

TEST_CASE("stencil base reads seven points and writes one for each inner point") {
    const auto device = functional();
    const auto kernel = verified_run(*device, stencil("base", 256, 10, 10, 1)).at(0);
    constexpr std::uint64_t rows = 8 * 8;  // inner ones, of eight warps each
    CHECK(executed(kernel, "LDG") == rows * 8 * 7);
    CHECK(executed(kernel, "STG") == rows * 8);
    // Five of the seven reads are aligned (four sectors); those of x-1 and x+1 touch a fifth, but for the first or last
    // warp of a row.
    CHECK(kernel.metric("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"_metric) ==
          rows * (8 * 5 * 4 + 2 * (8 * 5 - 1)));
}

TEST_CASE("stencil tiled reads each point once and the rim of each tile again, without a bank conflict") {
    const auto device = functional();
    // 4 x 3 tiles of 64 x 4, 10 planes of which 8 are computed.
    const auto kernel = verified_run(*device, stencil("tiled", 256, 12, 10, 1)).at(0);
    constexpr std::uint64_t once = 8 * 12 * 10 * 4;              // sectors: warps a row, rows, planes
    constexpr std::uint64_t rows_of_rims = (2 + 2) * 8 * 8 * 4;  // above two tile borders and below them
    constexpr std::uint64_t columns_of_rims =
        (3 + 3) * 10 * 8;  // a sector for a single point: borders, inner rows, planes
    CHECK(kernel.metric("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"_metric) ==
          once + rows_of_rims + columns_of_rims);
    CHECK(kernel.metric("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"_metric) == 8 * 10 * 8 * 4);
    CHECK(executed(kernel, "BAR") == 12 * 4 * (1 + 2 * 8));
    CHECK(conflict_free_wavefronts(kernel) > 0);
}
