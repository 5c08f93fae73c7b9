// The columns of a frame, in the order in which the file has them.
#pragma once

#include <array>
#include <cstdint>

#include "sim/formats/trace_file/column.hpp"

namespace sassafras::sim {

enum class Column : std::uint8_t {
    warps,       ///< a warp: number of segments * 2 + 1 if it exits here
    flow,        ///< a segment: shape code * 16 + mask code
    shapes,      ///< first (difference to the end of the segment before) and count, where the code needs them
    masks,       ///< 32 bits each: masks that are no other's kin
    tokens,      ///< a payload: how the next columns tell it
    bases,       ///< differences to what was predicted
    strides,     ///< differences to the stride before
    values,      ///< of BAR, NANOSLEEP and LDC by a register
    streams,     ///< 32 bits each: lanes that go on along a stream of their own
    lanes_low,   ///< differences of lanes, the low byte
    lanes_high,  ///< differences of lanes, the high byte
    lanes_wide,  ///< differences of lanes, 32 bits each; addresses of 64 bits
    count_,
};

template <class Kind>
using FrameColumns = std::array<Kind, static_cast<std::size_t>(Column::count_)>;

template <class Kind>
[[nodiscard]] Kind& at(FrameColumns<Kind>& columns, Column column) {
    return columns[static_cast<std::size_t>(column)];
}

/// How an access is told. Bits 0, 1: WarpTrace::Encoding. Bits 2, 3: MaskToken. The rest, affine: BaseToken << 4, and
/// whether the stride is another. The rest, offsets32: LaneMode << 4, and whether the high half of the addresses is
/// another than the last time.
struct AccessToken {
    static constexpr std::uint8_t encoding_bits = 3;
    static constexpr int mask_shift = 2;
    static constexpr int base_shift = 4;  ///< also of the lane mode
    static constexpr std::uint8_t base_bits = 3;
    static constexpr std::uint8_t lane_mode_bits = 7;
    static constexpr std::uint8_t new_stride = 0x40;
    static constexpr std::uint8_t new_high = 0x80;
};
enum class MaskToken : std::uint8_t { of_segment, none, as_before, literal };
enum class BaseToken : std::uint8_t { predicted, by_sibling, difference };
/// A value is as the last time (0) or comes from its column (1).
inline constexpr std::uint8_t value_token_new = 1;

}  // namespace sassafras::sim
