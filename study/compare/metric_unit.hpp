// Units as Nsight Compute writes them, which grow with the value ("Kbyte", "Ghz", "us"), in base units.
#pragma once

#include <string>
#include <string_view>

namespace sassafras::study {

struct BaseUnit {
    std::string unit;   ///< "byte", "hz", "ns", "byte/s" ...; what is no scaled unit stays as it is
    double factor = 1;  ///< of a value in the scaled unit
};

/// "Gbyte/s" is 1e9 "byte/s", "sector/us" 1e6 "sector/s", "%/Kbyte" 1e-3 "%/byte", "msecond" 1e6 "ns".
[[nodiscard]] BaseUnit base_unit(std::string_view unit);

}  // namespace sassafras::study
