#include "cudart/memory_room.hpp"

#include <algorithm>
#include <iterator>

namespace sassafras::cudart {

namespace {

/// Nanoseconds. What is left of a piece may be off by the last digits of the time.
constexpr double least_length = 1e-6;

/// How many times as long as alone all take that ask for so much together.
double stretch(const GpuBusy& wanted) { return std::max(1.0, *std::max_element(wanted.begin(), wanted.end())); }

bool is_idle(const GpuBusy& wanted) { return *std::max_element(wanted.begin(), wanted.end()) <= 0; }

}  // namespace

/// The piece that begins at `time`, which is made if there is none; the end if nothing is asked for from then on.
MemoryRoom::Pieces::iterator MemoryRoom::begin_piece_at(double time) {
    if (pieces_.empty()) origin_ = time;
    if (time < origin_) {
        pieces_.push_front({origin_ - time, {}});
        origin_ = time;
    }
    double begin = origin_;
    for (auto piece = pieces_.begin(); piece != pieces_.end(); ++piece) {
        if (time - begin <= least_length) return piece;
        if (time < begin + piece->length - least_length) {
            const Piece first{time - begin, piece->wanted};
            piece->length -= first.length;
            return std::next(pieces_.insert(piece, first));
        }
        begin += piece->length;
    }
    if (time - begin > least_length) pieces_.push_back({time - begin, {}});
    return pieces_.end();
}

/// What is asked for from this piece on is later by `delay`, as far as there was nothing to do before.
void MemoryRoom::absorb(Pieces::iterator piece, double delay) {
    for (; piece != pieces_.end() && delay > 0; ++piece) {
        if (!is_idle(piece->wanted)) continue;
        const double taken = std::min(delay, piece->length);
        piece->length -= taken;
        delay -= taken;
    }
}

MemoryRoom::Progress MemoryRoom::run(double time, double until, double left, double rate, const GpuBusy& wanted) {
    Progress progress{time, 0};
    if (rate <= 0) return {until, 0};
    if (is_idle(wanted)) {
        progress.time = std::min(until, time + left / rate);
        progress.done = progress.time < until ? left : (until - time) * rate;
        return progress;
    }
    double delay = 0;
    auto piece = begin_piece_at(time);
    while (left - progress.done > least_length && until - progress.time > least_length) {
        const bool behind_all = piece == pieces_.end();
        Piece together{0, behind_all ? GpuBusy{} : piece->wanted};
        const double before = stretch(together.wanted);
        for (std::size_t i = 0; i < wanted.size(); ++i) together.wanted[i] += rate * wanted[i];
        const double now = stretch(together.wanted);
        together.length = std::min(until - progress.time, (left - progress.done) * now / rate);
        if (!behind_all) together.length = std::min(together.length, piece->length * now / before);
        progress.time += together.length;
        progress.done += together.length * rate / now;
        if (behind_all) {
            pieces_.push_back(together);
            piece = pieces_.end();
            continue;
        }
        const double moved_on = together.length * before / now;
        delay += together.length - moved_on;
        piece->length -= moved_on;
        const bool used = piece->length <= least_length;
        piece = std::next(pieces_.insert(piece, together));
        if (used) piece = pieces_.erase(piece);
    }
    absorb(piece, delay);
    while (pieces_.size() > most_pieces) {
        origin_ += pieces_.front().length;
        pieces_.pop_front();
    }
    return progress;
}

void MemoryRoom::forget_before(double time) {
    while (!pieces_.empty() && origin_ + pieces_.front().length <= time) {
        origin_ += pieces_.front().length;
        pieces_.pop_front();
    }
}

}  // namespace sassafras::cudart
