// When a sleep ends.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "sim/platform/platform.hpp"

namespace sassafras::sim {

/// The cycle at which a warp that goes to sleep for `nanoseconds` at cycle `now` issues again. A sleep of t ns ends
/// when the global timer, which showed `timer_begin` ns at cycle 0, next comes to a multiple of the power of two above
/// t: after up to 2 t, and for all warps of the GPU at the same ticks (validate/records/h200/probes/sleep.cu on an
/// H200).
[[nodiscard]] inline std::uint64_t end_of_sleep(const Platform& platform, double timer_begin, std::uint64_t nanoseconds,
                                                std::uint64_t now) {
    const std::uint64_t above =
        std::bit_floor(std::clamp<std::uint64_t>(nanoseconds, 1, platform.sm.sleep_longest_ns)) * 2;
    const auto period =
        static_cast<double>(std::max<std::uint64_t>(above, std::bit_ceil(platform.clock.global_timer_step_ns)));
    const double cycles_a_nanosecond = platform.clock.sm_mhz / 1000.0;
    const double timer = timer_begin + static_cast<double>(now) / cycles_a_nanosecond;
    const double wait = (std::floor(timer / period) + 1) * period - timer;
    const std::uint64_t tick = now + static_cast<std::uint64_t>(std::ceil(wait * cycles_a_nanosecond));
    return std::max(tick + platform.sm.sleep_wake_cycles, now + platform.sm.sleep_least_cycles);
}

}  // namespace sassafras::sim
