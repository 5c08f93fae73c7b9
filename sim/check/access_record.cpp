#include "sim/check/access_record.hpp"

#include "sim/trace/trace_source.hpp"

namespace sassafras::sim {

std::uint32_t take_record(std::span<const std::uint64_t>& words, RecordedAddresses& address) {
    constexpr std::size_t lane_count = warp_size;
    const auto mask = static_cast<std::uint32_t>(words[0]);
    const auto encoding = static_cast<WarpTrace::Encoding>(words[0] >> WarpTrace::encoding_shift);
    switch (encoding) {
        case WarpTrace::Encoding::affine:
            for (std::size_t lane = 0; lane < lane_count; ++lane) address[lane] = words[1] + words[2] * lane;
            break;
        case WarpTrace::Encoding::offsets32:
            for (std::size_t pair = 0; pair < lane_count / 2; ++pair) {
                address[2 * pair] = words[1] + static_cast<std::uint32_t>(words[2 + pair]);
                address[2 * pair + 1] = words[1] + (words[2 + pair] >> 32U);
            }
            break;
        case WarpTrace::Encoding::full:
            for (std::size_t lane = 0; lane < lane_count; ++lane) address[lane] = words[1 + lane];
            break;
    }
    words = words.subspan(WarpTrace::access_words(encoding));
    return mask;
}

}  // namespace sassafras::sim
