#include "sim/check/access_record.hpp"

#include "sim/trace/trace_source.hpp"

namespace sassafras::sim {

std::uint32_t take_record(std::span<const std::uint64_t>& words, RecordedAddresses& address) {
    constexpr std::size_t lane_count = warp_size;
    const auto mask = static_cast<std::uint32_t>(words[0]);
    const WarpTrace::Encoding encoding = WarpTrace::encoding_of(words);
    switch (encoding) {
        case WarpTrace::Encoding::affine:
            for (std::size_t lane = 0; lane < lane_count; ++lane) address[lane] = words[1] + words[2] * lane;
            break;
        case WarpTrace::Encoding::offsets16:
        case WarpTrace::Encoding::offsets32:
            for (std::size_t lane = 0; lane < lane_count; ++lane)
                address[lane] = words[1] + WarpTrace::offset(words, lane);
            break;
        case WarpTrace::Encoding::full:
            for (std::size_t lane = 0; lane < lane_count; ++lane) address[lane] = words[1 + lane];
            break;
    }
    words = words.subspan(WarpTrace::access_words(encoding));
    return mask;
}

}  // namespace sassafras::sim
