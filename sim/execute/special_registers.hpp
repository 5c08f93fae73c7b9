// Numbers of special registers as S2R, S2UR and CS2R encode them.
#pragma once

#include <cstdint>

namespace sassafras::sim::special_register {

inline constexpr std::uint32_t lane_id = 0;
inline constexpr std::uint32_t virtual_id = 3;
inline constexpr std::uint32_t thread_x = 33;
inline constexpr std::uint32_t thread_y = 34;
inline constexpr std::uint32_t thread_z = 35;
inline constexpr std::uint32_t block_x = 37;
inline constexpr std::uint32_t block_y = 38;
inline constexpr std::uint32_t block_z = 39;
inline constexpr std::uint32_t local_window_high = 46;   ///< SR_LWINHI
inline constexpr std::uint32_t shared_window_high = 47;  ///< SR_SWINHI
inline constexpr std::uint32_t shared_window_low = 48;   ///< SR_SWINLO
inline constexpr std::uint32_t shared_window_size = 49;  ///< SR_SWINSZ
inline constexpr std::uint32_t shared_size = 50;         ///< SR_SMEMSZ: of the block, with what is reserved
inline constexpr std::uint32_t local_window_low = 52;    ///< SR_LWINLO
inline constexpr std::uint32_t local_window_size = 53;   ///< SR_LWINSZ
inline constexpr std::uint32_t local_low_end = 55;       ///< SR_LMEMHIOFF: the stack must not grow below it
inline constexpr std::uint32_t equal_mask = 56;
inline constexpr std::uint32_t less_mask = 57;
inline constexpr std::uint32_t less_equal_mask = 58;
inline constexpr std::uint32_t greater_mask = 59;
inline constexpr std::uint32_t greater_equal_mask = 60;
inline constexpr std::uint32_t virtual_sm_id = 67;
inline constexpr std::uint32_t clock_low = 80;
inline constexpr std::uint32_t clock_high = 81;
inline constexpr std::uint32_t global_timer_low = 82;
inline constexpr std::uint32_t global_timer_high = 83;
inline constexpr std::uint32_t block_rank_in_cluster = 136;  ///< SR_CgaCtaId
inline constexpr std::uint32_t zero = 255;

[[nodiscard]] constexpr bool is_clock(std::uint32_t number) {
    return number >= clock_low && number <= global_timer_high;
}

/// Each lane has its own.
[[nodiscard]] constexpr bool is_of_lane(std::uint32_t number) {
    return number == lane_id || (number >= thread_x && number <= thread_z) ||
           (number >= equal_mask && number <= greater_equal_mask);
}

}  // namespace sassafras::sim::special_register
