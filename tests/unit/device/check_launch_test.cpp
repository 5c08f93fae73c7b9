#include <catch2/catch.hpp>

#include "sim/device/launch_check.hpp"
#include "tests/fixture_platform.hpp"

using namespace sassafras;
using namespace sassafras::sim;

namespace {

Launch shape(Dim3 grid, Dim3 block, std::uint64_t dynamic_shared = 0) {
    Launch launch;
    launch.grid = grid;
    launch.block = block;
    launch.dynamic_shared = Bytes{dynamic_shared};
    return launch;
}

isa::Kernel kernel_with(std::uint32_t registers, std::uint64_t shared = 0) {
    isa::Kernel kernel;
    kernel.registers_per_thread = registers;
    kernel.static_shared = Bytes{shared};
    return kernel;
}

std::string refusal(const isa::Kernel& kernel, const Launch& launch) {
    const auto checked = check_launch(test::fixture_platform(), kernel, launch, "k");
    return checked.ok() ? "" : checked.error().what;
}

}  // namespace

// The limits of compute capability 9.0: CUDA C++ Programming Guide, technical specifications.
TEST_CASE("launch limits") {
    CHECK(refusal(kernel_with(32), shape({1, 1, 1}, {1024, 1, 1})).empty());
    CHECK(refusal(kernel_with(32), shape({1, 1, 1}, {1025, 1, 1})).find("too many threads") == 0);
    CHECK(refusal(kernel_with(32), shape({1, 1, 1}, {32, 32, 2})).find("too many threads") == 0);
    CHECK(refusal(kernel_with(32), shape({1, 1, 1}, {1, 1, 65})).find("too many threads") == 0);
    CHECK(refusal(kernel_with(32), shape({1, 1, 1}, {1, 1, 64})).empty());
    CHECK(refusal(kernel_with(32), shape({2147483647, 1, 1}, {1, 1, 1})).empty());
    CHECK(refusal(kernel_with(32), shape({2147483648U, 1, 1}, {1, 1, 1})).find("is too large") != std::string::npos);
    CHECK(refusal(kernel_with(32), shape({1, 65536, 1}, {1, 1, 1})).find("is too large") != std::string::npos);
    CHECK(refusal(kernel_with(32), shape({1, 0, 1}, {1, 1, 1})).find("is empty") != std::string::npos);
    CHECK(refusal(kernel_with(32, 1024), shape({1, 1, 1}, {1, 1, 1}, 231424)).empty());
    CHECK(refusal(kernel_with(32, 1024), shape({1, 1, 1}, {1, 1, 1}, 231425)).find("too much shared memory") == 0);
    CHECK(refusal(kernel_with(255), shape({1, 1, 1}, {1024, 1, 1})).find("registers") != std::string::npos);
}

TEST_CASE("launch bounds and required blocks of the kernel hold") {
    isa::Kernel bounded = kernel_with(16);
    bounded.max_threads = 128;
    CHECK(refusal(bounded, shape({1, 1, 1}, {128, 1, 1})).empty());
    CHECK(refusal(bounded, shape({1, 1, 1}, {129, 1, 1})).find("launch bound") != std::string::npos);
    isa::Kernel required = kernel_with(16);
    required.required_block = {64, 2, 1};
    CHECK(refusal(required, shape({1, 1, 1}, {64, 2, 1})).empty());
    CHECK(refusal(required, shape({1, 1, 1}, {128, 1, 1})) ==
          "the kernel is compiled for blocks of (64, 2, 1), not (128, 1, 1)");
}

TEST_CASE("what a launch breaks first is what it is refused for") {
    const auto rule = [](const isa::Kernel& kernel, Launch launch, std::optional<Bytes> limit = {}) {
        const auto refusal = find_launch_refusal(test::fixture_platform(), kernel, launch, "k", limit);
        REQUIRE(refusal.has_value());
        CHECK(refusal->error.kind == ErrorKind::bad_input);
        CHECK(refusal->error.where == "k");
        CHECK_FALSE(refusal->error.remedy.empty());
        return refusal->rule;
    };
    CHECK(rule(kernel_with(255, 300'000), shape({1, 1, 1}, {2000, 1, 1})) == LaunchRule::extents);
    CHECK(rule(kernel_with(255, 300'000), shape({1, 1, 1}, {1024, 1, 1})) == LaunchRule::shared_memory);
    CHECK(rule(kernel_with(255), shape({1, 1, 1}, {1024, 1, 1})) == LaunchRule::room);
    Launch cooperative = shape({132 * 2 + 1, 1, 1}, {1024, 1, 1});  // two blocks of 32 warps an SM
    cooperative.cooperative = true;
    CHECK(rule(kernel_with(32), cooperative) == LaunchRule::cooperation);
    isa::Kernel required = kernel_with(32);
    required.required_block = {64, 2, 1};
    CHECK(rule(required, shape({1, 1, 1}, {64, 1, 1})) == LaunchRule::required_block);
    // 48 KiB without being asked, of which the kernel's own 1,024 bytes are part; a program may ask for more or less.
    const isa::Kernel shared = kernel_with(32, 1024);
    const Bytes standard = standard_dynamic_shared(test::fixture_platform(), shared);
    CHECK(standard.count == 48 * 1024 - 1024);
    CHECK(rule(shared, shape({1, 1, 1}, {32, 1, 1}, standard.count + 1), standard) == LaunchRule::shared_memory);
    CHECK_FALSE(find_launch_refusal(test::fixture_platform(), shared, shape({1, 1, 1}, {32, 1, 1}, standard.count), "k",
                                    standard));
    CHECK(rule(shared, shape({1, 1, 1}, {32, 1, 1}, 101), Bytes{100}) == LaunchRule::shared_memory);
    CHECK(standard_dynamic_shared(test::fixture_platform(), kernel_with(32, 50'000)).count == 0);
}

// Worked by hand from 64 warps, 32 blocks, 65,536 registers and 228 KiB of shared memory an SM, 1 KiB of it taken by
// each block.
TEST_CASE("blocks of a launch that an SM holds") {
    const auto residents = [](std::uint32_t registers, std::uint64_t shared, std::uint32_t threads) {
        return occupancy(resources_of(kernel_with(registers, shared), shape({1, 1, 1}, {threads, 1, 1})),
                         test::fixture_platform())
            .blocks;
    };
    CHECK(residents(16, 0, 32) == 32);  // block slots
    CHECK(residents(32, 0, 256) == 8);  // 64 warps
    CHECK(residents(64, 0, 256) == 4);  // 16,384 registers a block
    CHECK(residents(65, 0, 256) ==
          3);  // 65 * 32 rounds up to 2,304 a warp: 7 of them in a sub-core's 16,384, 28 in the SM
    CHECK(residents(32, 48 << 10, 128) == 4);  // 49 KiB a block of 228
}
