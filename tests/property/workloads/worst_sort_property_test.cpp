// Worst inputs of any shape and size, drawn: permutations that sort, and cost what is predicted.
#include <algorithm>
#include <bit>

#include <catch2/catch.hpp>

#include "core/random.hpp"
#include "workloads/adversary/merge_reads.hpp"
#include "workloads/adversary/sort_input.hpp"

using namespace sassafras;
using namespace sassafras::workloads::adversary;

namespace {

bool is_sorted_permutation(const std::vector<std::uint32_t>& keys) {
    for (std::size_t i = 0; i < keys.size(); ++i)
        if (keys[i] != i) return false;
    return true;
}

}  // namespace

TEST_CASE("worst keys of drawn shapes and sizes sort, and cost at least what is predicted, at most the bound") {
    Random random(20);
    for (int trial = 0; trial < 150; ++trial) {
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
            CHECK(reads.requests == predicted[i].requests);
            CHECK(reads.accesses >= predicted[i].accesses);
            CHECK(reads.accesses <= predicted[i].bound);
            if (trial % 2 == 0) CHECK(reads.accesses == predicted[i].accesses);
        }
    }
}

TEST_CASE("best keys of drawn shapes and sizes sort, and cost at most what is predicted; odd E: no conflict") {
    Random random(21);
    for (int trial = 0; trial < 100; ++trial) {
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
            CHECK(reads.requests == predicted[i].requests);
            CHECK(reads.requests == predicted[i].bound);
            CHECK(reads.accesses <= predicted[i].accesses);
            if (shape.E % 2 == 1 || (trial % 2 == 0 && counted[i].run >= shape.warp_elements()))
                CHECK(reads.accesses == reads.requests);
            if (trial % 2 == 0) CHECK(reads.accesses == predicted[i].accesses);
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
    for (int trial = 0; trial < 500; ++trial) {
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
