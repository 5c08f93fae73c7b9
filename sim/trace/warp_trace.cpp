#include "sim/trace/warp_trace.hpp"

namespace sassafras::sim {

void WarpTrace::push_access(std::uint32_t mask, const std::uint64_t* address) {
    const auto header = [&](Encoding encoding) {
        return mask | (static_cast<std::uint64_t>(encoding) << encoding_shift);
    };
    make_room(payload_, payload_head_, 2 + warp_size);
    if (mask == 0) {
        payload_.push_back(header(Encoding::affine));
        payload_.push_back(0);
        payload_.push_back(0);
        return;
    }
    const int first = std::countr_zero(mask);
    const std::uint32_t rest = mask & (mask - 1);
    // Full-mask accesses are compressed when affine; partial ones too, by extrapolating from the first two active
    // lanes.
    std::uint64_t stride = 0;
    bool affine = true;
    if (rest != 0) {
        const int second = std::countr_zero(rest);
        const std::uint64_t delta = address[second] - address[first];
        if (second - first == 1) {
            stride = delta;
        } else if (static_cast<std::int64_t>(delta) % (second - first) == 0) {
            stride = static_cast<std::uint64_t>(static_cast<std::int64_t>(delta) / (second - first));
        } else {
            affine = false;
        }
        const std::uint64_t base = address[first] - stride * static_cast<std::uint64_t>(first);
        std::uint32_t differs = 0;
        for (int lane = 0; lane < warp_size; ++lane)
            differs |= static_cast<std::uint32_t>(address[lane] != base + stride * static_cast<std::uint64_t>(lane))
                       << lane;
        affine = affine && (differs & mask) == 0;
    }
    if (affine) {
        payload_.push_back(header(Encoding::affine));
        payload_.push_back(address[first] - stride * static_cast<std::uint64_t>(first));
        payload_.push_back(stride);
        return;
    }
    std::uint64_t low = ~std::uint64_t{0};
    std::uint64_t high = 0;
    for (int lane = 0; lane < warp_size; ++lane) {
        if ((mask >> lane & 1U) == 0) continue;
        low = address[lane] < low ? address[lane] : low;
        high = address[lane] > high ? address[lane] : high;
    }
    const std::size_t at = payload_.size();
    if (high - low <= 0xffffffffU) {
        payload_.resize(at + 2 + warp_size / 2);
        payload_[at] = header(Encoding::offsets32);
        payload_[at + 1] = low;
        for (int pair = 0; pair < warp_size / 2; ++pair) {
            const auto even = static_cast<std::uint32_t>(address[2 * pair] - low);
            const auto odd = static_cast<std::uint32_t>(address[2 * pair + 1] - low);
            payload_[at + 2 + static_cast<std::size_t>(pair)] = even | (static_cast<std::uint64_t>(odd) << 32);
        }
        return;
    }
    payload_.resize(at + 1 + warp_size);
    payload_[at] = header(Encoding::full);
    for (std::size_t lane = 0; lane < warp_size; ++lane) payload_[at + 1 + lane] = address[lane];
}

std::uint64_t WarpTrace::pop_value() {
    require_invariant(payload_head_ < payload_.size(), "trace payload exhausted");
    const std::uint64_t value = payload_[payload_head_++];
    if (payload_head_ == payload_.size()) {
        payload_.clear();
        payload_head_ = 0;
    }
    return value;
}

void WarpTrace::pop_access(AccessRecord& out) {
    require_invariant(payload_head_ + 3 <= payload_.size(), "trace payload exhausted");
    const std::uint64_t* data = payload_.data() + payload_head_;
    out.mask = static_cast<std::uint32_t>(data[0]);
    out.affine = false;
    std::size_t used = 0;
    switch (static_cast<Encoding>(data[0] >> encoding_shift)) {
        case Encoding::affine:
            out.affine = true;
            out.stride = static_cast<std::int64_t>(data[2]);
            for (std::size_t lane = 0; lane < warp_size; ++lane) out.address[lane] = data[1] + data[2] * lane;
            used = 3;
            break;
        case Encoding::offsets32:
            for (std::size_t pair = 0; pair < warp_size / 2; ++pair) {
                out.address[2 * pair] = data[1] + static_cast<std::uint32_t>(data[2 + pair]);
                out.address[2 * pair + 1] = data[1] + (data[2 + pair] >> 32);
            }
            used = 2 + warp_size / 2;
            break;
        case Encoding::full:
            for (std::size_t lane = 0; lane < warp_size; ++lane) out.address[lane] = data[1 + lane];
            used = 1 + warp_size;
            break;
    }
    payload_head_ += used;
    if (payload_head_ == payload_.size()) {
        payload_.clear();
        payload_head_ = 0;
    }
}

std::span<const std::uint64_t> WarpTrace::pop_access_words() {
    require_invariant(payload_head_ + 3 <= payload_.size(), "trace payload exhausted");
    const std::uint64_t* data = payload_.data() + payload_head_;
    const std::span<const std::uint64_t> words(data, access_words(static_cast<Encoding>(data[0] >> encoding_shift)));
    payload_head_ += words.size();
    if (payload_head_ == payload_.size()) {
        payload_.clear();  // the words stay where they are until something is pushed
        payload_head_ = 0;
    }
    return words;
}

void WarpTrace::clear() {
    segments_.clear();
    payload_.clear();
    segment_head_ = payload_head_ = 0;
    produced_ = consumed_ = 0;
    last_ = {};
    state = State::running;
    woken = 0;
    has_turn = false;
}

}  // namespace sassafras::sim
