// The merge by co-ranks on the CPU, and the shapes of the GPU's.
#include <algorithm>

#include <catch2/catch.hpp>

#include "core/random.hpp"
#include "workloads/merge/co_rank.hpp"
#include "workloads/merge/merge.hpp"

using namespace sassafras;
using namespace sassafras::workloads::merge;

TEST_CASE("co-ranks and merges of parts agree with the reference, ties too") {
    Random random(5);
    for (int draw = 0; draw < 200; ++draw) {
        const std::uint64_t values = draw % 3 == 0 ? 4 : 1000;
        Keys a(random.below(60));
        Keys b(random.below(60));
        for (std::uint32_t& key : a) key = static_cast<std::uint32_t>(random.below(values));
        for (std::uint32_t& key : b) key = static_cast<std::uint32_t>(random.below(values));
        std::sort(a.begin(), a.end());
        std::sort(b.begin(), b.end());
        const Keys expected = reference(a, b);
        for (std::size_t i = 0; i <= expected.size(); ++i) {
            // By definition: the first i outputs take from a before b on ties.
            std::size_t from_a = 0;
            std::size_t from_b = 0;
            while (from_a + from_b < i)
                from_b == b.size() || (from_a < a.size() && a[from_a] <= b[from_b]) ? ++from_a : ++from_b;
            REQUIRE(co_rank(i, a, b) == from_a);
        }
        Keys merged(expected.size());
        merge_sequentially(a, b, merged);
        CHECK(merged == expected);
        for (const std::size_t parts : {1U, 2U, 7U, 200U}) {
            std::fill(merged.begin(), merged.end(), 0xcdcdcdcdU);
            for (std::size_t part = 0; part < parts; ++part) merge_part(a, b, merged, part, parts);
            CHECK(merged == expected);
        }
    }
}

TEST_CASE("what shared memory has room for") {
    const CoRankVariant* single = find_co_rank_variant("single-buffer");
    const CoRankVariant* half = find_co_rank_variant("double-buffer-half");
    REQUIRE((single != nullptr && half != nullptr));
    CHECK(find_co_rank_variant("no-buffer") == nullptr);
    CHECK(co_rank_variants().size() == 24);
    CHECK(outputs_of_iteration(*single, 4 + 12 * 1280, 128) == 1280);
    CHECK(outputs_of_iteration(*single, 12 * 1280, 128) == 1152);    // whole multiples of the threads
    CHECK(outputs_of_iteration(*single, 4 + 12 * 100, 128) == 100);  // but not if that is none
    CHECK(outputs_of_iteration(*single, 12, 128) == 0);
    CHECK(outputs_of_iteration(*half, 4 * 128 + 20 * 256, 128) == 256);
    CHECK(outputs_of_iteration(*half, 4 * 127, 128) == 0);
    // The thesis' hold no outputs.
    const CoRankVariant* printed = find_co_rank_variant("lv-single-buffer");
    REQUIRE(printed != nullptr);
    CHECK(outputs_of_iteration(*printed, 4 + 8 * 1280, 128) == 1280);
    CHECK(outputs_of_iteration(*find_co_rank_variant("lv-double-buffer"), 4 + 16 * 1280, 128) == 1280);
}
