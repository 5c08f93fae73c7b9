// Which SMs the blocks of a kernel that is being placed find.
#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>
#include <utility>

#include "cudart/kernel_room.hpp"

namespace sassafras::cudart {

namespace {

/// How many blocks find places on an SM.
double capacity(const Places& taken, const Places& block_takes, double shared) {
    double blocks = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < taken.size(); ++i) {
        const double most = i == static_cast<std::size_t>(SmPlace::shared) ? shared : 1;
        if (block_takes[i] > 0)
            blocks = std::min(blocks, std::floor((most - taken[i]) / block_takes[i] + KernelRoom::slack));
    }
    return std::max(0.0, blocks);
}

}  // namespace

KernelRoom::Laid KernelRoom::lay(const State& state, const Course& course) {
    Laid laid{state.groups, 0};
    if (laid.groups.empty()) laid.groups.push_back({.sms = course.load.sms});
    for (Group& group : laid.groups)
        if (group.taken[static_cast<std::size_t>(SmPlace::blocks)] <= slack) group.carve_out = course.load.carve_out;
    if (!course.stay.empty())
        put_back(laid, course);
    else
        (course.fills ? fill : spread)(laid, course.load, course.blocks);
    return laid;
}

/// Of a group, only so many SMs take the blocks that come next; the rest becomes a group of its own.
void KernelRoom::split(std::vector<Group>& groups, std::size_t group, double sms) {
    if (sms >= groups[group].sms) return;
    groups.push_back(groups[group]);
    groups.back().sms -= sms;
    groups[group].sms = sms;
}

/// One block in turn for each SM that has the fewest warps.
void KernelRoom::spread(Laid& laid, const KernelLoad& load, double wanted) {
    constexpr auto warps = static_cast<std::size_t>(SmPlace::warps);
    using Next = std::pair<double, std::size_t>;  // warps that a group's SMs have, the group
    std::priority_queue<Next, std::vector<Next>, std::greater<>> next;
    const auto add = [&](std::size_t i) {
        const Group& group = laid.groups[i];
        if (group.places > group.blocks) next.emplace(group.taken[warps] + load.block_takes[warps] * group.blocks, i);
    };
    for (std::size_t i = 0; i < laid.groups.size(); ++i) {
        laid.groups[i].places = capacity(laid.groups[i].taken, load.block_takes, laid.groups[i].carve_out);
        add(i);
    }
    while (laid.blocks < wanted && !next.empty()) {
        const std::size_t best = next.top().second;
        next.pop();
        split(laid.groups, best, wanted - laid.blocks);
        laid.groups[best].blocks += 1;
        laid.blocks += laid.groups[best].sms;
        add(best);
    }
}

/// So many blocks on each of so many SMs that have none of the kernel's, the emptiest first. Returns on how many SMs
/// they were put.
double KernelRoom::put(std::vector<Group>& groups, const KernelLoad& load, const Share& share) {
    constexpr auto warps = static_cast<std::size_t>(SmPlace::warps);
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < groups.size(); ++i)
        if (groups[i].blocks == 0 && capacity(groups[i].taken, load.block_takes, groups[i].carve_out) >= share.blocks)
            order.push_back(i);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return groups[a].taken[warps] < groups[b].taken[warps]; });
    double done = 0;
    for (const std::size_t i : order) {
        if (done >= share.sms) break;
        split(groups, i, share.sms - done);
        groups[i].blocks = share.blocks;
        done += groups[i].sms;
    }
    return done;
}

/// As many as an SM has places for, on the emptiest first.
void KernelRoom::fill(Laid& laid, const KernelLoad& load, double wanted) {
    std::stable_sort(laid.groups.begin(), laid.groups.end(), [](const Group& a, const Group& b) {
        constexpr auto warps = static_cast<std::size_t>(SmPlace::warps);
        return a.taken[warps] < b.taken[warps] - slack;
    });
    const std::vector<Group> before = laid.groups;
    for (const Group& group : before) {
        const double places = capacity(group.taken, load.block_takes, group.carve_out);
        const double full = places == 0 ? 0 : std::min(group.sms, std::floor((wanted - laid.blocks) / places));
        laid.blocks += places * put(laid.groups, load, {full, places});
        if (full < group.sms && places > 0 && laid.blocks < wanted) {
            const double last = wanted - laid.blocks;
            laid.blocks += last * put(laid.groups, load, {1, last});
        }
    }
}

/// How the blocks lie, those SMs first that have most.
std::vector<KernelRoom::Share> KernelRoom::shares_of(const Laid& laid) {
    std::map<double, double, std::greater<>> sms_by_blocks;
    for (const Group& group : laid.groups)
        if (group.blocks > 0) sms_by_blocks[group.blocks] += group.sms;
    std::vector<Share> shares;
    for (const auto& [blocks, sms] : sms_by_blocks) shares.push_back({sms, blocks});
    return shares;
}

/// Blocks that run stay where they are. A state does not say which SMs these were: where they do not fit side by side
/// as they did, the rest finds other places.
void KernelRoom::put_back(Laid& laid, const Course& course) {
    for (const Share& share : course.stay) laid.blocks += share.blocks * put(laid.groups, course.load, share);
    spread(laid, course.load, course.blocks);
}

/// Of blocks that were laid, those remain that still run.
void KernelRoom::shrink(Laid& laid, const LoadPart& part) {
    if (part.sms >= 1 && part.blocks >= 1) return;
    const std::size_t groups = laid.groups.size();
    for (std::size_t i = 0; i < groups; ++i) {
        if (laid.groups[i].blocks == 0) continue;
        const double still = std::max(1.0, std::round(laid.groups[i].sms * part.sms));
        if (still < laid.groups[i].sms) {
            Group free = laid.groups[i];
            free.sms -= still;
            free.blocks = 0;
            laid.groups.push_back(free);
        }
        laid.groups[i].sms = still;
        laid.groups[i].blocks *= part.blocks;
    }
}

/// Groups that are alike become one: a state has few then, whatever began and ended before it.
void KernelRoom::merge(std::vector<Group>& groups) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const auto end = groups.begin() + static_cast<std::ptrdiff_t>(kept);
        const auto alike = std::find_if(groups.begin(), end, [&](const Group& other) {
            return other.taken == groups[i].taken && other.busy == groups[i].busy &&
                   other.carve_out == groups[i].carve_out && other.waits_for_memory == groups[i].waits_for_memory &&
                   other.fills_memory == groups[i].fills_memory;
        });
        if (alike != end)
            alike->sms += groups[i].sms;
        else
            groups[kept++] = groups[i];
    }
    groups.resize(kept);
}

}  // namespace sassafras::cudart
