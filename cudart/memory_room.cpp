#include "cudart/memory_room.hpp"

#include <algorithm>
#include <iterator>

namespace sassafras::cudart {

namespace {

/// Nanoseconds. What is left of a piece, or until a time, may be off by the last digits of the time.
constexpr double least_length = 1e-6;

/// How many times as long as alone all take that ask for so much together.
double stretch(const GpuBusy& wanted) { return std::max(1.0, *std::max_element(wanted.begin(), wanted.end())); }

bool is_idle(const GpuBusy& wanted) { return *std::max_element(wanted.begin(), wanted.end()) <= 0; }

}  // namespace

/// The next piece is the one that begins at `time`, which is made if there is none.
void MemoryRoom::Pass::go_to(double time) {
    Pieces& pieces = room_.pieces_;
    if (pieces.empty()) room_.origin_ = begin_ = time;
    if (piece_ == pieces.begin() && time < begin_) {
        piece_ = pieces.insert(piece_, {begin_ - time, {}});
        room_.origin_ = begin_ = time;
    }
    for (; piece_ != pieces.end() && time - begin_ > least_length; ++piece_) {
        if (time < begin_ + piece_->length - least_length) {
            const double first = time - begin_;
            pieces.insert(piece_, {first, piece_->wanted});
            piece_->length -= first;
            begin_ = time;
            return;
        }
        begin_ += piece_->length;
    }
    if (piece_ != pieces.end() || time - begin_ <= least_length) return;
    pieces.push_back({time - begin_, {}});
    begin_ = time;
}

/// What is asked for from here on is later by `delay_`, as far as there was nothing to do before.
void MemoryRoom::Pass::put_off() {
    for (auto piece = piece_; piece != room_.pieces_.end() && delay_ > 0; ++piece) {
        if (!is_idle(piece->wanted)) continue;
        const double taken = std::min(delay_, piece->length);
        piece->length -= taken;
        delay_ -= taken;
    }
    while (room_.pieces_.size() > most_pieces) {
        room_.origin_ += room_.pieces_.front().length;
        room_.pieces_.pop_front();
    }
}

MemoryRoom::Progress MemoryRoom::Pass::run(double time, double until, double left, double rate, const GpuBusy& wanted) {
    Progress progress{time, 0};
    if (rate <= 0) return {until, 0};
    if (is_idle(wanted)) {
        progress.time = std::min(until, time + left / rate);
        progress.done = progress.time < until ? left : (until - time) * rate;
        return progress;
    }
    Pieces& pieces = room_.pieces_;
    go_to(time);
    while (left - progress.done > least_length && until - progress.time > least_length) {
        const bool behind_all = piece_ == pieces.end();
        if (!behind_all && delay_ > 0 && is_idle(piece_->wanted)) {
            const double taken = std::min(delay_, piece_->length);
            piece_->length -= taken;
            delay_ -= taken;
        }
        if (!behind_all && piece_->length <= least_length) {
            piece_ = pieces.erase(piece_);
            continue;
        }
        Piece together{0, behind_all ? GpuBusy{} : piece_->wanted};
        const double before = stretch(together.wanted);
        for (std::size_t i = 0; i < wanted.size(); ++i) together.wanted[i] += rate * wanted[i];
        const double now = stretch(together.wanted);
        together.length = std::min(until - progress.time, (left - progress.done) * now / rate);
        if (!behind_all) together.length = std::min(together.length, piece_->length * now / before);
        progress.time += together.length;
        progress.done += together.length * rate / now;
        begin_ = progress.time;
        if (!behind_all) {
            const double moved_on = together.length * before / now;
            delay_ += together.length - moved_on;
            piece_->length -= moved_on;
        }
        if (piece_ != pieces.begin() && std::prev(piece_)->wanted == together.wanted)
            std::prev(piece_)->length += together.length;
        else
            pieces.insert(piece_, together);
    }
    if (until - progress.time <= least_length) progress.time = until;  // and it may not be done
    return progress;
}

void MemoryRoom::forget_before(double time) {
    while (!pieces_.empty() && origin_ + pieces_.front().length <= time) {
        origin_ += pieces_.front().length;
        pieces_.pop_front();
    }
}

}  // namespace sassafras::cudart
