#include "sim/formats/trace_file/lane_codec.hpp"

#include <bit>
#include <cstddef>
#include <limits>

namespace sassafras::sim {

namespace {

/// More lanes than this off their streams cost less as differences of all.
constexpr int most_rest = 6;

/// Lanes for which `holds`.
template <class Holds>
std::uint32_t lanes_where(Holds holds) {
    std::uint32_t result = 0;
    for (std::size_t lane = 0; lane < warp_size; ++lane) result |= static_cast<std::uint32_t>(holds(lane)) << lane;
    return result;
}

/// The active lanes side by side; gives their number.
std::size_t pack(std::uint32_t mask, const LaneWords& from, LaneWords& to) {
    if (mask == 0xffffffffU) {
        to = from;
        return warp_size;
    }
    std::size_t count = 0;
    for (; mask != 0; mask &= mask - 1) to[count++] = from[static_cast<std::size_t>(std::countr_zero(mask))];
    return count;
}

void unpack(std::uint32_t mask, const LaneWords& from, LaneWords& to) {
    if (mask == 0xffffffffU) {
        to = from;
        return;
    }
    for (std::size_t count = 0; mask != 0; mask &= mask - 1)
        to[static_cast<std::size_t>(std::countr_zero(mask))] = from[count++];
}

}  // namespace

void LaneCodec::reset() {
    sites_.assign(sites_.size(), Site{});
    begin_warp();
}

void LaneCodec::begin_warp() {
    streams_ = {};
    previous_ = {};
}

void LaneCodec::update(Site& site, Streams& streams, std::uint32_t mask, std::uint32_t leaves_newer,
                       const LaneWords& lanes) {
    // A lane that leaves its newer stream, for the older one or for a third, keeps it as the older one.
    const std::uint32_t swaps = mask & leaves_newer;
    for (std::size_t lane = 0; lane < warp_size; ++lane) {
        const std::uint32_t active = 0U - (mask >> lane & 1U);
        const std::uint32_t swap = 0U - (swaps >> lane & 1U);
        streams.older[lane] = (streams.newer[lane] & swap) | (streams.older[lane] & ~swap);
        streams.newer[lane] = (lanes[lane] & active) | (streams.newer[lane] & ~active);
        site.last[lane] = (lanes[lane] & active) | (site.last[lane] & ~active);
        site.before[lane] = (previous_[lane] & active) | (site.before[lane] & ~active);
        previous_[lane] = (lanes[lane] & active) | (previous_[lane] & ~active);
    }
}

LaneMode LaneCodec::encode(std::uint32_t site_number, std::uint32_t mask, const LaneWords& lanes, std::uint32_t width,
                           std::uint32_t space, FrameColumns<ColumnWriter>& columns) {
    Site& site = sites_[site_number];
    Streams& streams = streams_[space];
    const std::uint32_t on_newer =
        lanes_where([&](std::size_t lane) { return lanes[lane] == streams.newer[lane] + width; }) & mask;
    const std::uint32_t on_older =
        lanes_where([&](std::size_t lane) { return lanes[lane] == streams.older[lane] + width; }) & mask & ~on_newer;
    const std::uint32_t rest = mask & ~on_newer & ~on_older;
    const auto chosen = [&] {
        const std::uint32_t follows = lanes_where(
            [&](std::size_t lane) { return lanes[lane] - previous_[lane] == site.last[lane] - site.before[lane]; });
        if ((mask & ~follows) == 0) return LaneMode::follows;
        const std::uint32_t mirrors = lanes_where(
            [&](std::size_t lane) { return lanes[lane] + previous_[lane] == site.last[lane] + site.before[lane]; });
        if ((mask & ~mirrors) == 0) return LaneMode::mirrors;
        if (rest == 0) {
            at(columns, Column::streams).put_word32(on_newer);
            return LaneMode::streams;
        }
        LaneWords packed{};
        if (std::popcount(rest) <= most_rest && std::popcount(mask) > 2 * most_rest) {
            at(columns, Column::streams).put_word32(on_newer);
            at(columns, Column::streams).put_word32(on_older);
            LaneWords differences{};
            for (std::size_t lane = 0; lane < warp_size; ++lane) differences[lane] = lanes[lane] - site.last[lane];
            at(columns, Column::lanes_wide).put(packed.data(), pack(rest, differences, packed) * 4);
            return LaneMode::streams_and_rest;
        }
        LaneWords differences{};
        std::uint32_t all = 0;
        for (std::size_t lane = 0; lane < warp_size; ++lane) {
            differences[lane] = lanes[lane] - site.last[lane];
            all |= differences[lane] & (0U - (mask >> lane & 1U));
        }
        const std::size_t count = pack(mask, differences, packed);
        if ((all & (width - 1)) != 0) {
            at(columns, Column::lanes_wide).put(packed.data(), count * 4);
            return LaneMode::differences32;
        }
        const int shift = std::countr_zero(width);
        std::int32_t least = 0;
        std::int32_t most = 0;
        std::array<std::uint8_t, warp_size> low{};
        std::array<std::uint8_t, warp_size> high{};
        for (std::size_t i = 0; i < count; ++i) {
            const std::int32_t units = static_cast<std::int32_t>(packed[i]) >> shift;
            least = units < least ? units : least;
            most = units > most ? units : most;
            low[i] = static_cast<std::uint8_t>(units);
            high[i] = static_cast<std::uint8_t>(units >> 8);
        }
        if (least < std::numeric_limits<std::int16_t>::min() || most > std::numeric_limits<std::int16_t>::max()) {
            at(columns, Column::lanes_wide).put(packed.data(), count * 4);
            return LaneMode::differences32;
        }
        at(columns, Column::lanes_low).put(low.data(), count);
        if (least >= std::numeric_limits<std::int8_t>::min() && most <= std::numeric_limits<std::int8_t>::max())
            return LaneMode::differences8;
        at(columns, Column::lanes_high).put(high.data(), count);
        return LaneMode::differences16;
    };
    const LaneMode mode = chosen();
    update(site, streams, mask, ~on_newer, lanes);
    return mode;
}

void LaneCodec::decode(LaneMode mode, std::uint32_t site_number, std::uint32_t mask, LaneWords& lanes,
                       std::uint32_t width, std::uint32_t space, FrameColumns<ColumnReader>& columns) {
    Site& site = sites_[site_number];
    Streams& streams = streams_[space];
    LaneWords packed{};
    const auto count = static_cast<std::size_t>(std::popcount(mask));
    const auto from_differences = [&](std::uint32_t which) {
        LaneWords differences{};
        unpack(which, packed, differences);
        for (std::size_t lane = 0; lane < warp_size; ++lane)
            if ((which >> lane & 1U) != 0) lanes[lane] = site.last[lane] + differences[lane];
    };
    const auto from_streams = [&](std::uint32_t on_newer) {
        for (std::size_t lane = 0; lane < warp_size; ++lane)
            lanes[lane] = ((on_newer >> lane & 1U) != 0 ? streams.newer[lane] : streams.older[lane]) + width;
    };
    const int shift = std::countr_zero(width);
    switch (mode) {
        case LaneMode::follows:
            for (std::size_t lane = 0; lane < warp_size; ++lane)
                lanes[lane] = previous_[lane] + site.last[lane] - site.before[lane];
            break;
        case LaneMode::mirrors:
            for (std::size_t lane = 0; lane < warp_size; ++lane)
                lanes[lane] = site.last[lane] + site.before[lane] - previous_[lane];
            break;
        case LaneMode::streams: from_streams(at(columns, Column::streams).word32()); break;
        case LaneMode::streams_and_rest: {
            const std::uint32_t on_newer = at(columns, Column::streams).word32();
            const std::uint32_t rest = mask & ~on_newer & ~at(columns, Column::streams).word32();
            from_streams(on_newer);
            at(columns, Column::lanes_wide).get(packed.data(), static_cast<std::size_t>(std::popcount(rest)) * 4);
            from_differences(rest);
            break;
        }
        case LaneMode::differences8: {
            std::array<std::int8_t, warp_size> low{};
            at(columns, Column::lanes_low).get(low.data(), count);
            for (std::size_t i = 0; i < count; ++i) packed[i] = static_cast<std::uint32_t>(low[i]) << shift;
            from_differences(mask);
            break;
        }
        case LaneMode::differences16: {
            std::array<std::uint8_t, warp_size> low{};
            std::array<std::int8_t, warp_size> high{};
            at(columns, Column::lanes_low).get(low.data(), count);
            at(columns, Column::lanes_high).get(high.data(), count);
            for (std::size_t i = 0; i < count; ++i)
                packed[i] = (static_cast<std::uint32_t>(high[i]) << 8U | low[i]) << shift;
            from_differences(mask);
            break;
        }
        case LaneMode::differences32:
            at(columns, Column::lanes_wide).get(packed.data(), count * 4);
            from_differences(mask);
            break;
    }
    std::uint32_t on_newer = 0;
    for (std::size_t lane = 0; lane < warp_size; ++lane)
        on_newer |= static_cast<std::uint32_t>(lanes[lane] == streams.newer[lane] + width) << lane;
    update(site, streams, mask, ~on_newer, lanes);
    const std::uint32_t any = lanes[static_cast<std::size_t>(std::countr_zero(mask))];
    for (std::size_t lane = 0; lane < warp_size; ++lane)
        if ((mask >> lane & 1U) == 0) lanes[lane] = any;
}

}  // namespace sassafras::sim
