// What random accesses would cost and the bound, for requests whose lanes are served in groups. Expected values are
// worked out by hand: two lanes of a group in 16 places meet with probability 1/16.
#include <catch2/catch.hpp>

#include "study/conflicts/conflict_summary.hpp"
#include "tests/geometry.hpp"

using namespace sassafras;
using namespace sassafras::study;
using namespace sassafras::workloads;

namespace {

constexpr int half_warp = 16;

/// One instruction of 8 bytes a lane, whose requests have these masks.
ConflictFigures figures_of(std::initializer_list<std::uint32_t> masks,
                           sim::SharedAccessKind kind = sim::SharedAccessKind::load, std::uint64_t shared = 1U << 16U) {
    sim::ConflictCounts counts;
    for (const std::uint32_t mask : masks) {
        ++counts.requests;
        counts.shapes.add(sim::GroupShape(mask, half_warp));
    }
    sim::InstructionConflicts instruction;
    instruction.width = 8;
    instruction.kind = kind;
    instruction.by_round = {counts};
    sim::LaunchConflicts launch;
    launch.kernel = "some";
    launch.shared = Bytes{shared};
    launch.instructions = {instruction};
    launch.geometry = sim::test::banks;
    launch.banks.resize(launch.geometry.banks);
    return summarise({launch}, {}, {}).run;
}

}  // namespace

TEST_CASE("groups of a request are told apart by their lanes, in no order") {
    CHECK(sim::GroupShape(0x0001'ffff, half_warp) == sim::GroupShape(0xffff'0100, half_warp));
    CHECK(sim::GroupShape(0x0001'ffff, half_warp) != sim::GroupShape(0x0003'ffff, half_warp));
    for (const int lanes : {1, 2, 4, 8, 16, 32}) {
        const sim::GroupShape all(~0U, lanes);
        const sim::GroupShape one(1U << 31U, lanes);
        const auto each = static_cast<std::uint32_t>(lanes);
        CHECK(all.groups_of(each, lanes) == warp_size / each);
        CHECK(all.groups_of(0, lanes) == 0);
        CHECK(one.groups_of(1, lanes) == 1);
        CHECK(one.groups_of(0, lanes) == warp_size / each - 1);
    }
}

TEST_CASE("requests are counted by shape, however they come") {
    sim::ShapeCounts some;
    sim::ShapeCounts more;
    for (std::uint32_t i = 0; i < 300; ++i) (i % 3 == 0 ? some : more).add(sim::GroupShape((1U << (i % 7)) - 1U, 8));
    for (const auto& entry : more.entries()) some.add(entry.shape, entry.requests);
    REQUIRE(some.entries().size() == 7);
    std::uint64_t all = 0;
    for (const auto& entry : some.entries()) {
        CHECK(entry.requests >= 42);
        CHECK(entry.requests <= 43);
        all += entry.requests;
    }
    CHECK(all == 300);
}

TEST_CASE("the bound of each request is exact, whatever the others are") {
    // 16 and 4 lanes, 16 alone, 1 and 1.
    const ConflictFigures figures = figures_of({0x000f'ffff, 0xffff'0000, 0x0001'0001});
    std::array<double, warp_size + 1> expected{};
    expected[20] = expected[16] = expected[2] = 1;
    CHECK(figures.bound_degree == expected);
    CHECK(figures.bound == 38);
    // 3 words of 8 bytes lie in a slot of 384 bytes: 3 + 3, 3 and 1 + 1.
    const ConflictFigures small = figures_of({0x000f'ffff, 0xffff'0000, 0x0001'0001}, sim::SharedAccessKind::load, 384);
    expected = {};
    expected[6] = expected[3] = expected[2] = 1;
    CHECK(small.bound_degree == expected);
    // Atomics share none.
    CHECK(figures_of({0x000f'ffff}, sim::SharedAccessKind::atomic, 384).bound_degree[20] == 1);
}

TEST_CASE("random accesses of each request take its own groups one after the other") {
    const ConflictFigures one_each = figures_of({0x0001'0001});
    CHECK(one_each.random_degree[2] == Approx(1));
    const ConflictFigures two_each = figures_of({0x0003'0003});
    CHECK(two_each.random_degree[2] == Approx(225.0 / 256));
    CHECK(two_each.random_degree[3] == Approx(30.0 / 256));
    CHECK(two_each.random_degree[4] == Approx(1.0 / 256));
    // Beside requests of one group: those of two still take two at least.
    const ConflictFigures mixed = figures_of({0x0003'0003, 0x0000'0003, 0x0000'0003, 0xffff'ffff});
    CHECK(mixed.random_degree[0] == 0);
    CHECK(mixed.random_degree[1] == Approx(2 * 15.0 / 16));
    double requests = 0;
    double wavefronts = 0;
    for (std::size_t k = 0; k < mixed.random_degree.size(); ++k) {
        requests += mixed.random_degree[k];
        wavefronts += static_cast<double>(k) * mixed.random_degree[k];
    }
    CHECK(requests == Approx(4));
    CHECK(wavefronts == Approx(mixed.random));
}
