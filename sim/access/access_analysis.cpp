#include "sim/access/access_analysis.hpp"

#include <algorithm>
#include <bit>

#include "sim/access/swap_lanes.hpp"

namespace sassafras::sim {

namespace {

std::uint32_t lanes_between(int first, int last) {
    const std::uint32_t below = last == warp_size ? ~0U : (1U << last) - 1U;
    return below & ~((1U << first) - 1U);
}

/// Most words that one bank must deliver for the lanes [first, last). `unit` bytes are served as one (a lane's whole
/// access when it is wider than a bank: aligned accesses of one width overlap fully or not at all). Calls
/// served(slot) for every unit that is.
template <class Served>
std::uint32_t group_wavefronts(const AccessRecord& access, int first, int last, std::uint32_t unit_shift,
                               std::uint32_t slots, bool share_words, const Served& served) {
    // Distinct units seen in each slot, chained through `next`.
    std::array<std::int16_t, 64> head{};
    std::array<std::int16_t, warp_size> next{};
    std::array<std::uint8_t, 64> load{};
    std::array<std::uint64_t, warp_size> unit{};
    const std::uint32_t fold = slots <= 64 ? slots : 64;
    head.fill(-1);
    std::uint32_t worst = 0;
    for (int lane = first; lane < last; ++lane) {
        if ((access.mask >> lane & 1U) == 0) continue;
        const auto at = static_cast<std::size_t>(lane);
        const std::uint64_t value = access.address[at] >> unit_shift;
        unit[at] = value;
        // Slots beyond 64 (more banks than lanes can fill) fold without changing the maximum for warp_size lanes in
        // practice.
        const auto slot = static_cast<std::size_t>(value & (fold - 1));
        bool seen = false;
        for (std::int16_t other = head[slot]; other >= 0; other = next[static_cast<std::size_t>(other)]) {
            const std::uint64_t other_unit = unit[static_cast<std::size_t>(other)];
            if (share_words && other_unit == value) {
                seen = true;
                break;
            }
        }
        if (seen) continue;
        next[at] = head[slot];
        head[slot] = static_cast<std::int16_t>(lane);
        worst = std::max<std::uint32_t>(worst, ++load[slot]);
        served(slot);
    }
    return worst;
}

/// The same without telling which. Where a lane's bank is as good as random, every branch on it costs more than the
/// work: lanes that are alone in their slot, which most are, meet none here.
std::uint32_t group_wavefronts(const AccessRecord& access, int first, int last, std::uint32_t unit_shift,
                               std::uint32_t slots, bool share_words) {
    constexpr std::size_t most_slots = 64;
    const std::uint64_t fold = (slots <= most_slots ? slots : most_slots) - 1;
    const std::uint32_t acting = access.mask & lanes_between(first, last);
    std::array<std::uint64_t, warp_size> unit;
    std::array<std::uint8_t, warp_size> slot;
    const auto begin = static_cast<std::size_t>(first);
    const auto end = static_cast<std::size_t>(last);
    for (std::size_t lane = begin; lane < end; ++lane) {
        unit[lane] = access.address[lane] >> unit_shift;
        slot[lane] = static_cast<std::uint8_t>((acting >> lane & 1U) != 0 ? unit[lane] & fold : most_slots);
    }
    if (!share_words)
        for (std::size_t lane = begin; lane < end; ++lane) unit[lane] = lane;
    std::array<std::uint64_t, most_slots + 1> holder;  // of each slot, its first lane's unit
    for (std::size_t lane = end; lane-- != begin;) holder[slot[lane]] = unit[lane];
    std::uint32_t others = 0;  // lanes that want another one
    for (std::size_t lane = begin; lane < end; ++lane)
        others |= static_cast<std::uint32_t>(holder[slot[lane]] != unit[lane]) << lane;
    others &= acting;
    if (others == 0) return acting == 0 ? 0 : 1;
    // Of each slot, how many different units beside its holder's, chained from the last one.
    std::array<std::uint8_t, most_slots> more{};
    std::array<std::uint8_t, most_slots> newest{};
    std::array<std::uint8_t, warp_size> before;
    std::uint32_t worst = 0;
    for (std::uint32_t left = others; left != 0; left &= left - 1) {
        const auto at = static_cast<std::size_t>(std::countr_zero(left));
        const std::size_t of = slot[at];
        const std::uint8_t known = more[of];
        const std::uint8_t youngest = newest[of];
        bool seen = (known != 0) & (unit[youngest] == unit[at]);
        if (known >= 2 && !seen) [[unlikely]] {
            std::size_t other = before[youngest];
            for (int i = known - 1; i != 0 && !seen; --i, other = before[other]) seen = unit[other] == unit[at];
        }
        before[at] = youngest;
        newest[of] = seen ? youngest : static_cast<std::uint8_t>(at);
        more[of] = static_cast<std::uint8_t>(known + (seen ? 0 : 1));
        worst = std::max<std::uint32_t>(worst, more[of]);
    }
    return worst + 1;
}

bool neighbours_agree(const AccessRecord& access, int first, int last, int distance) {
    if (distance >= last - first) return false;  // the other lane is not among them
    for (int lane = first; lane < last; ++lane) {
        const int other = lane ^ distance;
        if ((access.mask >> lane & 1U) == 0 || (access.mask >> other & 1U) == 0) continue;
        if (access.address[static_cast<std::size_t>(lane)] != access.address[static_cast<std::size_t>(other)])
            return false;
    }
    return true;
}

/// The access of the lanes [first, last) alone.
AccessRecord only(const AccessRecord& access, int first, int last) {
    AccessRecord part = access;
    part.mask &= lanes_between(first, last);
    return part;
}

/// Loads of two neighbouring groups whose lanes n and n^1, or n and n^2, read the same words without a conflict.
bool served_together(const AccessRecord& access, int first, int last, const SharedGroups& groups) {
    return (neighbours_agree(access, first, last, 1) || neighbours_agree(access, first, last, 2)) &&
           group_wavefronts(access, first, last, groups.unit_shift, groups.slots, true) == 1;
}

}  // namespace

SharedGroups shared_groups(std::uint32_t width, BankGeometry geometry) {
    const std::uint32_t unit = std::max(width, geometry.bank_bytes);
    SharedGroups groups;
    groups.unit_shift = static_cast<std::uint32_t>(std::countr_zero(unit));
    groups.slots = std::max<std::uint32_t>(1, geometry.banks * geometry.bank_bytes / unit);
    const std::uint32_t filling = std::max<std::uint32_t>(1, geometry.banks * geometry.bank_bytes / width);
    groups.lanes = static_cast<int>(std::min<std::uint32_t>(warp_size, filling));
    groups.banks_a_slot = unit / geometry.bank_bytes;
    return groups;
}

Wavefronts shared_wavefronts(const AccessRecord& access, std::uint32_t width, SharedAccessKind kind,
                             BankGeometry geometry) {
    if (access.mask == 0) return {};
    constexpr std::uint32_t of_a_swap = 2;
    if (kind == SharedAccessKind::swap) {
        const Wavefronts of_atomic = shared_wavefronts(access, width, SharedAccessKind::atomic, geometry);
        return {.actual = of_a_swap * of_atomic.actual, .ideal = of_a_swap * of_atomic.ideal};
    }
    if (kind == SharedAccessKind::try_swap) {
        const int lanes = shared_groups(width, geometry).lanes;
        std::uint32_t groups = 0;
        for (int first = 0; first < warp_size; first += lanes)
            if (only(access, first, first + lanes).mask != 0) ++groups;
        return {.actual = of_a_swap * groups, .ideal = of_a_swap * groups};
    }
    const SharedGroups groups = shared_groups(width, geometry);
    const std::uint32_t unit = 1U << groups.unit_shift;
    const std::uint32_t unit_shift = groups.unit_shift;
    const std::uint32_t slots = groups.slots;
    const int lanes_a_group = groups.lanes;
    const bool share = shares_words(kind);

    Wavefronts result;
    const auto active = static_cast<std::uint32_t>(std::popcount(access.mask));
    const std::uint32_t floor =
        (active + static_cast<std::uint32_t>(lanes_a_group) - 1) / static_cast<std::uint32_t>(lanes_a_group);
    if (lanes_a_group == warp_size) {
        // A closed form for the commonest pattern: all lanes, a constant stride of whole words.
        if (share && access.affine && access.mask == 0xffffffffU && unit == geometry.bank_bytes &&
            access.stride % unit == 0) {
            const auto step = static_cast<std::uint64_t>(access.stride < 0 ? -access.stride : access.stride) / unit;
            if (step == 0) return {.actual = 1, .ideal = 1};
            const std::uint64_t common = std::uint64_t{1} << std::countr_zero(step | geometry.banks);
            // `banks / common` different banks are hit by 32 different words.
            const std::uint64_t hit = geometry.banks / common;
            return {.actual = static_cast<std::uint32_t>((warp_size + hit - 1) / hit), .ideal = 1};
        }
        return {.actual = group_wavefronts(access, 0, warp_size, unit_shift, slots, share), .ideal = 1};
    }
    for (int first = 0; first < warp_size; first += 2 * lanes_a_group) {
        const int middle = first + lanes_a_group;
        const int last = std::min(middle + lanes_a_group, warp_size);
        const std::uint32_t low = group_wavefronts(access, first, middle, unit_shift, slots, share);
        const std::uint32_t high = middle < last ? group_wavefronts(access, middle, last, unit_shift, slots, share) : 0;
        std::uint32_t needed = low + high;
        if (kind == SharedAccessKind::load && low == 1 && high == 1 && served_together(access, first, last, groups))
            needed = 1;
        result.actual += needed;
    }
    result.ideal = std::min(floor, result.actual);
    return result;
}

Wavefronts bank_loads(const AccessRecord& access, std::uint32_t width, SharedAccessKind kind, BankGeometry geometry,
                      BankLoads& loads) {
    loads.words.fill(0);
    if (access.mask == 0) return {};
    if (kind == SharedAccessKind::swap || kind == SharedAccessKind::try_swap) {
        AccessRecord acting = access;
        if (kind == SharedAccessKind::try_swap) acting.mask = acting_lanes(access, width, geometry);
        bank_loads(acting, width, SharedAccessKind::atomic, geometry, loads);
        return shared_wavefronts(access, width, kind, geometry);
    }
    const SharedGroups groups = shared_groups(width, geometry);
    const bool share = shares_words(kind);
    const auto serve = [&](int first, int last) {
        return group_wavefronts(access, first, last, groups.unit_shift, groups.slots, share, [&](std::size_t slot) {
            for (std::uint32_t bank = 0; bank < groups.banks_a_slot; ++bank)
                ++loads.words[slot * groups.banks_a_slot + bank];
        });
    };
    if (groups.lanes == warp_size) {
        // All lanes at a constant stride of whole words: the commonest pattern, in closed form.
        const std::uint32_t unit = 1U << groups.unit_shift;
        const std::uint64_t words = static_cast<std::uint64_t>(access.stride) >> groups.unit_shift;
        const std::uint64_t apart = std::uint64_t{1} << std::countr_zero(words | geometry.banks);
        const std::uint64_t hit = geometry.banks / apart;
        if (share && access.affine && access.mask == 0xffffffffU && unit == geometry.bank_bytes && words != 0 &&
            access.stride % unit == 0 && hit <= warp_size) {
            const auto each = static_cast<std::uint8_t>(warp_size / hit);
            for (std::uint64_t bank = (access.address[0] >> groups.unit_shift) & (apart - 1); bank < geometry.banks;
                 bank += apart)
                loads.words[bank] = each;
            return {.actual = each, .ideal = 1};
        }
        return {.actual = serve(0, warp_size), .ideal = 1};
    }
    for (int first = 0; first < warp_size; first += 2 * groups.lanes) {
        const int middle = first + groups.lanes;
        const int last = std::min(middle + groups.lanes, warp_size);
        const Wavefronts of_pair = shared_wavefronts(only(access, first, last), width, kind, geometry);
        if (of_pair.actual == 1 && kind == SharedAccessKind::load) {
            serve(first, last);
            continue;
        }
        serve(first, middle);
        if (middle < last) serve(middle, last);
    }
    return shared_wavefronts(access, width, kind, geometry);
}

void global_lines(const AccessRecord& access, std::uint32_t width, LineGeometry geometry, GlobalAccess& out) {
    out.line_count = 0;
    out.sector_count = 0;
    if (access.mask == 0) return;
    const auto line_shift = std::countr_zero(geometry.line_bytes);
    const auto sector_shift = std::countr_zero(geometry.sector_bytes);
    const std::uint32_t sectors_a_line = geometry.line_bytes / geometry.sector_bytes;
    std::array<std::uint8_t, 128> table{};  // open addressing: line -> index + 1
    std::uint64_t last_line = ~std::uint64_t{0};
    std::uint32_t last_index = 0;
    for (int lane = 0; lane < warp_size; ++lane) {
        if ((access.mask >> lane & 1U) == 0) continue;
        const std::uint64_t begin = access.address[static_cast<std::size_t>(lane)] >> sector_shift;
        const std::uint64_t end = (access.address[static_cast<std::size_t>(lane)] + width - 1) >> sector_shift;
        for (std::uint64_t sector = begin; sector <= end; ++sector) {
            const std::uint64_t line = sector >> (line_shift - sector_shift);
            const std::uint32_t bit = 1U << (sector & (sectors_a_line - 1));
            if (line != last_line) {
                std::size_t slot = (line * 0x9e3779b97f4a7c15ULL) >> 57U;
                while (table[slot] != 0 && out.lines[table[slot] - 1U].line != line) slot = (slot + 1) & 127U;
                if (table[slot] == 0) {
                    out.lines[out.line_count] = {.line = line, .sectors = 0};
                    table[slot] = static_cast<std::uint8_t>(++out.line_count);
                }
                last_line = line;
                last_index = table[slot] - 1U;
            }
            LineAccess& entry = out.lines[last_index];
            out.sector_count += (entry.sectors & bit) == 0 ? 1U : 0U;
            entry.sectors |= bit;
        }
    }
}

}  // namespace sassafras::sim
