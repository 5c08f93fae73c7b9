// What stops a kernel, and what is refused before it runs: named as compute-sanitizer names it.
#include <catch2/catch.hpp>

#include "tests/unit/execute/features.hpp"

using namespace sassafras;
using Catch::Matchers::Contains;
using test::features_cubin;
using test::Parameters;

TEST_CASE("illegal accesses are named as compute-sanitizer names them") {
    test::Module module(features_cubin);
    const Address in = module.upload(std::vector<int>(40));
    const Address out = module.upload(std::vector<int>(64));
    SECTION("a read behind an allocation") {
        const auto result = module.run("read_at", {2, 1, 1}, {32, 1, 1},
                                       Parameters().add(in.value).add(out.value).add(std::int64_t{20}));
        REQUIRE_FALSE(result.ok());
        CHECK(result.error().kind == ErrorKind::check_failed);
        CHECK_THAT(result.error().what,
                   Contains("Invalid __global__ read of size 4 bytes") && Contains("out of bounds"));
        CHECK_THAT(result.error().where, Contains("kernel read_at") && Contains("LDG") && Contains("block (0,0,0)") &&
                                             Contains("thread (20,0,0)"));
    }
    SECTION("a read of nothing") {
        const auto result = module.run("read_at", {1, 1, 1}, {32, 1, 1},
                                       Parameters().add(std::uint64_t{0}).add(out.value).add(std::int64_t{0}));
        REQUIRE_FALSE(result.ok());
        CHECK_THAT(result.error().what, Contains("address 0x0 is out of bounds"));
    }
    SECTION("a misaligned write") {
        const auto result = module.run("write_misaligned", {1, 1, 1}, {32, 1, 1}, Parameters().add(out.value));
        REQUIRE_FALSE(result.ok());
        CHECK_THAT(result.error().message(), Contains("Invalid __global__ write of size 4 bytes") &&
                                                 Contains("misaligned") && Contains("thread (5,0,0)"));
    }
    SECTION("a read behind the shared memory") {
        const auto result = module.run("shared_overrun", {1, 1, 1}, {32, 1, 1}, Parameters().add(out.value).add(1));
        REQUIRE_FALSE(result.ok());
        CHECK_THAT(result.error().message(),
                   Contains("Invalid __shared__ read of size 4 bytes: address 0x480 is out of bounds") &&
                       Contains("thread (31,0,0)"));
    }
    SECTION("a trap") {
        const auto result = module.run("traps", {1, 1, 1}, {32, 1, 1}, Parameters().add(out.value));
        REQUIRE_FALSE(result.ok());
        CHECK_THAT(result.error().message(), Contains("trap") && Contains("thread (3,0,0)"));
    }
}

TEST_CASE("the trace of a block that failed ends before what did not run") {
    test::Module module(std::string(SASSAFRAS_SOURCE_DIR) + "/tests/fixtures/barriers.cubin");
    sim::LaunchRequest request;
    request.kernel = module.kernel("stores_before_barrier");
    request.shape = {{1, 1, 1}, {32, 1, 1}, {}};
    request.parameters = Parameters().add(module.upload(std::vector<int>(32)).value).bytes();
    auto source = sim::make_executor(std::move(request), module.memory);
    REQUIRE(source.ok());
    auto block = (*source)->start(0);
    REQUIRE(block.ok());
    const auto advanced = (*source)->advance(**block, 1000);
    REQUIRE_FALSE(advanced.ok());
    CHECK_THAT(advanced.error().message(), Contains("Invalid __shared__ write"));
    // Every instruction in it has its addresses and values; the barrier behind the store has none.
    test::RunResult result;
    sim::WarpTrace& trace = (*block)->warps[0];
    while (trace.has_segment()) CHECK_NOTHROW(test::Module::consume((*source)->program(), trace, result));
    CHECK(result.instructions > 0);
}

TEST_CASE("a stack beyond what a GPU gives is refused") {
    test::Module module(features_cubin);
    sim::LaunchRequest request;
    request.kernel = module.kernel("endless");
    isa::Program program = *request.kernel.program;
    program.kernel.local_per_thread = Bytes{(512U << 10U) + 1};
    request.kernel.program = std::make_shared<const isa::Program>(std::move(program));
    request.shape = {{1, 1, 1}, {32, 1, 1}, {}};
    request.parameters = Parameters().add(std::uint64_t{0}).bytes();
    const auto made = sim::make_executor(std::move(request), module.memory);
    REQUIRE_FALSE(made.ok());
    CHECK_THAT(made.error().message(), Contains("524289 bytes of local memory a thread"));
}

TEST_CASE("a barrier that can never complete and a kernel that never ends are found") {
    test::Module module(features_cubin);
    const Address out = module.upload(std::vector<int>(64));
    const auto stuck = module.run("barrier_deadlock", {1, 1, 1}, {64, 1, 1}, Parameters().add(out.value));
    REQUIRE_FALSE(stuck.ok());
    CHECK_THAT(stuck.error().message(), Contains("Deadlock") && Contains("warp 0") && Contains("BAR 1") &&
                                            Contains("warp 1") && Contains("BAR 0") &&
                                            Contains("kernel barrier_deadlock"));
    const auto endless = module.run("endless", {1, 1, 1}, {32, 1, 1}, Parameters().add(out.value), {}, 100'000);
    REQUIRE_FALSE(endless.ok());
    CHECK_THAT(endless.error().message(), Contains("Runaway kernel") && Contains("kernel endless"));
}

TEST_CASE("bad launches are refused") {
    test::Module module(features_cubin);
    CHECK_FALSE(module.run("dimensions", {1, 1, 1}, {2048, 1, 1}, Parameters().add(std::uint64_t{0})).ok());
    CHECK_FALSE(module.run("dimensions", {1, 1, 1}, {32, 1, 1}, Parameters()).ok());
    CHECK_FALSE(module.run("dimensions", {0, 1, 1}, {32, 1, 1}, Parameters().add(std::uint64_t{0})).ok());
}
