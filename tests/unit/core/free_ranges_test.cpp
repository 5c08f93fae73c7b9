#include "core/free_ranges.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "core/random.hpp"

namespace sassafras {
namespace {

TEST_CASE("Ranges are taken first fit, with room for a header before an aligned place") {
    FreeRanges ranges;
    CHECK_FALSE(ranges.take(1));
    ranges.add(100, 50);
    ranges.add(1000, 500);
    CHECK(ranges.take(60) == 1000);
    CHECK(ranges.take(20, 16, 64) == 128);  // 112 to 148: 100 to 112 and 148 to 150 stay
    CHECK(ranges.total() == 12 + 2 + 440);
    CHECK(ranges.take(12) == 100);
    CHECK(ranges.take(2) == 148);
}

TEST_CASE("Ranges that touch join, and an end can be taken back") {
    FreeRanges ranges;
    ranges.add(0, 10);
    ranges.add(20, 10);
    CHECK_FALSE(ranges.take(30));
    ranges.add(10, 10);
    CHECK_FALSE(ranges.take_ending_at(20));
    CHECK(ranges.take_ending_at(30) == 0);
    CHECK(ranges.total() == 0);
}

TEST_CASE("What is taken never overlaps, and all comes back as one range") {
    Random random(11);
    FreeRanges ranges;
    ranges.add(0, 1000);
    std::vector<bool> used(1000, false);
    struct Piece {
        std::uint64_t begin, size;
    };
    std::vector<Piece> pieces;
    for (int step = 0; step < 5000; ++step) {
        if (pieces.empty() || random.below(2) == 0) {
            const std::uint64_t size = 1 + random.below(60);
            const auto place = ranges.take(size, 0, std::uint64_t{1} << random.below(5));
            if (!place) continue;
            for (std::uint64_t i = *place; i < *place + size; ++i) {
                REQUIRE_FALSE(used.at(i));
                used[i] = true;
            }
            pieces.push_back({*place, size});
        } else {
            const std::size_t which = random.below(pieces.size());
            const Piece piece = pieces[which];
            pieces[which] = pieces.back();
            pieces.pop_back();
            for (std::uint64_t i = piece.begin; i < piece.begin + piece.size; ++i) used[i] = false;
            ranges.add(piece.begin, piece.size);
        }
    }
    for (const Piece& piece : pieces) ranges.add(piece.begin, piece.size);
    CHECK(ranges.take(1000) == 0);
}

}  // namespace
}  // namespace sassafras
