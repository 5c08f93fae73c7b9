// Student's t distribution, as far as intervals of 95 % need it.
#pragma once

#include <array>
#include <cstdint>

namespace sassafras {

/// 97.5 % of the distribution with so many degrees of freedom, 1 or more, lies below. (Any table of it.)
[[nodiscard]] constexpr double student_t(std::uint64_t freedom) {
    constexpr std::array table{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                               2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086};
    constexpr double normal = 1.960;  // near enough beyond
    return freedom <= table.size() ? table[freedom - 1] : normal;
}

}  // namespace sassafras
