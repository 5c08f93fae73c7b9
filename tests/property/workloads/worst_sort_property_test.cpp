// Worst inputs of any shape and size, drawn: permutations that sort, and cost what is predicted.
#include <algorithm>
#include <bit>

#include <catch2/catch.hpp>

#include "core/random.hpp"
#include "study/adversary/merge_reads.hpp"
#include "study/adversary/sort_input.hpp"
#include "tests/sanitized.hpp"

using namespace sassafras;
using namespace sassafras::study::adversary;

namespace {

bool is_sorted_permutation(const std::vector<std::uint32_t>& keys) {
    for (std::size_t i = 0; i < keys.size(); ++i)
        if (keys[i] != i) return false;
    return true;
}

}  // namespace

TEST_CASE("worst keys of drawn shapes and sizes sort, and cost at least what is predicted, at most the bound") {
    Random random(20);
    for (int trial = 0; trial < test::draws(50); ++trial) {
        SortShape shape;
        shape.w = 4U << random.below(4);
        shape.b = shape.w << random.below(3);
        shape.E = 1 + static_cast<std::uint32_t>(random.below(trial % 10 == 0 ? 40 : 20));
        // Every second one of the form that the construction fills.
        const std::uint64_t n =
            trial % 2 == 0 ? shape.block_elements() << random.below(4) : random.below(6 * shape.block_elements());
        CAPTURE(trial, shape.w, shape.b, shape.E, n);
        const auto worst = SortInput::make(shape, n, Goal::worst);
        REQUIRE(worst.ok());
        std::vector<std::uint32_t> keys = worst->keys();
        std::vector<std::uint32_t> sorted = keys;
        std::sort(sorted.begin(), sorted.end());
        CHECK(is_sorted_permutation(sorted));
        const std::vector<RoundReads> counted = count_merge_reads(keys, shape);
        CHECK(is_sorted_permutation(keys));
        if (n == 0) continue;
        const std::vector<RoundPrediction> predicted = worst->rounds();
        REQUIRE(counted.size() == predicted.size());
        for (std::size_t i = 0; i < counted.size(); ++i) {
            const SerialisedReads reads = counted[i].reads.all_steps();
            CAPTURE(i, counted[i].run);
            CHECK(counted[i].run == predicted[i].run);
            CHECK(reads.requests == predicted[i].steps.requests);
            CHECK(reads.accesses >= predicted[i].steps.accesses);
            CHECK(reads.accesses <= predicted[i].steps.bound);
            if (trial % 2 == 0) CHECK(reads.accesses == predicted[i].steps.accesses);
        }
    }
}

TEST_CASE("best keys of drawn shapes and sizes sort, and cost at most what is predicted; odd E: no conflict") {
    Random random(21);
    for (int trial = 0; trial < test::draws(50); ++trial) {
        SortShape shape;
        shape.w = 4U << random.below(4);
        shape.b = shape.w << random.below(3);
        shape.E = 1 + static_cast<std::uint32_t>(random.below(20));
        const std::uint64_t n =
            trial % 2 == 0 ? shape.block_elements() << random.below(4) : 1 + random.below(6 * shape.block_elements());
        CAPTURE(trial, shape.w, shape.b, shape.E, n);
        const auto best = SortInput::make(shape, n, Goal::best);
        REQUIRE(best.ok());
        std::vector<std::uint32_t> keys = best->keys();
        const std::vector<RoundReads> counted = count_merge_reads(keys, shape);
        CHECK(is_sorted_permutation(keys));
        const std::vector<RoundPrediction> predicted = best->rounds();
        REQUIRE(counted.size() == predicted.size());
        for (std::size_t i = 0; i < counted.size(); ++i) {
            const SerialisedReads reads = counted[i].reads.all_steps();
            CAPTURE(i, counted[i].run);
            CHECK(reads.requests == predicted[i].steps.requests);
            CHECK(reads.requests == predicted[i].steps.bound);
            CHECK(reads.accesses <= predicted[i].steps.accesses);
            if (shape.E % 2 == 1 || (trial % 2 == 0 && counted[i].run >= shape.warp_elements()))
                CHECK(reads.accesses == reads.requests);
            if (trial % 2 == 0) CHECK(reads.accesses == predicted[i].steps.accesses);
        }
    }
}

namespace {

/// Of heads and successors, which machine code reads.
std::uint64_t accesses_of(std::vector<std::uint32_t> keys, const SortShape& shape) {
    std::uint64_t accesses = 0;
    for (const RoundReads& round : count_merge_reads(keys, shape)) {
        accesses += round.reads.heads.accesses;
        for (std::size_t step = 0; step + 1 < shape.E; ++step) accesses += round.reads.steps[step].accesses;
    }
    return accesses;
}

}  // namespace

TEST_CASE("best keys for even E cost no more than random ones, whatever their number") {
    Random random(22);
    std::size_t index = 0;
    for (const std::uint32_t E : {8U, 16U, 24U, 32U})
        for (std::uint64_t n : {31U, 1000U, 2047U, 4095U, 0U}) {
            if (!test::is_tried(index++)) continue;
            const SortShape shape{E, 128, 32};
            if (n == 0) n = 1 + random.below(4 * shape.block_elements());
            CAPTURE(E, n);
            const auto best = SortInput::make(shape, n, Goal::best);
            REQUIRE(best.ok());
            std::vector<std::uint32_t> keys = best->keys();
            const std::uint64_t least = accesses_of(keys, shape);
            std::uint64_t of_random = 0;
            constexpr int draws = 3;
            for (int draw = 0; draw < draws; ++draw) {
                for (std::size_t i = n; i > 1; --i) std::swap(keys[i - 1], keys[random.below(i)]);
                of_random += accesses_of(keys, shape);
            }
            CHECK(draws * least <= of_random);
        }
}

TEST_CASE("heads and successors cost what is predicted: exactly for whole tiles, else within the prediction") {
    Random random(23);
    for (int trial = 0; trial < test::draws(30, 10); ++trial) {
        const std::uint32_t w = 4U << random.below(4);
        const SortShape shape{1 + static_cast<std::uint32_t>(random.below(20)), w << random.below(3), w};
        const bool whole = trial % 2 == 0;
        const std::uint64_t n =
            whole ? shape.block_elements() << random.below(4) : 1 + random.below(6 * shape.block_elements());
        for (const Goal goal : {Goal::worst, Goal::best}) {
            CAPTURE(trial, shape.w, shape.b, shape.E, n, goal == Goal::worst);
            const auto input = SortInput::make(shape, n, goal);
            REQUIRE(input.ok());
            std::vector<std::uint32_t> keys = input->keys();
            const std::vector<RoundReads> counted = count_merge_reads(keys, shape);
            const std::vector<RoundPrediction> predicted = input->rounds();
            REQUIRE(counted.size() == predicted.size());
            for (std::size_t i = 0; i < counted.size(); ++i) {
                SerialisedReads successors;
                for (std::size_t step = 0; step + 1 < shape.E; ++step) successors.add(counted[i].reads.steps[step]);
                for (const auto& [reads, cost] :
                     {std::pair{counted[i].reads.heads, predicted[i].heads}, {successors, predicted[i].successors}}) {
                    CAPTURE(counted[i].run);
                    CHECK(reads.requests == cost.requests);
                    if (whole) CHECK(reads.accesses == cost.accesses);
                    CHECK((goal == Goal::worst ? reads.accesses >= cost.accesses && reads.accesses <= cost.bound
                                               : reads.accesses <= cost.accesses && reads.accesses >= cost.bound));
                }
            }
        }
    }
}

TEST_CASE("worst keys do not depend on the pieces in which they are asked for") {
    const auto worst = SortInput::make({15, 128, 32}, 100000, Goal::worst);
    REQUIRE(worst.ok());
    const std::vector<std::uint32_t> whole = worst->keys();
    std::vector<std::uint32_t> pieces(whole.size());
    for (std::size_t begin = 0; begin < pieces.size(); begin += 7 * 480)
        worst->keys(begin, std::span(pieces).subspan(begin, std::min<std::size_t>(7 * 480, pieces.size() - begin)));
    CHECK(pieces == whole);
}

TEST_CASE("worst keys cost more than any of many random ones") {
    Random random(3);
    const SortShape shape{5, 16, 8};
    const auto worst = SortInput::make(shape, 2 * shape.block_elements(), Goal::worst);
    REQUIRE(worst.ok());
    const auto total = [&](std::vector<std::uint32_t> keys) {
        std::uint64_t accesses = 0;
        for (const RoundReads& round : count_merge_reads(keys, shape)) accesses += round.reads.all_steps().accesses;
        return accesses;
    };
    const std::uint64_t greatest = total(worst->keys());
    std::vector<std::uint32_t> keys = worst->keys();
    for (int trial = 0; trial < test::draws(500); ++trial) {
        for (std::size_t i = keys.size(); i > 1; --i) std::swap(keys[i - 1], keys[random.below(i)]);
        REQUIRE(total(keys) < greatest);
    }
}

TEST_CASE("shapes that cannot be are refused") {
    for (const SortShape& shape :
         {SortShape{0, 128, 32}, {257, 128, 32}, {15, 100, 32}, {15, 16, 32}, {15, 128, 24}, {15, 128, 64}})
        CHECK_FALSE(SortInput::make(shape, 1000, Goal::worst).ok());
    CHECK_FALSE(SortInput::make({15, 128, 32}, (std::uint64_t{1} << 32U) + 1, Goal::worst).ok());
}
