// What is taken over from the access before is what counting would give.
#include <catch2/catch.hpp>

#include "core/random.hpp"
#include "sim/access/access_memo.hpp"

using namespace sassafras;
using namespace sassafras::sim;

TEST_CASE("wavefronts known from the access before are those of a fresh count") {
    constexpr BankGeometry banks{.banks = 32, .bank_bytes = 4};
    Random random(7);
    for (const std::uint32_t width : {4U, 8U, 16U}) {
        for (const SharedAccessKind kind :
             {SharedAccessKind::load, SharedAccessKind::store, SharedAccessKind::atomic}) {
            KnownWavefronts known(banks);
            AccessRecord access;
            for (int i = 0; i < 400; ++i) {
                if (i % 5 == 0) {  // another pattern; then it moves: by rows of banks, by words, or loses lanes
                    access.mask = i % 10 == 0 ? 0xffffffffU : static_cast<std::uint32_t>(random.next_u64()) | 1U;
                    for (auto& address : access.address) address = 4096 + width * random.below(64);
                } else {
                    const std::uint64_t moved = i % 5 == 4 ? width : 128 * random.below(9);
                    for (auto& address : access.address) address += moved;
                    if (i % 5 == 3) access.mask &= ~(1U << random.below(32)) | 1U;
                }
                const Wavefronts fresh = shared_wavefronts(access, width, kind, banks);
                const Wavefronts taken = known.of(access, width, kind);
                REQUIRE(taken.actual == fresh.actual);
                REQUIRE(taken.ideal == fresh.ideal);
                BankLoads loads;
                REQUIRE(bank_loads(access, width, kind, banks, loads).actual == fresh.actual);
            }
        }
    }
}

TEST_CASE("a buffered access is like one that has moved by whole periods only") {
    WarpTrace trace;
    std::array<std::uint64_t, warp_size> address{};
    const auto words_at = [&](std::uint64_t base, std::uint32_t mask) {
        for (std::size_t lane = 0; lane < warp_size; ++lane) address[lane] = base + 4 * (lane * lane % 13);
        trace.push_access(mask, address.data());
        return trace.pop_access_words();
    };
    KnownAccess known;
    known.keep(words_at(1024, 0xffffffffU));
    CHECK(known.is_like(words_at(1024, 0xffffffffU), 128));
    CHECK(known.is_like(words_at(1024 + 128 * 7, 0xffffffffU), 128));
    CHECK_FALSE(known.is_like(words_at(1024 + 64, 0xffffffffU), 128));
    CHECK_FALSE(known.is_like(words_at(1024, 0xfffffffeU), 128));
}
