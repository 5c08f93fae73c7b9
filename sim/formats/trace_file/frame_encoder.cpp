#include "sim/formats/trace_file/frame_encoder.hpp"

#include <algorithm>

namespace sassafras::sim {

FrameEncoder::FrameEncoder(const PayloadSites& sites)
    : sites_(sites), access_(sites.all().size()), lanes_(sites.all().size()) {}

std::size_t FrameEncoder::bytes() const {
    std::size_t sum = 0;
    for (const ColumnWriter& column : columns_) sum += column.size();
    return sum;
}

void FrameEncoder::add(BlockTrace& block) {
    for (WarpTrace& trace : block.warps) {
        flow_.begin_warp();
        access_.begin_warp();
        lanes_.begin_warp();
        at(columns_, Column::warps)
            .put_number(trace.buffered_segments() * 2 + (trace.state == WarpTrace::State::exited ? 1U : 0U));
        while (trace.has_segment()) {
            const Segment segment = trace.pop_segment();
            warp_instructions_ += segment.count;
            add_segment(segment);
            add_payload(trace, segment);
        }
    }
}

void FrameEncoder::add_segment(const Segment& segment) {
    const auto same = [&](const Segment& known) {
        return known.first == segment.first && known.count == segment.count;
    };
    const bool is_next = segment.first == flow_.last_end();
    const bool count_known = flow_.known_count(segment.first) == segment.count;
    ShapeCode shape{};
    if (same(flow_.after_two())) {
        shape = ShapeCode::after_two;
    } else if (same(flow_.after_one())) {
        shape = ShapeCode::after_one;
    } else {
        shape = is_next ? (count_known ? ShapeCode::next_known : ShapeCode::next_new)
                        : (count_known ? ShapeCode::elsewhere_known : ShapeCode::elsewhere_new);
        ColumnWriter& shapes = at(columns_, Column::shapes);
        if (!is_next) shapes.put_difference(static_cast<std::uint64_t>(segment.first) - flow_.last_end());
        if (!count_known) shapes.put_number(segment.count);
    }
    const std::uint8_t mask = flow_.mask_code(segment.mask);
    if (mask == MaskCode::literal) at(columns_, Column::masks).put_word32(segment.mask);
    at(columns_, Column::flow).put_byte(static_cast<std::uint8_t>(static_cast<unsigned>(shape) << 4U | mask));
    flow_.update(segment);
}

void FrameEncoder::add_payload(WarpTrace& trace, const Segment& segment) {
    const std::uint32_t end = sites_.end(segment);
    for (std::uint32_t site = sites_.begin(segment); site < end; ++site) {
        if (sites_[site].is_access)
            add_access(trace, site, segment.mask);
        else
            add_value(trace, site);
    }
}

void FrameEncoder::add_access(WarpTrace& trace, std::uint32_t number, std::uint32_t segment_mask) {
    const std::span<const std::uint64_t> words = trace.pop_access_words();
    ++accesses_;
    AccessModel::Site& site = access_[number];
    const auto mask = static_cast<std::uint32_t>(words[0]);
    const WarpTrace::Encoding encoding = WarpTrace::encoding_of(words);
    MaskToken mask_token = MaskToken::literal;
    if (mask == segment_mask) {
        mask_token = MaskToken::of_segment;
    } else if (mask == 0) {
        mask_token = MaskToken::none;
    } else if (mask == site.mask) {
        mask_token = MaskToken::as_before;
    } else {
        at(columns_, Column::masks).put_word32(mask);
    }
    unsigned token = static_cast<unsigned>(mask_token) << AccessToken::mask_shift;
    if (mask == 0) {
        at(columns_, Column::tokens).put_byte(static_cast<std::uint8_t>(token));
        return;
    }
    site.mask = mask;
    if (encoding == WarpTrace::Encoding::affine) {
        const std::uint64_t base = words[1];
        const std::uint64_t stride = words[2];
        if (stride != site.stride) {
            token |= AccessToken::new_stride;
            at(columns_, Column::strides).put_difference(stride - site.stride);
            site.stride = stride;
        }
        const std::uint64_t predicted = access_.predicted(site);
        BaseToken base_token = BaseToken::predicted;
        if (base != predicted) {
            base_token = BaseToken::by_sibling;
            if (base != access_.predicted_by_sibling(site)) {
                base_token = BaseToken::difference;
                at(columns_, Column::bases).put_difference(base - predicted);
            }
        }
        access_.update(site, base);
        token |= static_cast<unsigned>(base_token) << AccessToken::base_shift;
        at(columns_, Column::tokens).put_byte(static_cast<std::uint8_t>(token));
        return;
    }
    LaneWords lanes{};
    if (encoding != WarpTrace::Encoding::full) {
        const std::uint64_t base = words[1];
        std::uint32_t most = 0;
        for (std::size_t lane = 0; lane < warp_size; ++lane) {
            const std::uint32_t offset = WarpTrace::offset(words, lane);
            lanes[lane] = static_cast<std::uint32_t>(base) + offset;
            if ((mask >> lane & 1U) != 0) most = std::max(most, offset);
        }
        const auto high = static_cast<std::uint32_t>(base >> 32U);
        if (static_cast<std::uint32_t>((base + most) >> 32U) == high) {
            if (high != site.high) {
                token |= AccessToken::new_high;
                at(columns_, Column::bases).put_difference(std::uint64_t{high} - site.high);
                site.high = high;
            }
            const PayloadSite& payload = sites_[number];
            const LaneMode mode = lanes_.encode(number, mask, lanes, std::max(payload.width, 1U),
                                                payload.space == MemorySpace::shared ? 1 : 0, columns_);
            token |= static_cast<unsigned>(WarpTrace::Encoding::offsets32) | static_cast<unsigned>(mode)
                                                                                 << AccessToken::base_shift;
            at(columns_, Column::tokens).put_byte(static_cast<std::uint8_t>(token));
            return;
        }
    }
    // Lanes far apart, or on both sides of a multiple of 4 GiB.
    for (std::size_t lane = 0; lane < warp_size; ++lane) {
        if ((mask >> lane & 1U) == 0) continue;
        const std::uint64_t address =
            encoding == WarpTrace::Encoding::full ? words[1 + lane] : words[1] + WarpTrace::offset(words, lane);
        at(columns_, Column::lanes_wide).put_word64(address);
    }
    token |= static_cast<unsigned>(WarpTrace::Encoding::full);
    at(columns_, Column::tokens).put_byte(static_cast<std::uint8_t>(token));
}

void FrameEncoder::add_value(WarpTrace& trace, std::uint32_t number) {
    const std::uint64_t value = trace.pop_value();
    AccessModel::Site& site = access_[number];
    const bool is_new = value != site.base;
    if (is_new) at(columns_, Column::values).put_difference(value - site.base);
    site.base = value;
    at(columns_, Column::tokens).put_byte(is_new ? value_token_new : 0);
}

void FrameEncoder::finish(std::vector<std::byte>& out) {
    ColumnWriter lengths;
    for (const ColumnWriter& column : columns_) lengths.put_number(column.size());
    const auto append = [&](const ColumnWriter& column) {
        const auto bytes = std::as_bytes(column.bytes());
        out.insert(out.end(), bytes.begin(), bytes.end());
    };
    append(lengths);
    for (ColumnWriter& column : columns_) {
        append(column);
        column.clear();
    }
    flow_.reset();
    access_.reset();
    lanes_.reset();
    warp_instructions_ = 0;
    accesses_ = 0;
}

}  // namespace sassafras::sim
