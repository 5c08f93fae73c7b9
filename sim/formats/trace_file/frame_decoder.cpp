#include "sim/formats/trace_file/frame_decoder.hpp"

#include <algorithm>
#include <utility>

namespace sassafras::sim {

FrameDecoder::FrameDecoder(const PayloadSites& sites)
    : sites_(sites), access_(sites.all().size()), lanes_(sites.all().size()) {}

bool FrameDecoder::open(std::vector<std::byte> content) {
    content_ = std::move(content);
    flow_.reset();
    access_.reset();
    lanes_.reset();
    ColumnReader reader({reinterpret_cast<const std::uint8_t*>(content_.data()), content_.size()});
    FrameColumns<std::uint64_t> lengths{};
    for (std::uint64_t& length : lengths) length = reader.number();
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        if (lengths[i] > reader.left()) return false;
        columns_[i] = ColumnReader(reader.take(lengths[i]));
    }
    return !reader.failed() && reader.left() == 0;
}

bool FrameDecoder::at_end() const {
    return std::all_of(columns_.begin(), columns_.end(),
                       [](const ColumnReader& column) { return column.left() == 0 && !column.failed(); });
}

bool FrameDecoder::next(std::span<Sink> sinks) {
    for (Sink& sink : sinks) {
        flow_.begin_warp();
        access_.begin_warp();
        lanes_.begin_warp();
        const std::uint64_t head = at(columns_, Column::warps).number();
        sink.exits = (head & 1U) != 0;
        for (std::uint64_t left = head >> 1U; left != 0; --left) {
            Segment segment;
            if (!next_segment(segment)) return false;
            if (sink.trace != nullptr) sink.trace->push_segment(segment);
            if (!payload(sink.trace, segment)) return false;
        }
    }
    return std::none_of(columns_.begin(), columns_.end(), [](const ColumnReader& column) { return column.failed(); });
}

bool FrameDecoder::next_segment(Segment& segment) {
    const std::uint8_t token = at(columns_, Column::flow).byte();
    ColumnReader& shapes = at(columns_, Column::shapes);
    std::uint64_t first = flow_.last_end();
    std::uint64_t count = 0;
    switch (static_cast<ShapeCode>(token >> 4U)) {
        case ShapeCode::after_two:
            first = flow_.after_two().first;
            count = flow_.after_two().count;
            break;
        case ShapeCode::after_one:
            first = flow_.after_one().first;
            count = flow_.after_one().count;
            break;
        case ShapeCode::next_known: count = flow_.known_count(static_cast<std::uint32_t>(first)); break;
        case ShapeCode::next_new: count = shapes.number(); break;
        case ShapeCode::elsewhere_known:
            first += shapes.difference();
            count = flow_.known_count(static_cast<std::uint32_t>(first));
            break;
        case ShapeCode::elsewhere_new:
            first += shapes.difference();
            count = shapes.number();
            break;
        default: return false;
    }
    // A segment takes at least the byte of its token, so damage cannot make the loop around this long.
    if (at(columns_, Column::flow).failed() || shapes.failed() || count == 0 || first >= sites_.instructions() ||
        count > sites_.instructions() - first)
        return false;
    segment.first = static_cast<std::uint32_t>(first);
    segment.count = static_cast<std::uint32_t>(count);
    const auto known = flow_.mask_of(token & 0xfU);
    segment.mask = known ? *known : at(columns_, Column::masks).word32();
    flow_.update(segment);
    return true;
}

bool FrameDecoder::payload(WarpTrace* trace, const Segment& segment) {
    const std::uint32_t end = sites_.end(segment);
    for (std::uint32_t number = sites_.begin(segment); number < end; ++number) {
        if (sites_[number].is_access) {
            if (!access(trace, number, segment.mask)) return false;
            continue;
        }
        AccessModel::Site& site = access_[number];
        if (at(columns_, Column::tokens).byte() == value_token_new)
            site.base += at(columns_, Column::values).difference();
        if (trace != nullptr) trace->push_value(site.base);
    }
    return true;
}

bool FrameDecoder::access(WarpTrace* trace, std::uint32_t number, std::uint32_t segment_mask) {
    const std::uint8_t token = at(columns_, Column::tokens).byte();
    AccessModel::Site& site = access_[number];
    std::uint32_t mask = 0;
    switch (static_cast<MaskToken>(token >> AccessToken::mask_shift & 3U)) {
        case MaskToken::of_segment: mask = segment_mask; break;
        case MaskToken::none: break;
        case MaskToken::as_before: mask = site.mask; break;
        case MaskToken::literal: mask = at(columns_, Column::masks).word32(); break;
    }
    if (mask == 0) {
        if (trace != nullptr) {
            const auto words = trace->push_access_words(WarpTrace::access_words(WarpTrace::Encoding::affine));
            std::fill(words.begin(), words.end(), 0);
        }
        return true;
    }
    site.mask = mask;
    if (static_cast<WarpTrace::Encoding>(token & AccessToken::encoding_bits) != WarpTrace::Encoding::affine)
        return scattered(trace, number, mask, token);
    if ((token & AccessToken::new_stride) != 0) site.stride += at(columns_, Column::strides).difference();
    std::uint64_t base = 0;
    switch (static_cast<BaseToken>(token >> AccessToken::base_shift & AccessToken::base_bits)) {
        case BaseToken::predicted: base = access_.predicted(site); break;
        case BaseToken::by_sibling: base = access_.predicted_by_sibling(site); break;
        case BaseToken::difference: base = access_.predicted(site) + at(columns_, Column::bases).difference(); break;
        default: return false;
    }
    access_.update(site, base);
    if (trace == nullptr) return true;
    const auto words = trace->push_access_words(WarpTrace::access_words(WarpTrace::Encoding::affine));
    words[0] = mask | static_cast<std::uint64_t>(WarpTrace::Encoding::affine) << WarpTrace::encoding_shift;
    words[1] = base;
    words[2] = site.stride;
    return true;
}

bool FrameDecoder::scattered(WarpTrace* trace, std::uint32_t number, std::uint32_t mask, std::uint8_t token) {
    const auto encoding = static_cast<WarpTrace::Encoding>(token & AccessToken::encoding_bits);
    const auto header = [&] { return mask | static_cast<std::uint64_t>(encoding) << WarpTrace::encoding_shift; };
    if (encoding == WarpTrace::Encoding::full) {
        std::array<std::uint64_t, warp_size> address{};
        for (std::size_t lane = 0; lane < warp_size; ++lane)
            if ((mask >> lane & 1U) != 0) address[lane] = at(columns_, Column::lanes_wide).word64();
        if (trace == nullptr) return true;
        const auto words = trace->push_access_words(WarpTrace::access_words(encoding));
        words[0] = header();
        std::copy(address.begin(), address.end(), words.begin() + 1);
        return true;
    }
    if (encoding != WarpTrace::Encoding::offsets32) return false;
    AccessModel::Site& site = access_[number];
    if ((token & AccessToken::new_high) != 0)
        site.high += static_cast<std::uint32_t>(at(columns_, Column::bases).difference());
    const auto mode = static_cast<LaneMode>(token >> AccessToken::base_shift & AccessToken::lane_mode_bits);
    if (mode > LaneMode::differences32) return false;
    const PayloadSite& payload = sites_[number];
    LaneWords lanes{};
    lanes_.decode(mode, number, mask, lanes, std::max(payload.width, 1U), payload.space == MemorySpace::shared ? 1 : 0,
                  columns_);
    if (trace == nullptr) return true;
    const std::uint32_t least = *std::min_element(lanes.begin(), lanes.end());
    const auto words = trace->push_access_words(WarpTrace::access_words(encoding));
    words[0] = header();
    words[1] = static_cast<std::uint64_t>(site.high) << 32U | least;
    for (std::size_t pair = 0; pair < warp_size / 2; ++pair)
        words[2 + pair] = (lanes[2 * pair] - least) | static_cast<std::uint64_t>(lanes[2 * pair + 1] - least) << 32U;
    return true;
}

}  // namespace sassafras::sim
