// How far MUFU lies from an H200's. Origin: README.md beside this file.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/device/modelled_devices.hpp"
#include "sim/platform/platform_reader.hpp"
#include "tests/golden/execute/results.hpp"

namespace {

using namespace sassafras;

enum class Kind { single, upper_of_double, half_pair, bfloat_pair };

/// A column of results and how far it may be off: `absolute` for functions whose hardware works to a fixed number of
/// places, where relative errors of small results mean nothing.
struct Measured {
    const char* function;
    const char* kernel;
    std::uint32_t column;
    Kind kind;
    double least_equal;  ///< per cent
    std::int64_t most_ulp;
    double most_absolute;
};
constexpr double unbounded = 1e300;
constexpr std::int64_t any_ulp = INT64_MAX;
constexpr Measured table[] = {
    {"RCP", "f_mufu", 1, Kind::single, 90, 1, unbounded},
    {"RCP of [1, 4)", "i_mufu_core", 0, Kind::single, 90, 1, unbounded},
    {"RSQ", "f_mufu", 3, Kind::single, 88, 1, unbounded},
    {"RSQ of [1, 4)", "i_mufu_core", 1, Kind::single, 55, 1, unbounded},
    {"SQRT", "f_mufu", 5, Kind::single, 91, 1, unbounded},
    {"SQRT of [1, 4)", "i_mufu_core", 2, Kind::single, 87, 1, unbounded},
    {"LG2", "f_mufu", 10, Kind::single, 74, 65, unbounded},
    {"LG2 of [1, 4)", "i_mufu_core", 3, Kind::single, 27, any_ulp, 3e-7},
    {"EX2", "f_mufu", 12, Kind::single, 79, 2, unbounded},
    {"EX2 of [-8, 8)", "i_mufu_core", 6, Kind::single, 62, 2, unbounded},
    {"SIN of [-8, 8)", "i_mufu_core", 4, Kind::single, 13, any_ulp, 5e-7},
    {"COS of [-8, 8)", "i_mufu_core", 5, Kind::single, 41, any_ulp, 5e-7},
    {"TANH", "f_mufu", 13, Kind::single, 52, 114, 1e-5},
    {"TANH of [-8, 8)", "i_mufu_core", 7, Kind::single, 45, 115, 1e-5},
    {"TANH.F16", "i_mufu_core", 8, Kind::half_pair, 93, 1, unbounded},
    {"TANH.BF16_V2", "i_mufu_core", 9, Kind::bfloat_pair, 99, 1, unbounded},
    {"EX2.F16", "i_mufu_core", 10, Kind::half_pair, 95, 1, unbounded},
    {"EX2.BF16_V2", "i_mufu_core", 11, Kind::bfloat_pair, 99.8, 1, unbounded},
    {"RCP64H", "d_mufu", 0, Kind::upper_of_double, 93, 1, unbounded},
    {"RCP64H of [1, 4)", "i_mufu_core", 12, Kind::upper_of_double, 93, 1, unbounded},
    {"RSQ64H", "d_mufu", 1, Kind::upper_of_double, 97, 1, unbounded},
    {"RSQ64H of [1, 4)", "i_mufu_core", 13, Kind::upper_of_double, 90, 1, unbounded},
};

/// Numbers of one format in the order of their values, one apart if they are neighbours.
std::int64_t place(std::uint32_t bits, unsigned width) {
    const std::uint32_t sign = 1U << (width - 1);
    const std::int64_t magnitude = bits & (sign - 1);
    return (bits & sign) != 0 ? -magnitude : magnitude;
}

struct Distance {
    std::size_t results = 0;
    std::size_t equal = 0;
    std::int64_t ulp = 0;
    double absolute = 0;

    void note(std::uint32_t ours, std::uint32_t hardware, Kind kind) {
        const unsigned width = kind == Kind::half_pair || kind == Kind::bfloat_pair ? 16 : 32;
        ++results;
        if (ours == hardware) ++equal;
        ulp = std::max(ulp, std::abs(place(ours, width) - place(hardware, width)));
        if (kind != Kind::single) return;
        const double difference =
            static_cast<double>(std::bit_cast<float>(ours)) - static_cast<double>(std::bit_cast<float>(hardware));
        if (std::isfinite(difference)) absolute = std::max(absolute, std::fabs(difference));
    }
};

std::vector<std::uint32_t> recorded_words() {
    std::ifstream file(std::string(SASSAFRAS_SOURCE_DIR) + "/tests/golden/execute/h200_mufu.bin", std::ios::binary);
    std::vector<std::uint32_t> words(std::size_t{30} * test::result_threads);
    file.read(reinterpret_cast<char*>(words.data()),
              static_cast<std::streamsize>(words.size() * sizeof(std::uint32_t)));
    REQUIRE(file.good());
    return words;
}

}  // namespace

TEST_CASE("MUFU lies within its stated distance of an H200's", "[golden]") {
    const auto platform = sim::load_platform("h200");
    REQUIRE(platform.ok());
    const std::vector<std::uint32_t> words = recorded_words();
    const std::map<std::string, std::uint32_t> first{{"f_mufu", 0}, {"i_mufu_core", 14}, {"d_mufu", 28}};
    std::map<std::string, std::vector<test::Column>> ours;
    for (const auto& [kernel, unused] : first) {
        const auto device = sim::make_functional_device(platform->platform, {});
        auto columns = test::run_kernel(*device, std::string(SASSAFRAS_SOURCE_DIR) + "/tests/fixtures/hardware",
                                        {"special", kernel});
        REQUIRE(columns.ok());
        ours[kernel] = std::move(columns).value();
    }
    for (const Measured& row : table) {
        const test::Column& column = ours.at(row.kernel).at(row.column);
        const std::size_t start = std::size_t{first.at(row.kernel) + row.column} * test::result_threads;
        Distance distance;
        for (std::size_t thread = 0; thread < test::result_threads; ++thread) {
            const std::uint64_t word = column.words[thread];
            const std::uint32_t mine =
                static_cast<std::uint32_t>(row.kind == Kind::upper_of_double ? word >> 32U : word);
            const std::uint32_t theirs = words[start + thread];
            if (row.kind == Kind::half_pair || row.kind == Kind::bfloat_pair) {
                distance.note(mine & 0xffffU, theirs & 0xffffU, row.kind);
                distance.note(mine >> 16U, theirs >> 16U, row.kind);
            } else {
                distance.note(mine, theirs, row.kind);
            }
        }
        const double equal = 100.0 * static_cast<double>(distance.equal) / static_cast<double>(distance.results);
        std::cout << std::left << std::setw(18) << row.function << std::right << std::fixed << std::setprecision(1)
                  << std::setw(6) << equal << " % equal, at most " << distance.ulp << " ulp, " << std::scientific
                  << distance.absolute << std::defaultfloat << '\n';
        INFO(row.function);
        CHECK(equal >= row.least_equal);
        CHECK(distance.ulp <= row.most_ulp);
        CHECK(distance.absolute <= row.most_absolute);
    }
}
