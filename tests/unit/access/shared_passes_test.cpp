// What banks and lanes do in a request, against the count of wavefronts and against arithmetic.
#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <set>

#include "core/random.hpp"
#include "sim/access/shared_passes.hpp"
#include "tests/geometry.hpp"

using namespace sassafras;
using namespace sassafras::sim;

namespace {

AccessRecord random_access(Random& random, std::uint32_t width) {
    AccessRecord access;
    access.mask = random.below(3) == 0 ? ~0U : random.next_u32();
    const std::uint64_t spread = std::uint64_t{1} << (1 + random.below(10));
    const bool pairs = random.below(3) == 0;
    if (random.below(4) == 0) {  // as execution hands over what has a constant stride
        access.affine = true;
        access.stride = (static_cast<std::int64_t>(random.below(200)) - 100) * static_cast<std::int64_t>(width);
        const std::uint64_t base = (1U << 20U) + random.below(64) * width;
        for (std::size_t lane = 0; lane < warp_size; ++lane)
            access.address[lane] = base + lane * static_cast<std::uint64_t>(access.stride);
        return access;
    }
    for (std::size_t lane = 0; lane < warp_size; ++lane) {
        access.address[lane] = random.below(spread) * width;
        if (pairs && lane % 2 == 1) access.address[lane] = access.address[lane - 1];
    }
    return access;
}

/// The rules of a wavefront: a bank serves one word, and a lane is served once.
void check_plan(const ServicePlan& plan, const AccessRecord& access, bool shares) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> word_of_bank;
    std::uint32_t lanes = 0;
    for (const LaneService& service : plan.lanes) {
        REQUIRE(service.pass < plan.passes);
        lanes |= 1U << service.lane;
        if (service.shares) REQUIRE(shares);
        for (std::uint32_t bank = service.first_bank; bank < service.first_bank + service.banks; ++bank) {
            const auto [found, is_new] = word_of_bank.try_emplace({service.pass, bank}, service.word);
            REQUIRE(found->second == service.word);
            REQUIRE(is_new != service.shares);
        }
    }
    REQUIRE(lanes == access.mask);
    REQUIRE(plan.lanes.size() == static_cast<std::size_t>(std::popcount(access.mask)));
}

}  // namespace

TEST_CASE("plans and loads of banks agree with the count of wavefronts", "[property]") {
    Random random(17);
    for (int trial = 0; trial < 6000; ++trial) {
        const std::uint32_t width = 1U << random.below(5);
        const auto kind = static_cast<SharedAccessKind>(random.below(3));
        const BankGeometry geometry{.banks = 1U << random.below(7), .bank_bytes = 4U << random.below(3)};
        const AccessRecord access = random_access(random, width);
        CAPTURE(trial, width, static_cast<int>(kind), geometry.banks, geometry.bank_bytes, access.mask);
        const Wavefronts counted = shared_wavefronts(access, width, kind, geometry);
        const ServicePlan plan = service_plan(access, width, kind, geometry);
        REQUIRE(plan.passes == counted.actual);
        check_plan(plan, access, kind != SharedAccessKind::atomic);
        BankLoads loads;
        const Wavefronts loaded = bank_loads(access, width, kind, geometry, loads);
        REQUIRE(loaded.actual == counted.actual);
        REQUIRE(loaded.ideal == counted.ideal);
        std::map<std::uint32_t, std::uint32_t> words;
        for (const LaneService& service : plan.lanes)
            for (std::uint32_t bank = 0; bank < service.banks && !service.shares; ++bank)
                ++words[service.first_bank + bank];
        for (std::uint32_t bank = 0; bank < geometry.banks; ++bank) REQUIRE(loads.words[bank] == words[bank]);
    }
}

TEST_CASE("a stride of eight words: four banks of eight passes") {
    AccessRecord access;
    access.mask = ~0U;
    for (std::size_t lane = 0; lane < warp_size; ++lane) access.address[lane] = lane * 32;
    const ServicePlan plan = service_plan(access, 4, SharedAccessKind::load, test::banks);
    CHECK(plan.passes == 8);
    CHECK(plan.group_begins == std::vector<std::uint32_t>{0});
    CHECK(plan.lanes[5].first_bank == 8);
    CHECK(plan.lanes[5].pass == 1);
    BankLoads loads;
    (void)bank_loads(access, 4, SharedAccessKind::load, test::banks, loads);
    for (std::size_t bank = 0; bank < 32; ++bank) CHECK(loads.words[bank] == (bank % 8 == 0 ? 8 : 0));
}

TEST_CASE("128 bits a lane are served by quarter-warps, or two of them where neighbours read the same") {
    AccessRecord access;
    access.mask = ~0U;
    for (std::size_t lane = 0; lane < warp_size; ++lane) access.address[lane] = lane * 16;
    const ServicePlan apart = service_plan(access, 16, SharedAccessKind::load, test::banks);
    CHECK(apart.passes == 4);
    CHECK(apart.group_begins == std::vector<std::uint32_t>{0, 1, 2, 3});
    CHECK(apart.lanes[9].first_bank == 4);
    CHECK(apart.lanes[9].banks == 4);
    for (std::size_t lane = 0; lane < warp_size; ++lane) access.address[lane] = lane / 2 * 16;
    const ServicePlan together = service_plan(access, 16, SharedAccessKind::load, test::banks);
    CHECK(together.passes == 2);
    CHECK(together.lanes[1].shares);
}
