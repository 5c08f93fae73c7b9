// What a GPU can do at most, as far as a diagnosis asks.
#pragma once

#include <cstdint>
#include <string>

#include "sim/platform/platform.hpp"

namespace sassafras::study {

struct Machine {
    std::string name;
    std::uint32_t sm_count = 0;
    double clock_hz = 0;
    double max_warps_per_sm = 0;
    double instructions_per_second = 0;  ///< of warps: FP32 instructions of all SMs
    double dram_bytes_per_second = 0;    ///< what is left beside error correction
    double dram_latency_seconds = 0;     ///< of a load that L2 has not

    /// Warp instructions a sector of 32 bytes at which both peaks are reached, which is thread instructions a byte:
    /// 4.5 for the C2050, 10.7 for the GTX 960 (Gehrke 2015, section 5.2).
    [[nodiscard]] double ideal_ratio() const;
};

[[nodiscard]] Machine machine_of(const sim::Platform& platform);

}  // namespace sassafras::study
