// Which blocks of a launch are timed when it is sampled: windows of some waves, of as many blocks as the GPU holds at a
// time. Where the next one lies is decided when the launch has come to the end of one.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/random.hpp"
#include "sim/timing/simulate.hpp"

namespace sassafras::sim {

/// Two waves at the beginning are timed, of which the first finds the GPU empty and the second as it will be; windows
/// from all over the grid, of some measured waves between others: those before bring to the caches what neighbours
/// share, and while a wave's blocks end those of the one behind begin; the last wave, and with it what remains of the
/// grid after whole waves, so that the launch ends as the whole one does.
class WindowChoice {
  public:
    /// Nothing where the launch is too small for half of the work to be spared. Three windows are enough if they say
    /// what a wave takes to `narrow` of it, with 95 % confidence; else there are more, up to half of the launch.
    /// Without `narrow` that is 1 %, and they are six at most, of a launch of many waves eight, which are a sixteenth
    /// of it and no more than two hundred waves, and three where a launch of its kind has been timed before (not
    /// `is_first`): the error of their mean counts, too. `seed` decides where in its part of the grid each window
    /// lies.
    [[nodiscard]] static std::optional<WindowChoice> of(std::uint64_t blocks, std::uint64_t wave,
                                                        std::optional<double> narrow, std::uint64_t seed,
                                                        bool is_first = true);

    /// The launch pauses first before this block.
    [[nodiscard]] std::uint64_t first_pause() const { return at_ * wave_; }
    /// How it goes on. `marks`: two for each window so far, between which its measured waves ended.
    [[nodiscard]] AfterPause next(std::span<const TimingMark> marks);

  private:
    WindowChoice(std::uint64_t blocks, std::uint64_t wave, std::optional<double> narrow, std::uint64_t seed,
                 bool is_first);

    [[nodiscard]] std::uint64_t length() const;
    [[nodiscard]] std::uint64_t wanted(std::span<const TimingMark> marks) const;

    std::uint64_t wave_;   ///< blocks
    std::uint64_t waves_;  ///< whole ones
    double narrow_;
    std::uint64_t least_windows_ = 3;
    std::uint64_t most_windows_ = 0;
    std::uint64_t before_ = 1;    ///< waves of a window that go before those that are measured
    std::uint64_t measured_ = 1;  ///< waves of a window
    std::uint64_t at_;            ///< first wave behind what was timed last
    std::uint64_t part_begin_;    ///< first wave of the part of the grid that the next window comes from
    Random random_;
};

}  // namespace sassafras::sim
