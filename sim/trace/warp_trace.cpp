#include "sim/trace/warp_trace.hpp"

#include <immintrin.h>

#include <algorithm>
#include <cstring>
#include <limits>

namespace sassafras::sim {

namespace {

using FourAddresses [[gnu::vector_size(32), gnu::aligned(8)]] = std::uint64_t;

FourAddresses four(const std::uint64_t* from) { return *reinterpret_cast<const FourAddresses*>(from); }

/// The lanes whose address is not base + lane * stride.
std::uint32_t differs_from(const std::uint64_t* address, std::uint64_t base, std::uint64_t stride) {
    FourAddresses expected = {base, base + stride, base + 2 * stride, base + 3 * stride};
    std::uint32_t differs = 0;
    for (int lane = 0; lane < warp_size; lane += 4) {
        const auto same = static_cast<__m256d>(four(address + lane) == expected);
        differs |= (~static_cast<std::uint32_t>(_mm256_movemask_pd(same)) & 15U) << lane;
        expected += 4 * stride;
    }
    return differs;
}

struct Bounds {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
};

/// Of the lanes in the mask, which is not empty.
Bounds bounds(std::uint32_t mask, const std::uint64_t* address) {
    const std::uint64_t any = address[std::countr_zero(mask)];
    FourAddresses low = {any, any, any, any};
    FourAddresses high = low;
    const FourAddresses none = low;
    for (int lane = 0; lane < warp_size; lane += 4) {
        const std::uint64_t bits = mask >> lane;
        const FourAddresses acts = (FourAddresses{bits, bits >> 1U, bits >> 2U, bits >> 3U} & 1U) != 0U;
        const FourAddresses some = (four(address + lane) & acts) | (none & ~acts);
        low = some < low ? some : low;
        high = some > high ? some : high;
    }
    return {std::min({low[0], low[1], low[2], low[3]}), std::max({high[0], high[1], high[2], high[3]})};
}

}  // namespace

template <class Offset>
void WarpTrace::push_offsets(std::uint64_t header, std::uint64_t base, const std::uint64_t* address) {
    std::array<Offset, warp_size> offsets;
    for (std::size_t lane = 0; lane < warp_size; ++lane) offsets[lane] = static_cast<Offset>(address[lane] - base);
    const std::size_t at = payload_.size();
    payload_.resize(at + 2 + sizeof offsets / sizeof payload_[0]);
    payload_[at] = header;
    payload_[at + 1] = base;
    std::memcpy(&payload_[at + 2], offsets.data(), sizeof offsets);
}

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
        affine = affine && (differs_from(address, base, stride) & mask) == 0;
    }
    if (affine) {
        payload_.push_back(header(Encoding::affine));
        payload_.push_back(address[first] - stride * static_cast<std::uint64_t>(first));
        payload_.push_back(stride);
        return;
    }
    const auto [low, high] = bounds(mask, address);
    if (high - low <= std::numeric_limits<std::uint16_t>::max())
        return push_offsets<std::uint16_t>(header(Encoding::offsets16), low, address);
    if (high - low <= std::numeric_limits<std::uint32_t>::max())
        return push_offsets<std::uint32_t>(header(Encoding::offsets32), low, address);
    const std::size_t at = payload_.size();
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

void WarpTrace::decode(std::span<const std::uint64_t> words, AccessRecord& out) {
    const std::uint64_t* data = words.data();
    out.mask = static_cast<std::uint32_t>(data[0]);
    out.affine = false;
    switch (encoding_of(words)) {
        case Encoding::affine:
            out.affine = true;
            out.stride = static_cast<std::int64_t>(data[2]);
            for (std::size_t lane = 0; lane < warp_size; ++lane) out.address[lane] = data[1] + data[2] * lane;
            return;
        case Encoding::offsets16: {
            std::array<std::uint16_t, warp_size> offsets;
            std::memcpy(offsets.data(), data + 2, sizeof offsets);
            for (std::size_t lane = 0; lane < warp_size; ++lane) out.address[lane] = data[1] + offsets[lane];
            return;
        }
        case Encoding::offsets32:
            for (std::size_t pair = 0; pair < warp_size / 2; ++pair) {
                out.address[2 * pair] = data[1] + static_cast<std::uint32_t>(data[2 + pair]);
                out.address[2 * pair + 1] = data[1] + (data[2 + pair] >> 32);
            }
            return;
        case Encoding::full:
            for (std::size_t lane = 0; lane < warp_size; ++lane) out.address[lane] = data[1 + lane];
            return;
    }
}

void WarpTrace::pop_access(AccessRecord& out) { decode(pop_access_words(), out); }

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
