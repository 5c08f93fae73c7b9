#include "sim/access/swap_lanes.hpp"

#include <bit>
#include <bitset>

namespace sassafras::sim {

std::uint32_t acting_lanes(const AccessRecord& access, std::uint32_t width, BankGeometry geometry) {
    const SharedGroups groups = shared_groups(width, geometry);
    std::bitset<most_banks> taken;
    std::uint32_t acting = 0;
    int group = 0;
    for (std::uint32_t rest = access.mask; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        if (lane / groups.lanes != group) {
            group = lane / groups.lanes;
            taken.reset();
        }
        const std::uint64_t slot =
            (access.address[static_cast<std::size_t>(lane)] >> groups.unit_shift) % groups.slots % most_banks;
        if (!taken.test(slot)) acting |= 1U << lane;
        taken.set(slot);
    }
    return acting;
}

}  // namespace sassafras::sim
