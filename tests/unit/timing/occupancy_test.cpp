// Blocks an SM holds, worked out by hand from the rules of CUDA's occupancy calculator for compute capability 9.0:
// registers are given to a warp in units of 256 and lie in four sub-cores of 16,384; 64 warps, 32 blocks; shared memory
// 228 KiB with 1 KiB a block reserved.
#include <catch2/catch.hpp>

#include <array>

#include "sim/timing/occupancy.hpp"
#include "tests/fixture_platform.hpp"

using namespace sassafras::sim;

namespace {
Occupancy of(std::uint32_t threads, std::uint32_t registers, std::uint64_t shared) {
    return occupancy({.threads_per_block = threads, .registers_per_thread = registers, .shared_bytes = shared},
                     test::fixture_platform());
}
}  // namespace

TEST_CASE("warps limit: 256 threads, 32 registers") {
    const Occupancy result = of(256, 32, 0);
    CHECK(result.warps_per_block == 8);
    CHECK(result.limit_warps == 8);      // 64 / 8
    CHECK(result.limit_registers == 8);  // 1,024 a warp: 16 a sub-core, 64 warps
    CHECK(result.limit_blocks == 32);
    CHECK(result.blocks == 8);
}

TEST_CASE("registers limit, by whole warps of a sub-core") {
    CHECK(of(128, 168, 0).blocks == 3);   // 5,376 a warp: 3 a sub-core, 12 warps
    CHECK(of(96, 40, 0).blocks == 16);    // 1,280 a warp: 12 a sub-core, 48 warps of 3
    CHECK(of(256, 65, 0).blocks == 3);    // 2,080 rounded up to 2,304: 7 a sub-core, 28 warps of 8
    CHECK(of(1024, 64, 0).blocks == 1);   // 2,048 a warp: 32 warps
    CHECK(of(256, 255, 0).blocks == 1);   // 8,160 up to 8,192: 2 a sub-core, 8 warps
    CHECK(of(1024, 128, 0).blocks == 0);  // 16 warps of the 32 needed
}

TEST_CASE("shared memory limits, with the reserved kibibyte") {
    CHECK(of(128, 16, 48 * 1024).blocks == 4);  // 50,176 each of 233,472
    CHECK(of(128, 16, 32 * 1024).blocks == 6);  // 33,792
    CHECK(of(128, 16, 227 * 1024).blocks == 1);
    CHECK(of(128, 16, 227 * 1024 + 1).blocks == 0);
    CHECK(of(128, 16, 1).limit_shared == 202);  // 1,025 rounded up to 1,152
}

TEST_CASE("small blocks are limited by their number; partial warps count as whole ones") {
    CHECK(of(32, 16, 0).blocks == 32);
    CHECK(of(1, 16, 0).warps_per_block == 1);
    CHECK(of(33, 16, 0).warps_per_block == 2);
    CHECK(of(33, 16, 0).blocks == 32);  // 64 warps / 2
    CHECK(of(65, 16, 0).blocks == 21);  // 64 / 3
}

// The CUDA C++ Programming Guide's list for compute capability 9.0: 0, 8, 16, 32, 64, 100, 132, 164, 196, 228 KB. Where
// two stand, the second is what an H200's driver chose (validate/records/h200/full, launch__shared_mem_config_size).
TEST_CASE("The driver carves out the blocks' own and a kibibyte for each block that an SM can hold") {
    constexpr std::uint64_t kib = 1024;
    const auto carve_out = [&](std::uint32_t threads, std::uint32_t registers, std::uint64_t shared) {
        return 256 * kib - of(threads, registers, shared).l1_bytes;
    };
    CHECK(carve_out(128, 16, 0) == 32 * kib);       // micro global-copy
    CHECK(carve_out(256, 80, 8704) == 64 * kib);    // gemm 64x64x16: 3 of 8.5 KiB, and 32
    CHECK(carve_out(256, 32, 16384) == 164 * kib);  // search bisection: 8 of 16, and 32
    CHECK(carve_out(128, 32, 1024) == 64 * kib);    // stencil tiled: 16 of 1
    CHECK(carve_out(32, 32, 1920) == 100 * kib);    // sort mms: 32 of 1.875
    CHECK(carve_out(32, 48, 4224) == 164 * kib);    // scan three-phase: 32 of 4.125 and 32 exactly
    CHECK(carve_out(128, 32, 7684) == 164 * kib);   // sort mgpu
    CHECK(carve_out(128, 40, 7684) == 132 * kib);
    CHECK(carve_out(128, 96, 4608) == 64 * kib);    // ode float-literals: 5 of 4.5
    CHECK(carve_out(256, 64, 99328) == 196 * kib);  // search btree: 4 do not fit, 2 of 98 do
    CHECK(carve_out(128, 64, 43648) == 228 * kib);  // merge double-buffer: 5 of 43.625
    CHECK(carve_out(256, 128, 8448) == 64 * kib);   // gemm 128x128x8: 2 of 8.25
}

TEST_CASE("L1 is what the smallest sufficient carve-out leaves") {
    constexpr std::uint64_t kib = 1024;
    const auto carve_out = [&](std::uint32_t threads, std::uint64_t shared) {
        return 256 * kib - of(threads, 16, shared).l1_bytes;
    };
    CHECK(carve_out(1024, 0) == 32 * kib);  // 1 KiB for each of 32 blocks
    CHECK(carve_out(64, 0) == 32 * kib);
    CHECK(carve_out(1024, 16 * kib) == 64 * kib);  // 2 of 16 and 32 exactly
    CHECK(carve_out(1024, 16 * kib + 1) == 100 * kib);
    CHECK(carve_out(1024, 34 * kib) == 100 * kib);  // 2 of 34 and 32 exactly
    CHECK(carve_out(1024, 49 * kib) == 132 * kib);
    CHECK(carve_out(1024, 65 * kib) == 164 * kib);
    CHECK(carve_out(1024, 81 * kib) == 196 * kib);
    CHECK(carve_out(1024, 97 * kib) == 228 * kib);
    CHECK(carve_out(1024, 227 * kib) == 228 * kib);  // one
}

TEST_CASE("a block's shares of its SM are what the limits say") {
    const Platform platform = test::fixture_platform();
    for (const auto& [threads, registers, shared] : {std::array<std::uint32_t, 3>{256, 32, 0},
                                                     {1024, 64, 0},
                                                     {96, 40, 0},
                                                     {128, 16, 48 * 1024},
                                                     {33, 255, 1000}}) {
        const KernelResources kernel{threads, registers, shared};
        const Occupancy limits = occupancy(kernel, platform);
        const BlockShares shares = block_shares(kernel, platform);
        const auto holds = [](double share) { return static_cast<std::uint32_t>(1 / share + 1e-9); };
        CHECK(holds(shares.blocks) == limits.limit_blocks);
        CHECK(holds(shares.warps) == limits.limit_warps);
        CHECK(holds(shares.registers) == limits.limit_registers);
        CHECK(holds(shares.shared) == limits.limit_shared);
    }
}

TEST_CASE("carve-outs are the platform's: beyond its list, and never more than shared memory") {
    Platform platform = test::fixture_platform();
    platform.sm.shared_carve_outs_bytes = {0, 65536};
    const auto l1 = [&](std::uint64_t shared) {
        return occupancy({.threads_per_block = 1024, .registers_per_thread = 16, .shared_bytes = shared}, platform)
            .l1_bytes;
    };
    CHECK(l1(0) == 262144 - 65536);
    CHECK(l1(32 * 1024) == 262144 - 233472);
    platform.sm.shared_bytes = 50'000;
    CHECK(l1(0) == 262144 - 50'000);
}
