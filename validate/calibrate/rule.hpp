// Which microbenchmark tells which number of a platform. A number is one row of a table: sm_rules.cpp,
// memory_rules.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace sassafras::validate::calibrate {

enum class Slope : std::uint8_t {
    rises,  ///< a greater number makes the row greater
    falls,  ///< a greater number makes it smaller
};

/// The number at `pointer` is the one with which the simulator gives the row that the GPU gave. Every other number has
/// been found before or is taken from the base, so the order of the rules counts: a row should depend on `pointer` and
/// on numbers of earlier rules.
struct Rule {
    std::string_view pointer;    ///< of the number in a platform
    std::string_view row;        ///< "name parameter", as `sassafras microbench` prints them
    std::string_view less = {};  ///< of a second row, which is subtracted; empty: none
    Slope slope = Slope::rises;
    double least = 1;         ///< no smaller value is tried
    double greatest = 1;      ///< no greater one
    int from_capability = 0;  ///< there is no such row on GPUs of a smaller compute capability: 80 is 8.0
};

/// Sub-cores, pipes, fetch, shared memory, barriers, dispatch of blocks.
[[nodiscard]] std::span<const Rule> sm_rules();
/// L1, L2, DRAM.
[[nodiscard]] std::span<const Rule> memory_rules();
/// All of them, in the order in which they are solved.
[[nodiscard]] std::vector<Rule> all_rules();

}  // namespace sassafras::validate::calibrate
