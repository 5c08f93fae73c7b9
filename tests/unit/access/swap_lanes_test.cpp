// Compare and swap in shared memory. Counts are an H200's: validate/records/h200/probes/shared_cas.csv.
#include <catch2/catch.hpp>

#include <algorithm>
#include <bit>

#include "sim/access/access_analysis.hpp"
#include "sim/access/shared_passes.hpp"
#include "sim/access/swap_lanes.hpp"
#include "tests/geometry.hpp"

using namespace sassafras;
using namespace sassafras::sim;

namespace {

/// Lane i goes to word i / lanes * stride.
AccessRecord access_of(unsigned lanes, unsigned stride, std::uint32_t width = 4, std::uint32_t mask = ~0U) {
    AccessRecord access{};
    access.mask = mask;
    for (unsigned lane = 0; lane < warp_size; ++lane)
        access.address[lane] = std::uint64_t{lane / lanes} * stride * width;
    return access;
}

/// How often a loop of ATOMS.CAST.SPIN goes round until all lanes have stored.
unsigned rounds(AccessRecord access, std::uint32_t width = 4) {
    unsigned count = 0;
    for (; access.mask != 0; ++count) access.mask &= ~acting_lanes(access, width, test::banks);
    return count;
}

}  // namespace

TEST_CASE("of lanes that go to one bank one acts") {
    const unsigned lanes = GENERATE(1U, 2U, 4U, 8U, 16U, 32U);
    CHECK(rounds(access_of(lanes, 1)) == lanes);
    CHECK(rounds(access_of(1, lanes)) == lanes);  // another word of the bank is as bad as the same
    CHECK(std::popcount(acting_lanes(access_of(lanes, 1), 4, test::banks)) == static_cast<int>(32 / lanes));
}

TEST_CASE("lanes that share words that share banks") {
    CHECK(rounds(access_of(4, 2)) == 4);
    CHECK(rounds(access_of(4, 8)) == 8);
    CHECK(rounds(access_of(4, 32)) == 32);
}

TEST_CASE("words of 64 bits are served by half-warps") {
    CHECK(rounds(access_of(1, 1, 8), 8) == 1);
    CHECK(rounds(access_of(4, 1, 8), 8) == 4);
}

TEST_CASE("inactive lanes take no bank") {
    CHECK(acting_lanes(access_of(32, 1, 4, 0xff00), 4, test::banks) == 0x100);
    CHECK(acting_lanes(access_of(32, 1, 4, 0), 4, test::banks) == 0);
}

TEST_CASE("a swap takes two wavefronts where an addition takes one") {
    const unsigned lanes = GENERATE(1U, 2U, 4U, 8U, 16U, 32U);
    CHECK(shared_wavefronts(access_of(lanes, 1), 4, SharedAccessKind::swap, test::banks).actual == 2 * lanes);
    CHECK(shared_wavefronts(access_of(1, lanes), 4, SharedAccessKind::swap, test::banks).actual == 2 * lanes);
}

TEST_CASE("a swap that only one lane of a bank tries takes two, whatever the lanes' words") {
    const unsigned lanes = GENERATE(1U, 4U, 32U);
    CHECK(shared_wavefronts(access_of(lanes, 1), 4, SharedAccessKind::try_swap, test::banks).actual == 2);
    CHECK(shared_wavefronts(access_of(1, lanes), 4, SharedAccessKind::try_swap, test::banks).actual == 2);
    CHECK(shared_wavefronts(access_of(lanes, 1, 8), 8, SharedAccessKind::try_swap, test::banks).actual == 4);
    CHECK(shared_wavefronts(access_of(1, 1, 8, 0xffff), 8, SharedAccessKind::try_swap, test::banks).actual == 2);
}

TEST_CASE("passes of what compares and swaps are half of its wavefronts") {
    for (const SharedAccessKind kind : {SharedAccessKind::swap, SharedAccessKind::try_swap})
        for (const unsigned lanes : {1U, 4U, 32U}) {
            const AccessRecord access = access_of(lanes, 3);
            const Wavefronts wavefronts = shared_wavefronts(access, 4, kind, test::banks);
            CHECK(2 * service_plan(access, 4, kind, test::banks).passes == wavefronts.actual);
            BankLoads loads;
            CHECK(bank_loads(access, 4, kind, test::banks, loads).actual == wavefronts.actual);
            CHECK(2 * std::uint32_t{*std::max_element(loads.words.begin(), loads.words.end())} == wavefronts.actual);
        }
}
