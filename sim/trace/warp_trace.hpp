// What execution tells timing about one warp: which instructions ran under which mask, and which addresses they
// touched. Platform-independent: no bank, sector or cycle appears here. Single producer, single consumer, never at the
// same time.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/result.hpp"
#include "core/types.hpp"

namespace sassafras::sim {

/// Consecutive instructions [first, first + count) that a warp executed with one active mask (before the guard
/// predicate).
struct Segment {
    std::uint32_t first = 0;  ///< instruction index
    std::uint32_t count = 0;
    std::uint32_t mask = 0;
};

/// The addresses of one executed memory instruction. Lanes outside `mask` (inactive or predicated off) are undefined.
struct AccessRecord {
    std::uint32_t mask = 0;
    bool affine = false;  ///< address[lane] = address[0] + lane * stride for all lanes
    std::int64_t stride = 0;
    std::array<std::uint64_t, warp_size> address{};
};

/// Payloads lie in program order of the instructions that own them:
///   isa::is_memory_access(opcode)  one access (also with an empty mask when every lane is predicated off); LDGSTS two,
///                                  what it loads and what it stores to shared memory (access_records())
///   BAR                            one value: barrier number | expected threads << 8 (0: whole block); plus
///   barrier_partly while
///                                  lanes of the warp are still to come: a warp counts once, as a whole
///   NANOSLEEP                      one value: nanoseconds. The next segment of lanes of its segment waits for its end,
///                                  other lanes' do not
///   LDC by a register              one value: different addresses of its lanes (isa::is_indexed_constant_load)
/// An instruction whose guard is false for all lanes still has its payload: mask 0, or value 0xffffffffffffffff.
class WarpTrace {
  public:
    enum class Encoding : std::uint8_t { affine, offsets32, full, offsets16 };  // trace files have the first three
    static constexpr int encoding_shift = 32;
    [[nodiscard]] static constexpr std::size_t access_words(Encoding encoding) {
        return encoding == Encoding::affine      ? 3
               : encoding == Encoding::offsets16 ? 2 + warp_size / 4
               : encoding == Encoding::offsets32 ? 2 + warp_size / 2
                                                 : 1 + std::size_t{warp_size};
    }
    [[nodiscard]] static constexpr Encoding encoding_of(std::span<const std::uint64_t> words) {
        return static_cast<Encoding>(words[0] >> encoding_shift);
    }
    /// Of an access with offsets, what the lane's address is beyond the base.
    [[nodiscard]] static constexpr std::uint32_t offset(std::span<const std::uint64_t> words, std::size_t lane) {
        if (encoding_of(words) == Encoding::offsets16)
            return static_cast<std::uint16_t>(words[2 + lane / 4] >> (lane % 4 * 16));
        return static_cast<std::uint32_t>(words[2 + lane / 2] >> (lane % 2 * 32));
    }

    enum class State : std::uint8_t {
        running,        ///< more may come
        waiting_clock,  ///< the last instruction of the last segment reads a clock; execution goes on after
                        ///< provide_clock
        waiting_turn,   ///< the last instruction of the last segment is contended (isa::contended_instructions): its
                        ///< payload comes, and execution goes on, after take_turn()
        sleeping,       ///< lanes are behind a NANOSLEEP and no others can run; execution goes on after wake()
        exited,         ///< nothing more will come
    };
    static constexpr std::uint64_t predicated_off = ~std::uint64_t{0};
    static constexpr std::uint64_t barrier_partly = std::uint64_t{1} << 32U;

    State state = State::running;
    std::uint32_t woken = 0;  ///< lanes, by wake(), since execution last looked
    bool has_turn = false;    ///< by take_turn(), until execution has used it

    // Producer.
    void push_segment(Segment segment) {
        make_room(segments_, segment_head_, 1);
        segments_.push_back(segment);
        produced_ += segment.count;
    }
    void push_value(std::uint64_t value) {
        make_room(payload_, payload_head_, 1);
        payload_.push_back(value);
    }
    void push_access(std::uint32_t mask, const std::uint64_t* address);  // 32 addresses
    /// Room for one access of `count` words, to be filled with the form that pop_access_words gives.
    std::span<std::uint64_t> push_access_words(std::size_t count) {
        make_room(payload_, payload_head_, count);
        payload_.resize(payload_.size() + count);
        return {payload_.data() + payload_.size() - count, count};
    }

    /// The `count` words of payload that were pushed last, if they are not popped yet; valid until the next push or
    /// pop.
    [[nodiscard]] std::span<const std::uint64_t> last_payload(std::size_t count) const {
        return {payload_.data() + payload_.size() - count, count};
    }

    // Consumer.
    /// The timer of `lanes`, which sleep, has gone off: they may go on.
    void wake(std::uint32_t lanes) {
        woken |= lanes;
        if (state == State::sleeping) state = State::running;
    }
    /// The contended instruction that the trace ends with is issued, and is the one to execute now.
    void take_turn() {
        has_turn = true;
        state = State::running;
    }
    [[nodiscard]] bool has_segment() const { return segment_head_ < segments_.size(); }
    Segment pop_segment() {
        const Segment segment = segments_[segment_head_++];
        last_ = segment;
        consumed_ += segment.count;
        if (segment_head_ == segments_.size()) {
            segments_.clear();
            segment_head_ = 0;
        }
        return segment;
    }
    /// The segment that was popped last; empty if none was.
    [[nodiscard]] const Segment& last_segment() const { return last_; }
    std::uint64_t pop_value();
    void pop_access(AccessRecord& out);
    /// The access in the form in which it is buffered, valid until the next push or pop:
    ///   affine     header, base, stride: lane's address = base + lane * stride
    ///   offsets16  header, base, 32 offsets of 16 bits: lane's address = base + offset
    ///   offsets32  the same with offsets of 32 bits
    ///   full       header, 32 addresses
    /// The header is the mask | encoding << 32.
    std::span<const std::uint64_t> pop_access_words();
    /// From that form.
    static void decode(std::span<const std::uint64_t> words, AccessRecord& out);

    /// Instructions in segments not yet popped.
    [[nodiscard]] std::uint64_t buffered() const { return produced_ - consumed_; }

    /// Bounded by what was buffered at a time, not by what went through.
    [[nodiscard]] std::size_t allocated_bytes() const {
        return segments_.capacity() * sizeof(Segment) + payload_.capacity() * sizeof(std::uint64_t);
    }
    [[nodiscard]] std::size_t buffered_segments() const { return segments_.size() - segment_head_; }
    /// Words of payload not yet popped.
    [[nodiscard]] std::size_t buffered_payload() const { return payload_.size() - payload_head_; }

    void clear();

    /// Memory to buffer in.
    struct Buffers {
        std::vector<Segment> segments;
        std::vector<std::uint64_t> payload;
    };
    /// Goes on in these, and gives its own for another trace to use; while nothing is buffered.
    void exchange(Buffers& buffers) {
        require_invariant(!has_segment() && buffered_payload() == 0, "a trace gives buffers away that are in use");
        segments_.clear();
        payload_.clear();
        segment_head_ = payload_head_ = 0;
        segments_.swap(buffers.segments);
        payload_.swap(buffers.payload);
    }

    /// What is buffered and where producer and consumer stand.
    struct Mark {
        State state = State::running;
        std::uint32_t woken = 0;
        bool has_turn = false;
        std::size_t segments = 0;
        std::size_t payload = 0;
        std::uint64_t produced = 0;
        std::uint64_t consumed = 0;
        Segment last;
    };
    [[nodiscard]] Mark mark() const {
        return {state, woken, has_turn, buffered_segments(), buffered_payload(), produced_, consumed_, last_};
    }
    /// Forgets all that was produced since. Some of that may have been popped, of what was buffered before nothing.
    void cut_back(const Mark& mark) {
        state = mark.state;
        woken = mark.woken;
        has_turn = mark.has_turn;
        segments_.resize(segment_head_ + mark.segments);
        payload_.resize(payload_head_ + mark.payload);
        produced_ = mark.produced;
        consumed_ = mark.consumed;
        last_ = mark.last;
    }

  private:
    /// Where the next elements would need more memory, those that are consumed go instead if they are a quarter: a
    /// consumer that never catches up must not let the buffer grow, and thousands of warps have one each.
    template <class Element>
    static void make_room(std::vector<Element>& elements, std::size_t& head, std::size_t count) {
        if (elements.size() + count <= elements.capacity()) return;
        if (head > elements.size() / 4 && head >= count) {
            elements.erase(elements.begin(), elements.begin() + static_cast<std::ptrdiff_t>(head));
            head = 0;
            return;
        }
        elements.reserve(std::max(elements.size() + count, elements.capacity() + elements.capacity() / 2));
    }

    template <class Offset>
    void push_offsets(std::uint64_t header, std::uint64_t base, const std::uint64_t* address);

    std::vector<Segment> segments_;
    std::vector<std::uint64_t> payload_;
    std::size_t segment_head_ = 0;
    std::size_t payload_head_ = 0;
    Segment last_;
    std::uint64_t produced_ = 0;
    std::uint64_t consumed_ = 0;
};

/// A segment just popped, without the contended instruction at its end whose payload has not come, and that.
struct SplitSegment {
    Segment complete;
    Segment owed;
};
[[nodiscard]] inline SplitSegment without_owed(const Segment& segment, const WarpTrace& from) {
    if (from.state != WarpTrace::State::waiting_turn || from.has_segment()) return {.complete = segment, .owed = {}};
    return {.complete = {segment.first, segment.count - 1, segment.mask},
            .owed = {segment.first + segment.count - 1, 1, segment.mask}};
}

}  // namespace sassafras::sim
