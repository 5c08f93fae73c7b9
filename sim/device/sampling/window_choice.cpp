#include "sim/device/sampling/window_choice.hpp"

#include <algorithm>
#include <cmath>

#include "core/student.hpp"

namespace sassafras::sim {

namespace {

constexpr std::uint64_t waves_at_the_beginning = 2;
constexpr std::uint64_t waves_after = 1;
constexpr std::uint64_t least_spared = 2;  // times the work that is done
constexpr std::uint64_t waves_beside_windows = waves_at_the_beginning + 1;
constexpr double windows_known_to = 0.01;  // share of a wave's time, if nobody says otherwise

/// Between a window's marks.
double cycles_an_instruction(const TimingMark& from, const TimingMark& to) {
    const auto issued = static_cast<std::size_t>(Stall::selected);
    const std::uint64_t instructions = to.stalls[issued] - from.stalls[issued];
    return static_cast<double>(to.cycles.count - from.cycles.count) /
           static_cast<double>(std::max<std::uint64_t>(1, instructions));
}

}  // namespace

std::optional<WindowChoice> WindowChoice::of(std::uint64_t blocks, std::uint64_t wave, std::optional<double> narrow,
                                             std::uint64_t seed, bool is_first) {
    if (wave == 0) return std::nullopt;
    WindowChoice choice(blocks, wave, narrow, seed, is_first);
    if (choice.most_windows_ < choice.least_windows_) return std::nullopt;
    return choice;
}

/// Of few windows, Student's t is large (2.6 of six); of short ones it matters how far the blocks under way had come at
/// their beginning and at their end: of a merge's single waves the time of an instruction varied by 5 %, and their mean
/// was 1 % too high, of two waves each by 0.1 %. What a window begins with is not quite what the launch would have
/// there: a stencil whose planes are nine waves was 1.2 % too long where one wave went before the measured ones, 0.5 %
/// where ten did.
WindowChoice::WindowChoice(std::uint64_t blocks, std::uint64_t wave, std::optional<double> narrow, std::uint64_t seed,
                           bool is_first)
    : wave_(wave),
      waves_(blocks / wave),
      narrow_(narrow.value_or(windows_known_to)),
      at_(waves_at_the_beginning),
      part_begin_(waves_at_the_beginning),
      random_(seed) {
    constexpr std::uint64_t share = 16;
    constexpr std::uint64_t most = 192;
    constexpr std::uint64_t enough_for_more = 40;
    const std::uint64_t timed = std::min(waves_ / share, most);
    const std::uint64_t windows = timed >= enough_for_more ? 8 : is_first ? 6 : 3;
    const std::uint64_t each = std::max<std::uint64_t>(timed / windows, 4);
    before_ = std::max<std::uint64_t>(1, each / 3);
    measured_ = each - before_ - waves_after;
    const auto room = [&] {
        const std::uint64_t half = waves_ / least_spared;
        return half < waves_beside_windows ? 0 : (half - waves_beside_windows) / length();
    };
    constexpr std::uint64_t windows_of_short = 4;
    if (room() < windows_of_short) {
        least_windows_ = windows_of_short;
        measured_ = 1;
    }
    most_windows_ = narrow ? room() : std::min(room(), std::max(windows, least_windows_));
}

std::uint64_t WindowChoice::length() const { return before_ + measured_ + waves_after; }

/// How many windows it takes, as far as that is known.
std::uint64_t WindowChoice::wanted(std::span<const TimingMark> marks) const {
    const std::size_t n = marks.size() / 2;
    if (n < 2) return least_windows_;
    double mean = 0;
    const auto of = [&](std::size_t i) { return cycles_an_instruction(marks[2 * i], marks[2 * i + 1]); };
    for (std::size_t i = 0; i < n; ++i) mean += of(i) / static_cast<double>(n);
    double spread = 0;
    for (std::size_t i = 0; i < n; ++i) spread += std::pow(of(i) - mean, 2) / static_cast<double>(n - 1);
    const double enough = std::ceil(spread * std::pow(student_t(n - 1) / (narrow_ * mean), 2));
    if (enough >= static_cast<double>(most_windows_)) return most_windows_;
    return std::max(least_windows_, static_cast<std::uint64_t>(enough));
}

AfterPause WindowChoice::next(std::span<const TimingMark> marks) {
    const std::uint64_t last = waves_ - 1;
    const std::uint64_t done = marks.size() / 2;
    const std::uint64_t left = std::max(wanted(marks), done) - done;
    if (left == 0 || last - part_begin_ < length()) return {.next_block = last * wave_};
    const std::uint64_t part = std::max((last - part_begin_) / left, length());
    const std::uint64_t first = part_begin_ + random_.below(part - length() + 1);
    part_begin_ += part;
    at_ = first + length();
    // Behind the blocks that are under way now, which are a wave.
    const std::uint64_t begin = (1 + before_) * wave_;
    return {
        .next_block = first * wave_, .next_pause = at_ * wave_, .marks = {begin - 1, begin - 1 + measured_ * wave_}};
}

}  // namespace sassafras::sim
