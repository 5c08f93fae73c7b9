#include "sim/device/sampling/wave_plan.hpp"

#include <algorithm>

#include "core/random.hpp"

namespace sassafras::sim {

namespace {

constexpr std::uint64_t waves_at_the_beginning = 2;
constexpr std::uint64_t waves_before = 1;  // the measured ones of a window
constexpr std::uint64_t waves_after = 1;
constexpr std::uint64_t least_spared = 2;  // times the work that is done

struct Windows {
    std::uint64_t count = 4;
    std::uint64_t measured = 1;  ///< waves of each
    [[nodiscard]] std::uint64_t length() const { return waves_before + measured + waves_after; }
    [[nodiscard]] std::uint64_t timed() const { return waves_at_the_beginning + count * length() + 1; }
};

/// Of few windows, Student's t is large (3.2 of four); of short ones it matters how far the blocks under way had come
/// at their beginning and at their end: of a merge's single waves the time of an instruction varied by 5 %, and their
/// mean was 1 % too high, of two waves each by 0.1 %.
Windows windows_of(std::uint64_t waves) {
    constexpr std::uint64_t share = 16;
    constexpr std::uint64_t most = 96;
    constexpr std::uint64_t enough_for_more = 40;
    const std::uint64_t timed = std::min(waves / share, most);
    Windows windows{.count = timed < enough_for_more ? 4U : 8U, .measured = 2};
    if (timed / windows.count > windows.length()) windows.measured = timed / windows.count - waves_before - waves_after;
    if (windows.timed() > waves / least_spared) windows.measured = 1;
    return windows;
}

}  // namespace

std::optional<WavePlan> plan_waves(std::uint64_t blocks, std::uint64_t wave, std::uint64_t seed) {
    if (wave == 0) return std::nullopt;
    const Windows windows = windows_of(blocks / wave);
    const std::uint64_t last = wave + blocks % wave;
    const std::uint64_t timed = (waves_at_the_beginning + windows.count * windows.length()) * wave + last;
    if (blocks / least_spared < timed) return std::nullopt;
    WavePlan plan;
    plan.wave = wave;
    plan.windows = windows.count;
    plan.measured = windows.measured;
    plan.timed_blocks = timed;
    plan.timed.push_back({0, waves_at_the_beginning * wave});
    // Between the beginning and the end lies a whole number of waves. Each window comes from a part of its own.
    const std::uint64_t between = (blocks - timed) / wave + windows.count * windows.length();
    Random random(seed);
    for (std::uint64_t i = 0; i < windows.count; ++i) {
        const std::uint64_t from = between * i / windows.count;
        const std::uint64_t to = between * (i + 1) / windows.count;
        const std::uint64_t first = waves_at_the_beginning + from + random.below(to - from - windows.length() + 1);
        plan.timed.push_back({first * wave, windows.length() * wave});
        const std::uint64_t ended = (waves_at_the_beginning + i * windows.length() + waves_before) * wave;
        plan.marks.push_back(ended);
        plan.marks.push_back(ended + windows.measured * wave);
    }
    plan.timed.push_back({blocks - last, last});
    return plan;
}

}  // namespace sassafras::sim
