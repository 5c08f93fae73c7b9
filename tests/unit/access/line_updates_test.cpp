// Requests and sectors of atomics, by hand, as an H200 counts them, and against sets of byte addresses.
#include "sim/access/line_updates.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <set>

#include "core/random.hpp"
#include "tests/geometry.hpp"

using namespace sassafras;
using namespace sassafras::sim;

namespace {

struct Updates {
    GlobalAccess lines;
    std::array<LineUpdates, 64> of{};
};

template <class Function>
Updates updates_of(std::uint32_t mask, std::uint32_t width, Function&& address_of) {
    AccessRecord access;
    access.mask = mask;
    for (std::uint64_t lane = 0; lane < warp_size; ++lane)
        access.address[lane] = static_cast<std::uint64_t>(address_of(lane));
    Updates result;
    global_lines(access, width, test::lines, result.lines);
    line_updates(access, width, 1, test::lines, result.lines, result.of);
    return result;
}

/// requests, whole and partial sectors of all lines together
std::array<std::uint32_t, 3> sums(const Updates& updates) {
    std::array<std::uint32_t, 3> result{};
    for (std::uint32_t i = 0; i < updates.lines.line_count; ++i) {
        result[0] += updates.of[i].requests;
        result[1] += updates.of[i].whole_sectors;
        result[2] += updates.of[i].partial_sectors;
    }
    return result;
}

using Sums = std::array<std::uint32_t, 3>;

}  // namespace

// The counts are lts__t_requests_srcunit_tex and two thirds of lts__t_sectors_op_red, a warp instruction, of
// validate/records/h200/probes/reductions.csv.
TEST_CASE("lanes of one word are requests of their own, as on an H200") {
    const std::uint32_t all = ~0U;
    CHECK(sums(updates_of(all, 4, [](auto lane) { return lane * 4; })) == Sums{1, 4, 0});      // fullest,1
    CHECK(sums(updates_of(all, 4, [](auto lane) { return lane / 2 * 4; })) == Sums{2, 4, 0});  // fullest,2
    CHECK(sums(updates_of(all, 4, [](auto lane) { return lane / 4 * 4; })) == Sums{4, 4, 0});  // fullest,4
    CHECK(sums(updates_of(all, 4, [](auto lane) { return lane / 8 * 4; })) == Sums{8, 0, 8});  // fullest,8
    CHECK(sums(updates_of(all, 4, [](auto) { return 64; })) == Sums{32, 0, 32});               // random,1
    CHECK(sums(updates_of(all, 4, [](auto lane) { return lane * 128; })) == Sums{32, 0, 32});
    CHECK(sums(updates_of(all, 8, [](auto lane) { return lane * 8; })) == Sums{2, 8, 0});
    CHECK(sums(updates_of(1, 4, [](auto) { return 8; })) == Sums{1, 0, 1});
    CHECK(sums(updates_of(0, 4, [](auto) { return 8; })) == Sums{});
}

TEST_CASE("lines have requests of their own") {
    // Lanes 0 to 15 one word of the first line, the others a word each of the second.
    const Updates updates = updates_of(~0U, 4, [](auto lane) { return lane < 16 ? 0 : 128 + lane % 16 * 4; });
    REQUIRE(updates.lines.line_count == 2);
    CHECK(updates.of[0].requests == 16);
    CHECK(updates.of[0].partial_sectors == 16);
    CHECK(updates.of[1].requests == 1);
    CHECK(updates.of[1].whole_sectors == 2);
    CHECK(updates.of[1].masks() == 1);
}

TEST_CASE("any atomics' requests and sectors are those of their lanes taken one by one") {
    const auto seed = static_cast<std::uint64_t>(GENERATE(range(0, 50)));
    CAPTURE(seed);
    Random random(seed);
    const std::uint32_t width = random.below(2) == 0 ? 4 : 8;
    const std::uint64_t words = 1 + random.below(80);
    const auto mask = static_cast<std::uint32_t>(random.below(std::uint64_t{1} << 32U));
    std::array<std::uint64_t, warp_size> address{};
    for (std::uint64_t& each : address) each = random.below(words) * width;
    const Updates updates = updates_of(mask, width, [&](auto lane) { return address[lane]; });

    std::map<std::uint64_t, std::uint32_t> seen;
    std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint32_t> bytes;  // sector, request
    std::set<std::pair<std::uint64_t, std::uint32_t>> requests;              // line, request
    for (std::size_t lane = 0; lane < warp_size; ++lane) {
        if ((mask >> lane & 1U) == 0) continue;
        const std::uint32_t request = seen[address[lane]]++;
        requests.insert({address[lane] / 128, request});
        bytes[{address[lane] / 32, request}] += width;
    }
    Sums expected{static_cast<std::uint32_t>(requests.size()), 0, 0};
    for (const auto& [key, count] : bytes) ++expected[count == 32 ? 1 : 2];
    CHECK(sums(updates) == expected);
}
