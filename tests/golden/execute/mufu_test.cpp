// MUFU as instructions execute it against an H200's words. Origin: README.md beside this file. The digests of
// mufu_digests_test.cpp cover every input; here a difference is shown with its thread and its words.
#include <fstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/device/modelled_devices.hpp"
#include "sim/platform/platform_reader.hpp"
#include "tests/golden/execute/results.hpp"

namespace {

using namespace sassafras;

/// The columns that show MUFU bare, in the file's order. Of a double the file has the upper word.
struct Columns {
    const char* kernel;
    std::uint32_t count;
    std::uint32_t first_double;
};
constexpr Columns recorded_columns[] = {{"f_mufu", 14, 14}, {"i_mufu_core", 14, 12}, {"d_mufu", 2, 0}};

std::vector<std::uint32_t> recorded_words() {
    std::ifstream file(std::string(SASSAFRAS_SOURCE_DIR) + "/tests/golden/execute/h200_mufu.bin", std::ios::binary);
    std::vector<std::uint32_t> words(std::size_t{30} * test::result_threads);
    file.read(reinterpret_cast<char*>(words.data()),
              static_cast<std::streamsize>(words.size() * sizeof(std::uint32_t)));
    REQUIRE(file.good());
    return words;
}

}  // namespace

TEST_CASE("instructions with MUFU give an H200's words", "[golden]") {
    const auto platform = sim::load_platform("h200");
    REQUIRE(platform.ok());
    const std::vector<std::uint32_t> words = recorded_words();
    std::size_t start = 0;
    for (const Columns& columns : recorded_columns) {
        const auto device = sim::make_functional_device(platform->platform, {});
        const auto ours = test::run_kernel(*device, std::string(SASSAFRAS_SOURCE_DIR) + "/tests/fixtures/hardware",
                                           {"special", columns.kernel});
        REQUIRE(ours.ok());
        REQUIRE(ours->size() >= columns.count);
        for (std::uint32_t column = 0; column < columns.count; ++column, start += test::result_threads) {
            std::size_t differing = 0;
            for (std::size_t thread = 0; thread < test::result_threads; ++thread) {
                const std::uint64_t word = (*ours)[column].words[thread];
                const auto mine = static_cast<std::uint32_t>(column >= columns.first_double ? word >> 32U : word);
                const std::uint32_t theirs = words[start + thread];
                if (mine != theirs && differing++ == 0)
                    UNSCOPED_INFO(columns.kernel << " column " << column << " thread " << thread << std::hex << ": "
                                                 << mine << ", H200 " << theirs);
            }
            CHECK(differing == 0);
        }
    }
    CHECK(start == words.size());
}
