// What bounds a kernel: the framework's decision, as the thesis writes it down and with the levels of single units.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "study/diagnose/roofs.hpp"

namespace sassafras::study {

enum class Bound : std::uint8_t {
    unknown,  ///< a counter that decides is missing
    memory,
    shared_memory,
    instructions,
    latency,
};
[[nodiscard]] std::string_view text_of(Bound bound);

/// The numbers that decide. Gehrke 2015: 70 % of a peak is "very good" (section 2.5), a kernel within 20 % of a roof is
/// done; a high hit rate of L2 is not given a number: 88 % to 91 % are called high, 73 % is judged by L2.
struct Thresholds {
    double near_peak_percent = 70;
    double at_roof_percent = 80;
    double high_l2_hit_percent = 70;
};

struct Verdict {
    Bound bound = Bound::unknown;
    std::string unit;     ///< which one, of the rule by units; empty if it is latency
    double percent = 0;   ///< of the peak of what bounds it, or comes nearest
    std::string because;  ///< the numbers that decide, as a sentence's end
};

/// The rule of pages 27 and 35 (which prints the two directions reversed): the ratio of instructions to bytes of L2, if
/// it hits often, else of DRAM, against the machine's; and whether that side is near its peak.
[[nodiscard]] Verdict literal_verdict(const Figures& figures, const Thresholds& thresholds);

/// The unit nearest to its peak, if it is near; an extension of ours that agrees with the thesis' author more often. Of
/// the two that the thesis' decision looks at, only the one on the kernel's side of the ideal ratio counts.
[[nodiscard]] Verdict unit_verdict(const std::vector<Roof>& roofs, const Figures& figures,
                                   const Thresholds& thresholds);

}  // namespace sassafras::study
