// Counts of a launch that need no time, from its records.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isa/program/program.hpp"
#include "sim/access/access_memo.hpp"
#include "sim/access/instruction_counters.hpp"
#include "sim/access/payload_sites.hpp"
#include "sim/platform/platform.hpp"
#include "sim/trace/warp_trace.hpp"

namespace sassafras::sim {

class LaunchCounters {
  public:
    LaunchCounters(const isa::Program& program, const Platform& platform);

    /// Takes all that is buffered.
    void drain(WarpTrace& trace) {
        drain(trace, [](std::uint32_t, std::span<const std::uint64_t>) {});
    }
    /// The same; calls see(number of its site, words as of WarpTrace::pop_access_words) for every access.
    template <class See>
    void drain(WarpTrace& trace, const See& see) {
        while (trace.has_segment()) {
            const Segment before = trace.last_segment();
            const Segment segment = trace.pop_segment();
            warp_instructions_ += segment.count;
            counters_.add_segment(segment, before);
            const std::uint32_t end = sites_.end(segment);
            for (std::uint32_t i = sites_.begin(segment); i < end; ++i) {
                const PayloadSite& site = sites_[i];
                if (!site.is_access) {
                    (void)trace.pop_value();
                    continue;
                }
                const std::span<const std::uint64_t> words = trace.pop_access_words();
                see(i, words);
                count_access(site, words, known_[i]);
            }
        }
    }

    /// As if nothing had been counted.
    void forget() {
        counters_.clear();
        warp_instructions_ = 0;
    }
    /// Adds what another has counted of the same launch.
    void merge(const LaunchCounters& other) {
        counters_.merge(other.counters_);
        warp_instructions_ += other.warp_instructions_;
    }

    [[nodiscard]] const PayloadSites& sites() const { return sites_; }
    [[nodiscard]] std::uint64_t warp_instructions() const { return warp_instructions_; }
    [[nodiscard]] std::vector<InstructionCounts> counts() const { return counters_.finish(); }

  private:
    void count_access(const PayloadSite& site, std::span<const std::uint64_t> words, KnownAccess& known);
    void count_decoded(const PayloadSite& site, std::span<const std::uint64_t> words, KnownAccess& known);

    BankGeometry banks_;
    LineGeometry lines_;
    InstructionCounters counters_;
    GlobalAccess scratch_;
    std::uint64_t warp_instructions_ = 0;
    PayloadSites sites_;
    std::vector<KnownAccess> known_;  ///< by site
    std::uint64_t period_;            ///< of KnownAccess; 0: none
};

}  // namespace sassafras::sim
