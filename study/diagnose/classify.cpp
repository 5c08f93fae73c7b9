#include "study/diagnose/classify.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace sassafras::study {

namespace {

struct ChosenRatio {
    double value = 0;
    double ideal = 0;
    std::string_view of;
    bool is_above = false;
};

/// Instructions a byte of L2 if it hits often, else of DRAM, beside the machine's.
std::optional<ChosenRatio> chosen_ratio(const Figures& figures, const Thresholds& thresholds) {
    const bool is_by_l2 = figures.find(Figure::l2_hit_rate).value_or(0) >= thresholds.high_l2_hit_percent &&
                          figures.find(Figure::l2_ratio).has_value();
    const auto ratio = figures.find(is_by_l2 ? Figure::l2_ratio : Figure::dram_ratio);
    const auto ideal = figures.find(Figure::ideal_ratio);
    if (!ratio || !ideal) return std::nullopt;
    return ChosenRatio{*ratio, *ideal, is_by_l2 ? "L2" : "DRAM", *ratio > *ideal};
}

Bound bound_of(Side side) {
    switch (side) {
        case Side::shared_memory: return Bound::shared_memory;
        case Side::instructions: return Bound::instructions;
        case Side::memory: break;
    }
    return Bound::memory;
}

}  // namespace

std::string_view text_of(Bound bound) {
    switch (bound) {
        case Bound::memory: return "memory";
        case Bound::shared_memory: return "shared memory";
        case Bound::instructions: return "instructions";
        case Bound::latency: return "latency";
        case Bound::unknown: break;
    }
    return "unknown";
}

Verdict literal_verdict(const Figures& figures, const Thresholds& thresholds) {
    const auto ratio = chosen_ratio(figures, thresholds);
    if (!ratio) return {Bound::unknown, "", 0, "the instructions a byte are not known"};
    const auto share = figures.find(ratio->is_above ? Figure::issue_share : Figure::dram_share);
    const std::string_view side = ratio->is_above ? "instructions" : "DRAM";
    const std::string compared = fmt::format("{:.3g} instructions a byte of {} {} the machine's {:.3g}", ratio->value,
                                             ratio->of, ratio->is_above ? "against" : "below", ratio->ideal);
    if (!share) return {Bound::unknown, "", 0, fmt::format("{}, and the share of {} is not known", compared, side)};
    const std::string because = fmt::format("{}, and {:.0f} % of the peak of {}", compared, *share, side);
    if (*share < thresholds.near_peak_percent) return {Bound::latency, "", *share, because};
    return {ratio->is_above ? Bound::instructions : Bound::memory, "", *share, because};
}

Verdict unit_verdict(const std::vector<Roof>& roofs, const Figures& figures, const Thresholds& thresholds) {
    const auto ratio = chosen_ratio(figures, thresholds);
    const auto counts = [&](const Roof& roof) {
        return !roof.is_literal || !ratio || ratio->is_above == (roof.side == Side::instructions);
    };
    const auto nearest = std::find_if(roofs.begin(), roofs.end(), counts);
    if (nearest == roofs.end()) return {Bound::unknown, "", 0, "no unit's use is known"};
    const std::string because = fmt::format("{} at {:.0f} % of its peak", nearest->unit, nearest->percent);
    if (nearest->percent < thresholds.near_peak_percent)
        return {Bound::latency, "", nearest->percent, "no unit is near its peak, the nearest is the " + because};
    return {bound_of(nearest->side), std::string(nearest->unit), nearest->percent, because};
}

}  // namespace sassafras::study
