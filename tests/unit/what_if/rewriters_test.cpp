// Accesses that what-ifs rewrite cost what they promise, and no data is lost or shared that was apart.
#include <catch2/catch.hpp>

#include <bit>
#include <map>
#include <set>

#include "core/random.hpp"
#include "sim/what_if/what_if.hpp"
#include "tests/h200.hpp"

using namespace sassafras;
using namespace sassafras::sim;

namespace {

constexpr std::uint64_t base = 0x7f00'0000'0000;
constexpr std::uint32_t sector = 32;

std::unique_ptr<AccessRewriter> rewriter(std::string_view name, const Platform& platform) {
    const auto what_if = find_what_if(name);
    REQUIRE(what_if);
    return (*what_if)->make_rewriter(platform);
}

PayloadSite site_of(MemorySpace space, SharedAccessKind kind, std::uint32_t width) {
    return {.instruction = 0, .is_access = true, .space = space, .kind = kind, .width = width};
}

AccessRecord strided(std::uint64_t from, std::uint64_t stride, std::uint32_t mask = ~0U) {
    AccessRecord access;
    access.mask = mask;
    for (std::size_t lane = 0; lane < warp_size; ++lane) access.address[lane] = from + lane * stride;
    return access;
}

std::set<std::uint64_t> sectors_of(const AccessRecord& access) {
    std::set<std::uint64_t> sectors;
    for (std::size_t lane = 0; lane < warp_size; ++lane)
        if ((access.mask >> lane & 1U) != 0) sectors.insert(access.address[lane] / sector);
    return sectors;
}

}  // namespace

TEST_CASE("Without bank conflicts any access takes its ideal wavefronts") {
    Random random(15);
    for (const std::uint32_t banks : {4U, 16U, 32U, 64U}) {
        for (const std::uint32_t bank_bytes : {4U, 8U}) {
            Platform platform = test::h200();
            platform.sm.shared_banks = banks;
            platform.sm.shared_bank_bytes = bank_bytes;
            const BankGeometry geometry{banks, bank_bytes};
            const auto without = rewriter("no-bank-conflicts", platform);
            for (int trial = 0; trial < 2000; ++trial) {
                const auto kind = static_cast<SharedAccessKind>(random.below(3));
                const bool is_atomic = kind == SharedAccessKind::atomic;  // of 4 bytes or more, and few banks cannot
                if (is_atomic && banks < 32) continue;
                const std::uint32_t width = 1U << (is_atomic ? 2 + random.below(3) : random.below(5));
                AccessRecord access;
                access.mask = trial % 3 == 0 ? ~0U : random.next_u32();
                const std::uint64_t spread = std::uint64_t{1} << (4 + random.below(9));
                for (std::uint64_t& address : access.address) address = random.below(spread) / width * width;
                const Wavefronts before = shared_wavefronts(access, width, kind, geometry);
                const AccessRecord original = access;
                without->rewrite(site_of(MemorySpace::shared, kind, width), 0, access);
                CAPTURE(banks, bank_bytes, width, static_cast<int>(kind), access.mask);
                REQUIRE(std::popcount(access.mask) == std::popcount(original.mask));
                REQUIRE(shared_wavefronts(access, width, kind, geometry).actual == before.ideal);
                if (before.actual == before.ideal) REQUIRE(access.address == original.address);
            }
        }
    }
}

TEST_CASE("Coalesced, any access touches the sectors that its bytes need") {
    Random random(16);
    const auto coalesced = rewriter("perfect-coalescing", test::h200());
    for (int trial = 0; trial < 20000; ++trial) {
        const std::uint32_t width = 1U << random.below(5);
        AccessRecord access;
        access.mask = trial % 3 == 0 ? ~0U : random.next_u32();
        const std::uint64_t spread = std::uint64_t{1} << (6 + random.below(16));
        for (std::uint64_t& address : access.address) address = base + random.below(spread) / width * width;
        std::map<std::uint64_t, std::uint64_t> moved;
        const AccessRecord original = access;
        coalesced->rewrite(site_of(MemorySpace::global, SharedAccessKind::load, width), 0, access);
        REQUIRE(access.mask == original.mask);
        std::set<std::uint64_t> different;
        for (std::size_t lane = 0; lane < warp_size; ++lane) {
            if ((access.mask >> lane & 1U) == 0) continue;
            // Lanes meet at an address if they met before, and only then.
            const auto [known, is_new] = moved.emplace(original.address[lane], access.address[lane]);
            REQUIRE(known->second == access.address[lane]);
            REQUIRE(different.insert(access.address[lane]).second == is_new);
            REQUIRE(access.address[lane] % width == 0);
        }
        CAPTURE(trial, width, different.size());
        REQUIRE(sectors_of(access).size() == (different.size() * width + sector - 1) / sector);
    }
}

TEST_CASE("Accesses in order stay where they are") {
    const auto coalesced = rewriter("perfect-coalescing", test::h200());
    for (const std::uint32_t width : {1U, 4U, 16U}) {
        for (std::uint64_t warp = 0; warp < 100; ++warp) {
            AccessRecord access = strided(base + warp * 32 * width, width);
            const AccessRecord original = access;
            coalesced->rewrite(site_of(MemorySpace::global, SharedAccessKind::load, width), 0, access);
            REQUIRE(access.address == original.address);
        }
    }
}

TEST_CASE("An array of structures becomes a structure of arrays") {
    const auto coalesced = rewriter("perfect-coalescing", test::h200());
    constexpr std::uint64_t structure_bytes = 32;
    // Three of eight fields of 64 warps' structures: 12 sectors a warp, no two the same, and the second time they are
    // the same again.
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::set<std::uint64_t>> first;
    std::set<std::uint64_t> all;
    for (int time = 0; time < 2; ++time) {
        for (std::uint64_t warp = 0; warp < 64; ++warp) {
            for (std::uint64_t field = 0; field < 3; ++field) {
                AccessRecord access = strided(base + warp * 32 * structure_bytes + field * 4, structure_bytes);
                coalesced->rewrite(site_of(MemorySpace::global, SharedAccessKind::load, 4), 0, access);
                const auto sectors = sectors_of(access);
                REQUIRE(sectors.size() == 4);
                all.insert(sectors.begin(), sectors.end());
                REQUIRE(first.try_emplace({warp, field}, sectors).first->second == sectors);
            }
        }
    }
    REQUIRE(all.size() == 64 * 3 * 4);
}

TEST_CASE("Single words share sectors where they move") {
    const auto coalesced = rewriter("perfect-coalescing", test::h200());
    std::set<std::uint64_t> all;
    // A pair of words 4 KiB apart a time: two sectors where they were.
    for (std::uint64_t pair = 0; pair < 64; ++pair) {
        AccessRecord access = strided(base + pair * 8192, 4096, 0b11);
        coalesced->rewrite(site_of(MemorySpace::global, SharedAccessKind::store, 4), 0, access);
        const auto sectors = sectors_of(access);
        REQUIRE(sectors.size() == 1);
        all.insert(sectors.begin(), sectors.end());
    }
    REQUIRE(all.size() == 64 * 8 / sector);
}

TEST_CASE("Only lanes that reach global memory move") {
    const auto coalesced = rewriter("perfect-coalescing", test::h200());
    AccessRecord access = strided(base, 256);
    for (std::size_t lane = 0; lane < 8; ++lane) access.address[lane] = 0x7e00'0000'0000 + lane * 128;  // shared window
    const AccessRecord original = access;
    coalesced->rewrite(site_of(MemorySpace::generic, SharedAccessKind::load, 4), 0, access);
    for (std::size_t lane = 0; lane < warp_size; ++lane)
        REQUIRE((access.address[lane] == original.address[lane]) == (lane < 8));
}

TEST_CASE("What-ifs have names of their own, and others are refused") {
    std::set<std::string_view> names;
    for (const WhatIf& what_if : what_ifs()) {
        REQUIRE(names.insert(what_if.name).second);
        REQUIRE_FALSE(what_if.removes.empty());
        const auto found = find_what_if(what_if.name);
        REQUIRE(found);
        REQUIRE(*found == &what_if);
    }
    const auto none = find_what_if("no-conflict");
    REQUIRE_FALSE(none);
    REQUIRE(none.error().message().find("no-bank-conflicts") != std::string::npos);
}
