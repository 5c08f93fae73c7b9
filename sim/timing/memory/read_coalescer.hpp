// Reads of the same sectors by SMs of a GPC, shortly after one another, go to L2 as one, up to a number of SMs.
//
// Source: validate/records/h200/probes/coalescer.cu (which SMs share, how many), coalescer_window.cu (for how long; the
// same sectors only) and l2_rate.cu (an SM's own reads do not join: it reads 16 KiB again and again as fast as 64).
// Hopper's LRC, of which Nsight Compute has metrics (lrc__).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/platform/platform.hpp"

namespace sassafras::sim {

class ReadCoalescer {
  public:
    /// A read that others may join. 32 bytes.
    struct Read {
        std::uint64_t line = 0;
        std::uint64_t until = 0;   ///< joined before this cycle
        std::uint64_t served = 0;  ///< cycle at which its data leave L2
        std::uint32_t sectors = 0;
        std::uint32_t sms = 0;  ///< that have asked, a bit each
    };

    /// Where reads meet: a GPC, and a slice by its number in its partition.
    struct Place {
        std::uint32_t gpc = 0;
        std::uint32_t slice = 0;
    };

    ReadCoalescer(const Platform& platform, std::uint32_t gpcs, std::uint32_t slices)
        : window_(platform.l2.coalescing_cycles), most_requests_(platform.l2.coalesced_requests), slices_(slices) {
        if (window_ != 0) sets_.resize(gpcs * slices_);
    }

    [[nodiscard]] bool modelled() const { return window_ != 0; }
    void clear() { std::fill(sets_.begin(), sets_.end(), Set{}); }

    /// The read that one of `sectors` of a line, sent at `time`, joins or becomes: then only its SM has asked, and who
    /// asks says when it is served. SMs of a GPC are neighbours by number.
    Read& join(Place place, std::uint32_t sm, std::uint64_t line, std::uint32_t sectors, std::uint64_t time) {
        const std::uint32_t asks = std::uint32_t{1} << sm % 32;
        Set& set = sets_[place.gpc * slices_ + place.slice];
        Read* oldest = &set[0];
        for (Read& read : set) {
            if (read.line == line && read.sectors == sectors && time < read.until && (read.sms & asks) == 0 &&
                static_cast<std::uint32_t>(std::popcount(read.sms)) < most_requests_) {
                read.sms |= asks;
                return read;
            }
            if (read.until < oldest->until) oldest = &read;
        }
        *oldest = {.line = line, .until = time + window_, .served = 0, .sectors = sectors, .sms = asks};
        return *oldest;
    }

  private:
    /// As many as a GPC has open at a slice. Fitted to hot_lines.cu and to `gather ld` of docs/measurements.md, which
    /// reads single sectors at a slice's full rate: with 12 it is 11 % too quick, with 88 half as quick again
    /// as an H200; with 8 lines that all SMs read are read 3 % more often than there. Fewer were not tried.
    using Set = std::array<Read, 8>;

    std::uint64_t window_;
    std::uint32_t most_requests_;
    std::size_t slices_;
    std::vector<Set> sets_;  ///< by GPC, then slice
};

}  // namespace sassafras::sim
