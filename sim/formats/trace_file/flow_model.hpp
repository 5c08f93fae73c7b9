// What writer and reader of a trace both know of a warp's control flow, so that the file holds surprises only: which
// segment follows which, and which masks were seen of late.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "sim/trace/warp_trace.hpp"

namespace sassafras::sim {

/// How a segment's instructions are told, from the cheapest to the dearest form.
enum class ShapeCode : std::uint8_t {
    after_two,        ///< what followed the last two segments before
    after_one,        ///< what followed the last segment before
    next_known,       ///< begins where the last one ended, as long as the last time
    next_new,         ///< begins where the last one ended, with a new length
    elsewhere_known,  ///< begins elsewhere, as long as the last time
    elsewhere_new,
    count_,
};

/// How a segment's mask is told: codes below `remembered` are places in the list of recent masks.
struct MaskCode {
    static constexpr std::uint8_t remembered = 8;
    static constexpr std::uint8_t without = 8;  ///< 8, 9, 10: recent[1..3] without the lanes of recent[0]
    static constexpr std::uint8_t with = 11;    ///< 11, 12, 13: recent[1..3] and the lanes of recent[0]
    static constexpr std::uint8_t literal = 15;
};

class FlowModel {
  public:
    /// Another frame: nothing is known.
    void reset() { *this = FlowModel(); }
    /// Another warp: its history is empty; what followed what is still known.
    void begin_warp() {
        last_ = before_ = {};
        recent_.fill(0xffffffffU);
    }

    [[nodiscard]] std::uint32_t last_end() const { return last_.first + last_.count; }
    [[nodiscard]] std::uint32_t known_count(std::uint32_t first) const { return counts_[first % counts_.size()]; }
    /// The instructions that the code stands for; nothing for codes that need numbers.
    [[nodiscard]] const Segment& after_two() const { return after_two_[two_index()]; }
    [[nodiscard]] const Segment& after_one() const { return after_one_[one_index()]; }

    /// The shortest code; `literal` if the mask cannot be derived.
    [[nodiscard]] std::uint8_t mask_code(std::uint32_t mask) const {
        for (std::uint8_t i = 0; i < MaskCode::remembered; ++i)
            if (recent_[i] == mask) return i;
        for (std::uint8_t i = 0; i < 3; ++i)
            if ((recent_[i + 1U] & ~recent_[0]) == mask) return static_cast<std::uint8_t>(MaskCode::without + i);
        for (std::uint8_t i = 0; i < 3; ++i)
            if ((recent_[i + 1U] | recent_[0]) == mask) return static_cast<std::uint8_t>(MaskCode::with + i);
        return MaskCode::literal;
    }
    [[nodiscard]] std::optional<std::uint32_t> mask_of(std::uint8_t code) const {
        if (code < MaskCode::remembered) return recent_[code];
        if (code < MaskCode::with) return recent_[code - MaskCode::without + 1U] & ~recent_[0];
        if (code < MaskCode::with + 3) return recent_[code - MaskCode::with + 1U] | recent_[0];
        return std::nullopt;
    }

    void update(const Segment& segment) {
        after_two_[two_index()] = segment;
        after_one_[one_index()] = segment;
        counts_[segment.first % counts_.size()] = segment.count;
        before_ = last_;
        last_ = segment;
        std::size_t place = 0;
        while (place + 1 < recent_.size() && recent_[place] != segment.mask) ++place;
        for (; place != 0; --place) recent_[place] = recent_[place - 1];
        recent_[0] = segment.mask;
    }

  private:
    [[nodiscard]] std::size_t one_index() const { return (last_.first * 31U + last_.count) % after_one_.size(); }
    [[nodiscard]] std::size_t two_index() const {
        return (last_.first * 31U + last_.count * 7U + before_.first * 1021U + before_.count) % after_two_.size();
    }

    Segment last_;
    Segment before_;
    std::array<std::uint32_t, MaskCode::remembered> recent_{};
    std::array<std::uint32_t, 1024> counts_{};
    std::array<Segment, 1024> after_one_{};
    std::array<Segment, 2048> after_two_{};
};

}  // namespace sassafras::sim
