// Which launches of a program are timed when it is sampled: enough of those that are alike.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/device/device.hpp"
#include "sim/timing/simulate.hpp"

namespace sassafras::sim {

/// What tells launches of one kernel apart before they run.
struct LaunchKind {
    std::string kernel;
    std::uint64_t code = 0;  ///< a hash: two modules may have kernels of one name
    Dim3 grid;
    Dim3 block;
    std::uint64_t dynamic_shared = 0;

    [[nodiscard]] static LaunchKind of(const Launch& launch, const isa::Program& program);
    friend auto operator<=>(const LaunchKind&, const LaunchKind&) = default;
};

/// Timed launches that say something of one that was executed only.
struct TimedLaunches {
    std::vector<const TimingResult*> results;  ///< those that did as much as it did; if there are less than three, the
                                               ///< three that come nearest
    bool are_like = true;
    std::vector<const TimingResult*> kind;  ///< all of its kind, those among them
};

/// Launches are looked at by kind. Three of a kind are timed, and more until the mean of their cycles an instruction is
/// known to `narrow` of it with 95 % confidence. A launch that turns out to have done more or less than all that were
/// timed has the next of its kind timed, too; so has one that did as much as one or two of them, while the mean is not
/// known. However much they differ, the timed ones are no more than a few and the root of their number.
class LaunchHistory {
  public:
    /// `first_is_alike`: not where a kind's first launch finds L2 and the code caches as none of the others does, or
    /// may be the process's first. Then it is left out where there are others.
    LaunchHistory(double narrow, bool first_is_alike) : narrow_(narrow), first_is_alike_(first_is_alike) {}

    /// Whether there was a launch of this kind.
    [[nodiscard]] bool knows(const LaunchKind& kind) const { return kinds_.contains(kind); }
    /// Whether the next launch of this kind is to be timed.
    [[nodiscard]] bool wants_time(const LaunchKind& kind) const;
    /// The next launch of the kind has been timed, whole or in waves.
    void add(const LaunchKind& kind, TimingResult timing);
    /// The next launch of the kind has been executed, with these counts by instruction. Valid until the next add().
    [[nodiscard]] TimedLaunches executed(const LaunchKind& kind, const std::vector<InstructionCounts>& counts);

  private:
    struct Kind {
        std::vector<TimingResult> timed;
        std::uint64_t launches = 0;
        bool was_unlike = false;  ///< the last one that was not timed
    };
    [[nodiscard]] std::size_t first_used(const Kind& kind) const;
    [[nodiscard]] bool is_narrow(const Kind& kind) const;

    double narrow_;
    bool first_is_alike_;
    std::map<LaunchKind, Kind> kinds_;
};

}  // namespace sassafras::sim
