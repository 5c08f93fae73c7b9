// MUFU against digests of an H200's results over all inputs. Origin: README.md beside this file. The first test takes
// the binades that hold the tables and the special values; all of them: test_golden_execute "[exhaustive]".
#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/execute/small_float.hpp"
#include "sim/execute/special_function.hpp"
#include "tests/sanitized.hpp"

namespace {

using namespace sassafras;

constexpr const char* names[] = {"COS", "SIN", "EX2", "LG2", "RCP", "RSQ", "RCP64H", "RSQ64H", "SQRT", "TANH"};
constexpr std::uint32_t functions = std::size(names);  ///< numbered as instructions number them
constexpr std::uint32_t binades = 512;                 ///< inputs by their upper nine bits
constexpr std::uint32_t binade_inputs = 1U << 23;
const std::string folder = std::string(SASSAFRAS_SOURCE_DIR) + "/tests/golden/execute/";

/// What a digest adds up of each input and its result: the finaliser of SplitMix64, shortened.
std::uint64_t mixed(std::uint32_t input, std::uint32_t result) {
    std::uint64_t z = (static_cast<std::uint64_t>(input) << 32U | result) * 0x9e37'79b9'7f4a'7c15U;
    z ^= z >> 32U;
    z *= 0xbf58'476d'1ce4'e5b9U;
    return z ^ z >> 29U;
}

std::uint64_t digest_of_binade(std::uint32_t function, std::uint32_t binade) {
    std::uint64_t sum = 0;
    for (std::uint32_t low = 0; low < binade_inputs; ++low) {
        const std::uint32_t input = binade * binade_inputs + low;
        sum += mixed(input, sim::mufu(function, input));
    }
    return sum;
}

/// Digest of function f and binade b at f * binades + b.
std::vector<std::uint64_t> recorded_digests() {
    std::ifstream file(folder + "h200_mufu_digests.bin", std::ios::binary);
    std::vector<std::uint64_t> digests(std::size_t{functions} * binades);
    file.read(reinterpret_cast<char*>(digests.data()),
              static_cast<std::streamsize>(digests.size() * sizeof(std::uint64_t)));
    REQUIRE(file.good());
    REQUIRE(file.peek() == std::ifstream::traits_type::eof());
    return digests;
}

}  // namespace

TEST_CASE("MUFU gives an H200's results in the binades of its tables and at special values", "[golden]") {
    const std::vector<std::uint64_t> digests = recorded_digests();
    const auto function = GENERATE(range(0U, functions));
    INFO(names[function]);
    // 0 and denormals; the least normals; around 1; the greatest; infinity and NaN. Then negative numbers.
    std::vector<std::uint32_t> wanted{0x000, 0x001, 0x07d, 0x07e, 0x07f, 0x080,
                                      0x0fd, 0x0fe, 0x0ff, 0x100, 0x17e, 0x1ff};
    // TANH has a table for each binade from 2^-8 to 8.
    if (function == functions - 1)
        wanted.insert(wanted.end(), {0x076, 0x077, 0x078, 0x079, 0x07a, 0x07b, 0x07c, 0x081, 0x082});
    std::size_t index = 0;
    for (const std::uint32_t binade : wanted) {
        if (!sassafras::test::is_tried(index++, 4)) continue;
        INFO("inputs from " << std::hex << binade * binade_inputs);
        CHECK(digest_of_binade(function, binade) == digests[function * binades + binade]);
    }
}

TEST_CASE("MUFU gives an H200's results for every input", "[.exhaustive]") {
    const std::vector<std::uint64_t> digests = recorded_digests();
    for (std::uint32_t function = 0; function < functions; ++function) {
        std::atomic<std::uint32_t> next{0};
        std::atomic<std::uint32_t> equal{0};
        std::vector<std::thread> workers;
        for (unsigned worker = 0; worker < std::max(1U, std::thread::hardware_concurrency()); ++worker)
            workers.emplace_back([&] {
                for (std::uint32_t binade = next++; binade < binades; binade = next++)
                    if (digest_of_binade(function, binade) == digests[function * binades + binade]) ++equal;
            });
        for (std::thread& worker : workers) worker.join();
        std::cout << names[function] << ": " << equal << " of " << binades << " binades of 2^23 inputs equal an H200's"
                  << std::endl;  // shown at once: a function takes seconds
        CHECK(equal == binades);
    }
}

TEST_CASE("MUFU of 16 bits gives an H200's results for every input", "[golden]") {
    std::ifstream file(folder + "h200_mufu_small.tsv");
    std::size_t forms = 0;
    for (std::string line; std::getline(file, line); ++forms) {
        std::istringstream columns(line);
        std::string name;
        std::string format_name;
        std::uint64_t digest = 0;
        columns >> name >> format_name >> std::hex >> digest;
        INFO(line);
        const auto* const found = std::find(std::begin(names), std::end(names), name);
        REQUIRE(found != std::end(names));
        const auto function = static_cast<std::uint32_t>(found - std::begin(names));
        const sim::SmallFormat format = format_name == "F16" ? sim::half_format : sim::bfloat_format;
        std::uint64_t sum = 0;
        for (std::uint32_t input = 0; input < 1U << 16U; ++input)
            sum += mixed(input, sim::mufu(function, sim::widen(input, format), format));
        CHECK(sum == digest);
    }
    CHECK(forms == 16);
}
