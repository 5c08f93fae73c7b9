// What lanes, warps and blocks do together, and how they know where they are: kernels of features.cu against what CUDA
// defines.
#include <catch2/catch.hpp>

#include <algorithm>

#include "tests/unit/execute/features.hpp"

using namespace sassafras;
using test::features_cubin;
using test::mixed;
using test::Parameters;
using test::require_ok;

TEST_CASE("shuffles, votes, matches and reductions do what CUDA says") {
    test::Module module(features_cubin);
    const std::vector<int> in = mixed(64);
    const Address pin = module.upload(in);
    const Address out = module.upload(std::vector<int>(64 * 18));
    require_ok(
        module.run("warp_operations", {1, 1, 1}, {64, 1, 1}, Parameters().add(pin.value).add(out.value).add(16)));
    const auto got = module.download<int>(out, 64 * 18);
    for (int t = 0; t < 64; ++t) {
        const int base = t / 32 * 32;
        const int lane = t % 32;
        const auto x = [&](int l) { return in[static_cast<std::size_t>(base) + static_cast<std::size_t>(l)]; };
        const auto result = [&](int k) { return got[static_cast<std::size_t>(k) * 64 + static_cast<std::size_t>(t)]; };
        int ballot = 0, sum = 0, least = x(0), same = 0, flip = 0, equal_signs = 1;
        unsigned most = 0;
        for (int l = 0; l < 32; ++l) {
            ballot |= static_cast<int>(static_cast<unsigned>(x(l) > 10) << l);
            same |= static_cast<int>(static_cast<unsigned>((x(l) & 3) == (x(lane) & 3)) << l);
            sum += x(l);
            flip ^= x(l);
            least = std::min(least, x(l));
            most = std::max(most, static_cast<unsigned>(x(l)));
            equal_signs &= static_cast<int>((x(l) >> 31) == (x(0) >> 31));
        }
        CAPTURE(t);
        CHECK(result(0) == x(5));
        CHECK(result(1) == x(x(lane) & 31));
        CHECK(result(2) == x(lane < 3 ? lane : lane - 3));
        CHECK(result(3) == x(lane + 7 > 31 ? lane : lane + 7));
        CHECK(result(4) == x(lane ^ 17));
        CHECK(result(5) == x(lane % 8 + 2 > 7 ? lane : lane + 2));
        CHECK(result(6) == x(lane % 16 < 1 ? lane : lane - 1));
        CHECK(result(7) == ballot);
        CHECK(result(8) == (ballot != 0) + 2 * (ballot == -1));
        CHECK(result(9) == same);
        CHECK(result(10) == (equal_signs != 0 ? -1 : 0) + equal_signs);
        CHECK(result(11) == sum);
        CHECK(result(12) == least);
        CHECK(result(13) == static_cast<int>(most));
        CHECK(result(14) == flip);
        CHECK(result(15) == -1);
        CHECK(result(16) == x(lane / 16 * 16 + t % 16));
        int odd = 0;
        for (int l = 1; l < 32; l += 2) odd += x(l) & 1;
        CHECK(result(17) == (lane % 2 == 1 ? x(1) + odd : -1));
    }
}

TEST_CASE("block-wide counts and votes reach every thread") {
    test::Module module(features_cubin);
    const auto in = mixed(96);
    const Address pin = module.upload(in);
    const Address out = module.upload(std::vector<int>(96));
    require_ok(module.run("block_votes", {1, 1, 1}, {96, 1, 1}, Parameters().add(pin.value).add(out.value)));
    const auto positive = static_cast<int>(std::count_if(in.begin(), in.end(), [](int x) { return x > 0; }));
    const int all = std::all_of(in.begin(), in.end(), [](int x) { return x > -100; }) ? 1000 : 0;
    for (const int value : module.download<int>(out, 96)) CHECK(value == positive + all);
}

TEST_CASE("named barriers let producers run ahead of their consumer") {
    test::Module module(features_cubin);
    const auto in = mixed(64);
    const Address pin = module.upload(in);
    const Address out = module.upload(std::vector<int>(32));
    require_ok(module.run("named_barriers", {1, 1, 1}, {96, 1, 1}, Parameters().add(pin.value).add(out.value)));
    const auto got = module.download<int>(out, 32);
    for (std::size_t t = 0; t < 32; ++t) CHECK(got[t] == 2 * in[t] + 2 * in[t + 32]);
}

TEST_CASE("threads and blocks know where they are in three dimensions") {
    test::Module module(features_cubin);
    const Address out = module.upload(std::vector<unsigned>(24 * 24));
    require_ok(module.run("dimensions", {2, 3, 4}, {4, 3, 2}, Parameters().add(out.value)));
    const auto got = module.download<unsigned>(out, 24 * 24);
    std::size_t at = 0;
    for (unsigned bz = 0; bz < 4; ++bz)
        for (unsigned by = 0; by < 3; ++by)
            for (unsigned bx = 0; bx < 2; ++bx)
                for (unsigned z = 0; z < 2; ++z)
                    for (unsigned y = 0; y < 3; ++y)
                        for (unsigned x = 0; x < 4; ++x)
                            CHECK(got[at++] == (x | y << 4U | z << 8U | bx << 12U | by << 16U | bz << 20U));
}

TEST_CASE("clock reads take what the consumer answers") {
    test::Module module(features_cubin);
    const Address out = module.upload(std::vector<std::int64_t>(4 * 32));
    sim::LaunchRequest request;
    request.kernel = module.kernel("clocks");
    request.shape = {{1, 1, 1}, {32, 1, 1}, {}};
    request.parameters = Parameters().add(out.value).bytes();
    auto source = sim::make_executor(std::move(request), module.memory);
    REQUIRE(source.ok());
    sim::BlockTrace* block = (*source)->start(0).value();
    std::uint64_t reads = 0;
    while (true) {
        REQUIRE((*source)->advance(*block, 100).ok());
        if (block->warps[0].state != sim::WarpTrace::State::waiting_clock) break;
        ++reads;
        (*source)->provide_clock(*block, 0, Cycle{0x100000000ULL * reads + 7}, 5000 + reads);
    }
    CHECK(block->warps[0].state == sim::WarpTrace::State::exited);
    CHECK(reads == 4);
    const auto got = module.download<std::int64_t>(out, 4);
    CHECK(got[0] == 0x100000007);
    CHECK(got[1] == 7);
    CHECK(got[2] == 5003);
    CHECK(got[3] == 0x400000007);
}
