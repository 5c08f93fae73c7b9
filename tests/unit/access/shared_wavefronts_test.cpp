// Laws of bank conflicts on geometries that no recorded pattern covers; the recorded ones are in tests/golden/access.
#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "core/random.hpp"
#include "sim/access/access_analysis.hpp"
#include "tests/geometry.hpp"

using namespace sassafras;
using namespace sassafras::sim;

namespace {

constexpr std::uint32_t full_mask = 0xffffffffU;

AccessRecord strided(std::int64_t stride, bool affine) {
    AccessRecord access;
    access.mask = full_mask;
    access.affine = affine;
    access.stride = stride;
    for (std::size_t lane = 0; lane < warp_size; ++lane)
        access.address[lane] = 8192 + lane * static_cast<std::uint64_t>(stride);
    return access;
}

std::uint32_t wavefronts(const AccessRecord& access, SharedAccessKind kind, BankGeometry geometry = test::banks) {
    return shared_wavefronts(access, 4, kind, geometry).actual;
}

/// A wavefront takes one word of each bank: as many as the bank with most different words has.
std::uint32_t naive(const AccessRecord& access, BankGeometry geometry) {
    std::map<std::uint64_t, std::set<std::uint64_t>> words;
    for (std::size_t lane = 0; lane < warp_size; ++lane) {
        if ((access.mask >> lane & 1U) == 0) continue;
        const std::uint64_t word = access.address[lane] / geometry.bank_bytes;
        words[word % geometry.banks].insert(word);
    }
    std::size_t most = 0;
    for (const auto& [bank, distinct] : words) most = std::max(most, distinct.size());
    return static_cast<std::uint32_t>(most);
}

}  // namespace

TEST_CASE("a stride of s words conflicts gcd(s, 32) times") {
    for (std::int64_t words = 1; words <= 70; ++words) {
        CAPTURE(words);
        const auto expected = static_cast<std::uint32_t>(std::gcd(words, std::int64_t{32}));
        CHECK(wavefronts(strided(words * 4, false), SharedAccessKind::load) == expected);
        CHECK(wavefronts(strided(words * 4, true), SharedAccessKind::load) == expected);
        CHECK(wavefronts(strided(-words * 4, true), SharedAccessKind::store) == expected);
    }
}

TEST_CASE("neighbouring lanes take one wavefront for all the bytes that the banks have together") {
    // docs/conflicts.md, "Other memories": a warp's 128 bytes, and what a wavefront of the memory serves.
    for (const std::uint32_t banks : {1U, 2U, 4U, 8U, 16U, 32U, 64U})
        for (const std::uint32_t bytes : {4U, 8U, 16U}) {
            CAPTURE(banks, bytes);
            const std::uint32_t all = banks * bytes;
            for (const SharedAccessKind kind : {SharedAccessKind::load, SharedAccessKind::store})
                CHECK(wavefronts(strided(4, false), kind, {.banks = banks, .bank_bytes = bytes}) ==
                      (all >= 128 ? 1 : 128 / all));
        }
}

TEST_CASE("half the banks take twice the wavefronts of a conflict-free access, wider banks none") {
    CHECK(wavefronts(strided(4, false), SharedAccessKind::load, {.banks = 32, .bank_bytes = 4}) == 1);
    CHECK(wavefronts(strided(4, true), SharedAccessKind::load, {.banks = 64, .bank_bytes = 4}) == 1);
    CHECK(wavefronts(strided(4, false), SharedAccessKind::load, {.banks = 16, .bank_bytes = 4}) == 2);
    CHECK(wavefronts(strided(8, false), SharedAccessKind::load, {.banks = 32, .bank_bytes = 4}) == 2);
    CHECK(wavefronts(strided(8, false), SharedAccessKind::load, {.banks = 32, .bank_bytes = 8}) == 1);
}

TEST_CASE("lanes that read one word share it; atomics on it do not") {
    CHECK(wavefronts(strided(0, true), SharedAccessKind::load) == 1);
    CHECK(wavefronts(strided(0, false), SharedAccessKind::store) == 1);
    CHECK(wavefronts(strided(0, false), SharedAccessKind::atomic) == 32);
    CHECK(wavefronts(strided(0, true), SharedAccessKind::atomic) == 32);
}

TEST_CASE("no active lane costs nothing") {
    AccessRecord access = strided(4, false);
    access.mask = 0;
    const Wavefronts none = shared_wavefronts(access, 4, SharedAccessKind::load, test::banks);
    CHECK(none.actual == 0);
    CHECK(none.ideal == 0);
}

TEST_CASE("32-bit accesses: the closed form, the general form and a naive count agree", "[property]") {
    Random random(11);
    for (int trial = 0; trial < 2000; ++trial) {
        const BankGeometry geometry{.banks = 32U << random.below(2), .bank_bytes = 4};
        AccessRecord access = strided(static_cast<std::int64_t>(random.below(200)) * 4 - 400, true);
        CAPTURE(trial, geometry.banks, access.stride);
        REQUIRE(wavefronts(access, SharedAccessKind::load, geometry) == naive(access, geometry));
        access.affine = false;
        access.mask = random.next_u32();
        const std::uint64_t spread = std::uint64_t{1} << (1 + random.below(12));
        for (std::uint64_t& address : access.address) address = random.below(spread) * 4;
        REQUIRE(wavefronts(access, SharedAccessKind::load, geometry) == naive(access, geometry));
        REQUIRE(wavefronts(access, SharedAccessKind::store, geometry) == naive(access, geometry));
    }
}
