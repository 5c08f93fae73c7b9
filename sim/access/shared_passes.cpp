#include "sim/access/shared_passes.hpp"

#include <algorithm>
#include <map>

#include "sim/access/swap_lanes.hpp"

namespace sassafras::sim {

namespace {

std::uint32_t lanes_from_to(int first, int last) {
    return (last == warp_size ? ~0U : (1U << last) - 1U) & ~((1U << first) - 1U);
}

/// Serves the lanes [first, last) from the plan's next pass on.
void serve(const AccessRecord& access, int first, int last, const SharedGroups& groups, bool share, ServicePlan& plan) {
    std::map<std::uint64_t, std::uint32_t> pass_of_word;
    std::map<std::uint64_t, std::uint32_t> words_of_slot;
    std::uint32_t needed = 0;
    for (int lane = first; lane < last; ++lane) {
        if ((access.mask >> lane & 1U) == 0) continue;
        LaneService service;
        service.lane = lane;
        service.word = access.address[static_cast<std::size_t>(lane)] >> groups.unit_shift;
        const std::uint64_t slot = service.word % groups.slots;
        service.first_bank = static_cast<std::uint32_t>(slot) * groups.banks_a_slot;
        service.banks = groups.banks_a_slot;
        const auto known = pass_of_word.find(service.word);
        if (share && known != pass_of_word.end()) {
            service.pass = known->second;
            service.shares = true;
        } else {
            service.pass = plan.passes + words_of_slot[slot]++;
            pass_of_word[service.word] = service.pass;
            needed = std::max(needed, words_of_slot[slot]);
        }
        plan.lanes.push_back(service);
    }
    if (needed == 0) return;
    plan.group_begins.push_back(plan.passes);
    plan.passes += needed;
}

}  // namespace

ServicePlan service_plan(const AccessRecord& access, std::uint32_t width, SharedAccessKind kind,
                         BankGeometry geometry) {
    const SharedGroups groups = shared_groups(width, geometry);
    if (kind == SharedAccessKind::try_swap) {
        AccessRecord acting = access;
        acting.mask = acting_lanes(access, width, geometry);
        return service_plan(acting, width, SharedAccessKind::atomic, geometry);
    }
    const bool share = shares_words(kind);
    ServicePlan plan;
    for (int first = 0; first < warp_size; first += 2 * groups.lanes) {
        const int middle = std::min(first + groups.lanes, warp_size);
        const int last = std::min(middle + groups.lanes, warp_size);
        AccessRecord pair = access;
        pair.mask &= lanes_from_to(first, last);
        const bool both = (pair.mask & lanes_from_to(first, middle)) != 0 && last > middle &&
                          (pair.mask & lanes_from_to(middle, last)) != 0;
        if (both && shared_wavefronts(pair, width, kind, geometry).actual == 1) {
            serve(access, first, last, groups, share, plan);
            continue;
        }
        serve(access, first, middle, groups, share, plan);
        if (last > middle) serve(access, middle, last, groups, share, plan);
    }
    return plan;
}

}  // namespace sassafras::sim
