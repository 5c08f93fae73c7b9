#include "workloads/search/worst_queries.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "core/random.hpp"
#include "workloads/search/pbs_paths.hpp"

namespace sassafras::workloads::search {
namespace {

/// For every place, the least and the greatest target whose reads include it at one given step.
struct Reached {
    bool any = false;
    std::uint32_t least = 0;
    std::uint32_t greatest = 0;
};

/// Serialised accesses of a step of a warp: the most different places of one bank. reads[i] are those of lane i.
std::uint32_t accesses_of_step(const std::vector<const std::vector<std::uint32_t>*>& reads, std::size_t step) {
    std::vector<std::uint32_t> places;
    places.reserve(reads.size());
    for (const auto* of_lane : reads) places.push_back((*of_lane)[step]);
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    std::array<std::uint32_t, w> of_bank{};
    for (const std::uint32_t place : places) ++of_bank[place % w];
    return *std::max_element(of_bank.begin(), of_bank.end());
}

/// Accesses that a warp with these targets, one a lane, needs in all.
std::uint32_t accesses(const std::vector<std::vector<std::uint32_t>>& reads,
                       const std::vector<std::uint32_t>& targets) {
    std::vector<const std::vector<std::uint32_t>*> of_lanes;
    of_lanes.reserve(targets.size());
    for (const std::uint32_t target : targets) of_lanes.push_back(&reads[target]);
    std::uint32_t total = 0;
    for (std::size_t step = 0; step < reads.front().size(); ++step) total += accesses_of_step(of_lanes, step);
    return total;
}
}  // namespace

std::vector<std::uint32_t> pbs_reads(std::uint32_t key_count, std::uint32_t target) {
    std::vector<std::uint32_t> places;
    std::uint32_t index = key_count / 2;
    std::uint32_t distance = (key_count + 3) / 4;
    for (auto step = std::bit_width(key_count - 1); step > 0; --step) {
        places.push_back(index);
        index = target >= index ? std::min(index + distance, key_count - 1) : index - std::min(index, distance);
        distance = (distance + 1) / 2;
    }
    places.push_back(index);
    return places;
}

namespace {

/// The targets of the proof of Lemma 6.2.2.
std::vector<std::uint32_t> lemma_targets(std::uint32_t key_count) {
    std::vector<std::vector<std::uint32_t>> reads;
    reads.reserve(key_count);
    for (std::uint32_t target = 0; target < key_count; ++target) reads.push_back(pbs_reads(key_count, target));

    std::vector<std::uint32_t> worst;
    std::uint32_t most = 0;
    for (std::size_t step = 0; step < reads.front().size(); ++step) {
        std::vector<Reached> reached(key_count);
        for (std::uint32_t target = 0; target < key_count; ++target) {
            Reached& place = reached[reads[target][step]];
            if (!place.any) place.least = target;
            place.any = true;
            place.greatest = target;
        }
        for (std::uint32_t bank = 0; bank < w; ++bank) {
            std::vector<const Reached*> places;
            for (std::uint32_t place = bank; place < key_count; place += w)
                if (reached[place].any) places.push_back(&reached[place]);
            if (places.empty()) continue;
            for (const bool up : {false, true}) {
                std::vector<std::uint32_t> targets;
                for (std::size_t lane = 0; lane < w; ++lane) {
                    const std::size_t chosen = places.size() > w ? lane * places.size() / w : lane % places.size();
                    targets.push_back(up ? places[chosen]->greatest : places[chosen]->least);
                }
                const std::uint32_t total = accesses(reads, targets);
                if (total > most) {
                    most = total;
                    worst = targets;
                }
            }
        }
    }
    return worst;
}

}  // namespace

std::vector<std::uint32_t> worst_pbs_targets(std::uint32_t key_count) {
    const auto all = [&](const std::vector<std::uint32_t>& of_reads) {
        return std::accumulate(of_reads.begin(), of_reads.end(), std::uint64_t{0});
    };
    std::vector<std::uint32_t> targets = lemma_targets(key_count);
    const std::uint64_t accesses_of_lemma = all(pbs_accesses(key_count, targets));
    std::vector<std::uint32_t> bounds = pbs_bounds(key_count);
    for (std::uint32_t& bound : bounds) bound = std::min(bound, w);
    if (accesses_of_lemma == all(bounds)) return targets;
    std::vector<std::uint32_t> climbed = climbed_pbs_targets(key_count);
    return all(pbs_accesses(key_count, climbed)) > accesses_of_lemma ? climbed : targets;
}

std::vector<std::uint32_t> pbs_accesses(std::uint32_t key_count, const std::vector<std::uint32_t>& targets) {
    std::vector<std::vector<std::uint32_t>> reads;
    reads.reserve(targets.size());
    for (const std::uint32_t target : targets) reads.push_back(pbs_reads(key_count, target));
    std::vector<const std::vector<std::uint32_t>*> of_lanes;
    of_lanes.reserve(reads.size());
    for (const auto& of_lane : reads) of_lanes.push_back(&of_lane);
    std::vector<std::uint32_t> accesses;
    for (std::size_t step = 0; !reads.empty() && step < reads.front().size(); ++step)
        accesses.push_back(accesses_of_step(of_lanes, step));
    return accesses;
}

std::vector<std::uint32_t> worst_queries(std::string_view variant, const std::vector<std::uint32_t>& keys,
                                         std::uint64_t count, std::uint64_t seed) {
    std::vector<std::uint32_t> queries(count, 0);
    if (keys.empty() || count == 0) return queries;
    const auto key_count = static_cast<std::uint32_t>(keys.size());
    if (variant == "sorted" || variant == "bst" || variant == "btree") {
        Random random(seed);
        std::uint64_t shift = 0;
        for (std::uint64_t i = 0; i < count; ++i) {
            if (i % w == 0) shift = random.below(key_count);
            queries[i] = keys[(i % w * key_count / w + shift) % key_count];
        }
        return queries;
    }
    std::vector<std::uint32_t> targets;
    if (variant == "pbs-cl") {
        const std::uint32_t rows = std::max(key_count / w, 1U);
        for (std::uint32_t lane = 0; lane < w; ++lane)
            targets.push_back(std::min((rows > w ? lane * rows / w : lane % rows) * w + w - 1, key_count - 1));
    } else {
        targets = worst_pbs_targets(key_count);
    }
    for (std::uint64_t i = 0; i < count; ++i) queries[i] = keys[targets[i % w]];
    return queries;
}

}  // namespace sassafras::workloads::search
