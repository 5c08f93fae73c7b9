#include "sim/device/sampling/wave_plan.hpp"

#include "core/random.hpp"

namespace sassafras::sim {

namespace {

constexpr std::uint64_t waves_at_the_beginning = 2;
constexpr std::uint64_t waves_before = 1;  // a measured one
constexpr std::uint64_t window = waves_before + 2;
constexpr std::uint64_t least_spared = 2;  // times the work that is done

}  // namespace

std::optional<WavePlan> plan_waves(std::uint64_t blocks, std::uint64_t wave, std::uint64_t measured,
                                   std::uint64_t seed) {
    if (wave == 0 || measured == 0) return std::nullopt;
    const std::uint64_t last = wave + blocks % wave;
    const std::uint64_t timed = (waves_at_the_beginning + measured * window) * wave + last;
    if (blocks / least_spared < timed) return std::nullopt;
    WavePlan plan;
    plan.wave = wave;
    plan.measured = measured;
    plan.timed_blocks = timed;
    plan.other_blocks = blocks - timed;
    plan.timed.push_back({0, waves_at_the_beginning * wave});
    // Between the beginning and the end lies a whole number of waves. Each window comes from a part of its own.
    const std::uint64_t between = (blocks - timed) / wave + measured * window;
    Random random(seed);
    for (std::uint64_t i = 0; i < measured; ++i) {
        const std::uint64_t from = between * i / measured;
        const std::uint64_t to = between * (i + 1) / measured;
        const std::uint64_t first = waves_at_the_beginning + from + random.below(to - from - window + 1);
        plan.timed.push_back({first * wave, window * wave});
        const std::uint64_t ended = (waves_at_the_beginning + i * window + waves_before) * wave;
        plan.marks.push_back(ended);
        plan.marks.push_back(ended + wave);
    }
    plan.timed.push_back({blocks - last, last});
    std::uint64_t next = 0;
    for (const BlockRange& range : plan.timed) {
        if (range.first != next) plan.others.push_back({next, range.first - next});
        next = range.first + range.count;
    }
    return plan;
}

}  // namespace sassafras::sim
