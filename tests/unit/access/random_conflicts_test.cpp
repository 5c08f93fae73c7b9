// Expected conflicts of random accesses: against published numbers, enumeration and throws of balls.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/random.hpp"
#include "sim/access/access_analysis.hpp"
#include "sim/access/random_conflicts.hpp"
#include "tests/geometry.hpp"

using namespace sassafras;
using namespace sassafras::sim;

namespace {

/// Mean over all ways in which `balls` lanes can choose among bins * words cells.
double enumerated(std::uint32_t balls, std::uint32_t bins, std::uint32_t words) {
    const std::uint32_t cells = bins * words;
    std::vector<std::uint32_t> chosen(balls);
    double sum = 0;
    double ways = 0;
    while (true) {
        std::vector<std::uint32_t> different(chosen);
        std::sort(different.begin(), different.end());
        different.erase(std::unique(different.begin(), different.end()), different.end());
        std::vector<std::uint32_t> load(bins);
        for (const std::uint32_t cell : different) ++load[cell % bins];
        sum += *std::max_element(load.begin(), load.end());
        ways += 1;
        std::size_t digit = 0;
        while (digit < balls && ++chosen[digit] == cells) chosen[digit++] = 0;
        if (digit == balls) return sum / ways;
    }
}

}  // namespace

TEST_CASE("32 lanes in 32 banks: 3.5329, as K. Nakano's RAP has it to two digits (3.53)") {
    CHECK(expected_wavefronts(32, 32) == Approx(3.5329).margin(0.00005));
    CHECK(expected_wavefronts(16, 32) == Approx(2.3924).margin(0.00005));  // by its own generating function
    CHECK(expected_wavefronts(0, 32) == 0);
    CHECK(expected_wavefronts(1, 32) == Approx(1));
    CHECK(expected_wavefronts(7, 1) == Approx(7));
    CHECK(expected_wavefronts(2, 32) == Approx(1 + 1.0 / 32));
}

TEST_CASE("small cases agree with enumeration, with words to share and without") {
    for (std::uint32_t bins : {1U, 2U, 3U, 4U})
        for (std::uint32_t words : {1U, 2U, 3U})
            for (std::uint32_t balls = 1; balls <= 5; ++balls) {
                CAPTURE(bins, words, balls);
                CHECK(expected_wavefronts(balls, bins, words) == Approx(enumerated(balls, bins, words)));
            }
    CHECK(expected_wavefronts(3, 2, 1'000'000'000) == Approx(expected_wavefronts(3, 2)).epsilon(1e-6));
    CHECK(expected_wavefronts(32, 32, 1) == Approx(1));
}

TEST_CASE("chances of each number of wavefronts: by counting, and their mean is the expectation") {
    const auto two = wavefront_chances(2, 2);  // of 4 throws, 2 hit both bins
    CHECK(two[1] == Approx(0.5));
    CHECK(two[2] == Approx(0.5));
    const auto three = wavefront_chances(3, 2);  // of 8 throws, 2 hit one bin alone, none hits 3 bins
    CHECK(three[1] == Approx(0).margin(1e-12));
    CHECK(three[2] == Approx(0.75));
    CHECK(three[3] == Approx(0.25));
    double permutations = 1;  // 32! / 32^32: all banks different
    for (int i = 1; i <= 32; ++i) permutations *= i / 32.0;
    CHECK(wavefront_chances(32, 32)[1] == Approx(permutations));
    CHECK(wavefront_chances(0, 32)[0] == 1);
    for (std::uint32_t balls : {1U, 5U, 16U, 32U})
        for (std::uint32_t bins : {1U, 8U, 32U}) {
            const auto chances = wavefront_chances(balls, bins);
            double sum = 0;
            double mean = 0;
            for (std::size_t k = 0; k < chances.size(); ++k) {
                sum += chances[k];
                mean += static_cast<double>(k) * chances[k];
            }
            CAPTURE(balls, bins);
            CHECK(sum == Approx(1));
            CHECK(mean == Approx(expected_wavefronts(balls, bins)));
        }
}

TEST_CASE("random requests cost what is expected, within four standard errors", "[property]") {
    Random random(3);
    for (const std::uint64_t words_a_bank : {std::uint64_t{2}, std::uint64_t{60}, std::uint64_t{1} << 20U}) {
        constexpr int throws = 20000;
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < throws; ++i) {
            AccessRecord access;
            access.mask = ~0U;
            for (auto& address : access.address) address = 4 * random.below(32 * words_a_bank);
            const double cost = shared_wavefronts(access, 4, SharedAccessKind::load, test::banks).actual;
            sum += cost;
            squares += cost * cost;
        }
        const double mean = sum / throws;
        const double error = std::sqrt((squares / throws - mean * mean) / throws);
        CAPTURE(words_a_bank, mean, error);
        CHECK(std::abs(mean - expected_wavefronts(32, 32, words_a_bank)) < 4 * error);
    }
}
