#include "sim/timing/production_plan.hpp"

#include <algorithm>

#include "isa/sass/communication.hpp"

namespace sassafras::sim {

namespace {

constexpr std::uint64_t usual_run_ahead = 512;

}  // namespace

std::uint64_t run_ahead_of(const isa::Program& program, std::uint64_t round) {
    const bool communicates =
        std::any_of(program.instructions.begin(), program.instructions.end(), isa::reads_what_others_write);
    return communicates ? std::min(usual_run_ahead, round) : usual_run_ahead;
}

void ProductionPlan::next(std::span<const ProductionNeed> needs) {
    order_.clear();
    chosen_.clear();
    std::uint64_t missing = 0;
    for (std::uint32_t sm = 0; sm < needs.size(); ++sm) {
        missing += needs[sm].missing;
        const bool may_be_chosen = needs[sm].least <= std::max(round_, run_ahead_ / 2);
        (may_be_chosen ? chosen_ : order_).push_back(sm);
    }
    std::stable_sort(chosen_.begin(), chosen_.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return needs[a].least < needs[b].least; });
    // A quarter more than was consumed, or a backlog would stay.
    const std::uint64_t budget = (missing - std::min(missing, missing_before_)) * 5 / 4;
    std::uint64_t planned = 0;
    std::size_t count = 0;
    while (count < chosen_.size() && (needs[chosen_[count]].least <= round_ || planned < budget)) {
        planned += needs[chosen_[count]].missing;
        ++count;
    }
    order_.insert(order_.end(), chosen_.begin() + static_cast<std::ptrdiff_t>(count), chosen_.end());
    first_produced_ = order_.size();
    order_.insert(order_.end(), chosen_.begin(), chosen_.begin() + static_cast<std::ptrdiff_t>(count));
    missing_before_ = missing - planned;
}

std::uint64_t ProductionPlan::target(std::uint32_t sm, const ProductionNeed& need) const {
    if (need.least != 0) return run_ahead_;
    return std::max(run_ahead_ * (4 + sm * 7 % 13) / 16, std::min(run_ahead_, 2 * round_));
}

}  // namespace sassafras::sim
