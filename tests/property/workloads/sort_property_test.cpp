// Sorts of sizes, parameters and inputs drawn by seed.
#include <catch2/catch.hpp>

#include "core/random.hpp"
#include "tests/contract/workloads/sort_runs.hpp"
#include "tests/sanitized.hpp"
#include "tests/sass_text.hpp"
#include "workloads/inputs.hpp"
#include "workloads/sort/compiled.hpp"

using namespace sassafras;
using namespace sassafras::test;
namespace sort = sassafras::workloads::sort;

namespace {

template <class T>
const T& choice(Random& random, const std::vector<T>& all) {
    return all[random.below(all.size())];
}

/// Small sizes as often as large ones, those around a power of two as often as others.
std::uint64_t draw_size(Random& random) {
    const std::uint64_t magnitude = std::uint64_t{1} << random.below(16);
    if (random.below(3) == 0) return magnitude + random.below(3) - 1;
    return random.below(2 * magnitude);
}

workloads::WorkloadRequest draw(std::uint64_t seed) {
    Random random(seed);
    const std::string variant =
        choice(random, std::vector<std::string>{"mgpu", "cf-merge", "koike-sadakane", "mms", "shearsort", "bitonic"});
    Parameters parameters;
    if (variant == "mgpu" || variant == "cf-merge") {
        std::vector<sort::Compiled> there;
        for (const sort::Compiled& one : sort::compiled_pairwise())
            if ((one.algorithm == sort::Algorithm::mgpu) == (variant == "mgpu")) there.push_back(one);
        const sort::Compiled& one = choice(random, there);
        parameters = {{"E", one.E}, {"b", one.b}};
        if (one.order == sort::Order::u64) parameters["key_bits"] = 64;
        if (one.order == sort::Order::pair) parameters["values"] = 1;
        if (one.order == sort::Order::fraction) parameters["comparator"] = 1;
    } else if (variant == "mms" || variant == "koike-sadakane") {
        parameters = {{"K", choice(random, sort::compiled_fan_ins())},
                      {"blocks", static_cast<std::int64_t>(1 + random.below(100))}};
        if (variant == "mms") {
            const std::uint64_t elements = random.below(4);
            if (elements == 1) parameters["key_bits"] = 64;
            if (elements == 2) parameters["values"] = 1;
            if (elements == 3) parameters["comparator"] = 1;
        }
    } else if (variant == "bitonic") {
        parameters = {{"b", std::int64_t{32} << random.below(6)}};
    }
    return sort_request(variant, draw_size(random), parameters, choice(random, workloads::key_input_kinds()),
                        random.next_u32());
}

}  // namespace

TEST_CASE("any sort, size, parameters and input") {
    const auto device = functional_device();
    for (std::uint64_t seed = 1; seed <= test::draws(200U); ++seed) verified_sort(*device, draw(seed));
}

TEST_CASE("any of them on the simulated device: the same counts as on the functional one") {
    const auto functional = functional_device();
    const auto simulated = sim::make_simulated_device(h200(), {});
    for (std::uint64_t seed = 1001; seed <= 1000 + test::draws(16U); ++seed) {
        workloads::WorkloadRequest request = draw(seed);
        request.n = *request.n % 6000;
        const auto counted = verified_sort(*functional, request);
        const auto timed = verified_sort(*simulated, request);
        REQUIRE(counted.size() == timed.size());
        for (std::size_t i = 0; i < counted.size(); ++i) {
            REQUIRE(counted[i].source.size() == timed[i].source.size());
            for (std::size_t row = 0; row < counted[i].source.size(); ++row) {
                CAPTURE(seed, counted[i].name, sassafras::source_rows::sass(counted[i].source[row]));
                REQUIRE(counted[i].source[row].inst_executed == timed[i].source[row].inst_executed);
                REQUIRE(counted[i].source[row].shared_wavefronts == timed[i].source[row].shared_wavefronts);
                REQUIRE(counted[i].source[row].global_sectors == timed[i].source[row].global_sectors);
            }
        }
    }
}
