#include "workloads/adversary/sort_input.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "workloads/adversary/group_merges.hpp"

namespace sassafras::workloads::adversary {
namespace {

constexpr std::uint32_t in_second_warp = 1U << 31U;

/// The places of the first list's elements, and of the second's, in a merge.
std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>> places_of(const MergePath& path) {
    std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>> places;
    for (std::uint32_t output = 0; output < path.size(); ++output)
        (path[output] != 0 ? places.first : places.second).push_back(output);
    return places;
}

}  // namespace

PairPlaces places_of_two_warps(const MergePath& path) {
    MergePath both = path;
    for (const std::uint8_t from_first : path) both.push_back(from_first == 0 ? 1 : 0);
    auto [first, second] = places_of(both);
    return {std::move(first), std::move(second)};
}

Result<SortInput> SortInput::make(const SortShape& shape, std::uint64_t n, Goal goal) {
    const auto refuse = [](std::string what, std::string remedy) {
        return Error{ErrorKind::bad_input, std::move(what), "input of a mergesort", std::move(remedy)};
    };
    if (shape.w < 4 || shape.w > 32 || !std::has_single_bit(shape.w))
        return refuse(fmt::format("w = {} lanes and banks", shape.w), "a power of two, 4 to 32");
    if (shape.E < 1 || shape.E > greatest_E)
        return refuse(fmt::format("E = {}", shape.E), fmt::format("1 to {}", greatest_E));
    if (shape.b < shape.w || !std::has_single_bit(shape.b))
        return refuse(fmt::format("b = {} threads a block", shape.b), "a power of two, at least a warp");
    if (n > std::uint64_t{1} << 32U) return refuse(fmt::format("n = {} is too large", n), "at most 2^32");
    return SortInput(shape, n, goal);
}

SortInput::SortInput(const SortShape& shape, std::uint64_t n, Goal goal) : shape_(shape), n_(n), goal_(goal) {
    // In sorted keys thread t's elements begin at word tE: w different banks if E is odd.
    sorted_ = goal == Goal::best && shape.E % 2 == 1;
    if (!sorted_) follow_paths();
}

void SortInput::follow_paths() {
    const std::uint32_t E = shape_.E;
    const std::uint32_t w = shape_.w;
    const auto size = static_cast<std::uint32_t>(shape_.warp_elements());
    const bool worst = goal_ == Goal::worst;
    const WarpMerge warp = worst ? worst_warp_merge(E, w) : best_warp_merge(E, w);
    accesses_ = accesses_along(warp, E, w);
    // The second warp swaps the roles, so that two warps take equally many of both lists, and all begin in bank 0.
    PairPlaces both = places_of_two_warps(warp.paths.front());
    first_ = std::move(both.first);
    second_ = std::move(both.second);
    for (Places* places : {&first_, &second_})
        for (std::uint32_t& place : *places)
            if (place >= size) place = (place - size) | in_second_warp;

    inside_.resize(size);
    std::iota(inside_.begin(), inside_.end(), 0U);
    std::vector<std::uint32_t> before(size);
    for (std::uint32_t threads = w; threads >= 2; threads /= 2) {  // the last round inside a warp is undone first
        const WarpMerge groups = worst ? worst_group_merges(E, w, threads) : best_group_merges(E, w, threads);
        inside_accesses_.insert(inside_accesses_.begin(), accesses_along(groups, E, w));
        std::uint32_t begin = 0;
        for (const MergePath& path : groups.paths) {
            const auto [first, second] = places_of(path);
            std::uint32_t to = begin;
            for (const std::uint32_t place : first) before[to++] = inside_[begin + place];
            for (const std::uint32_t place : second) before[to++] = inside_[begin + place];
            begin = to;
        }
        inside_.swap(before);
    }
}

std::uint64_t SortInput::warp_pairs_along_path(std::uint64_t run, std::uint64_t second_count) const {
    const std::uint64_t size = shape_.warp_elements();
    // Between blocks, a tile whose warps do not all follow the path would begin its second list in any bank.
    const std::uint64_t together = run < shape_.block_elements() ? 1 : std::max(1U, shape_.b / shape_.w / 2);
    return second_count / size / together * together;
}

void SortInput::warp_block(std::uint64_t block, std::span<std::uint32_t> place, std::span<std::uint32_t> chunk) const {
    const std::uint64_t size = shape_.warp_elements();
    // The element is number chunk * size + place of the list that is looked at, which grows round by round.
    std::fill(chunk.begin(), chunk.end(), 0);
    if (place.size() == size)
        std::copy(inside_.begin(), inside_.end(), place.begin());
    else
        std::iota(place.begin(), place.end(), 0U);  // what is left of a warp stays sorted
    for (std::uint64_t run = size; run < n_; run *= 2, block /= 2) {
        const std::uint64_t begin = block / 2 * 2 * run;  // of the pair
        if (begin + run >= n_) continue;                  // a list without a second one is left as it is
        const std::uint64_t second_count = std::min(run, n_ - begin - run);
        const bool of_first = block % 2 == 0;
        const Places& places = of_first ? first_ : second_;
        const auto follow = [&](std::size_t i) {
            const std::uint32_t to = places[place[i]];
            chunk[i] = 2 * chunk[i] + (to >> 31U);
            place[i] = to & ~in_second_warp;
        };
        if (second_count == run) {
            for (std::size_t i = 0; i < place.size(); ++i) follow(i);
            continue;
        }
        // So many pairs of warps merge along the path; a shorter second list then ends.
        const auto whole = static_cast<std::uint32_t>(warp_pairs_along_path(run, second_count));
        for (std::size_t i = 0; i < place.size(); ++i) {
            if (chunk[i] < whole) {
                follow(i);
            } else if (of_first) {  // behind all of the second list
                const std::uint64_t index = std::uint64_t{chunk[i]} * size + place[i] + second_count;
                chunk[i] = static_cast<std::uint32_t>(index / size);
                place[i] = static_cast<std::uint32_t>(index % size);
            } else {  // the rest of the second list, behind as many whole warps of the first
                chunk[i] += whole;
            }
        }
    }
    for (std::size_t i = 0; i < place.size(); ++i) place[i] += static_cast<std::uint32_t>(chunk[i] * size);
}

void SortInput::keys(std::uint64_t begin, std::span<std::uint32_t> keys) const {
    const std::uint64_t size = shape_.warp_elements();
    require_invariant(begin % size == 0 && begin + keys.size() <= n_, "keys from the middle of a warp's");
    if (sorted_) {
        std::iota(keys.begin(), keys.end(), static_cast<std::uint32_t>(begin));
        return;
    }
    std::vector<std::uint32_t> chunk(size);
    for (std::uint64_t from = 0; from < keys.size(); from += size) {
        const std::uint64_t count = std::min<std::uint64_t>(size, keys.size() - from);
        warp_block((begin + from) / size, keys.subspan(from, count), std::span(chunk).first(count));
    }
}

std::vector<std::uint32_t> SortInput::keys() const {
    std::vector<std::uint32_t> all(n_);
    keys(0, all);
    return all;
}

std::vector<RoundPrediction> SortInput::rounds() const {
    std::vector<RoundPrediction> rounds;
    const std::uint64_t E = shape_.E;
    const std::uint64_t size = shape_.warp_elements();
    const std::uint64_t tile = shape_.block_elements();
    const std::uint64_t whole_warps = n_ / size;
    // The block sort runs all of its rounds in every block, on padding if need be.
    const std::uint64_t staged = (n_ + tile - 1) / tile * tile;
    const std::uint64_t warps = staged / size;
    const auto add = [&](std::uint64_t run, std::uint64_t along_path, std::uint64_t each) {
        const std::uint64_t greatest =
            run < size ? greatest_accesses(shape_.E, shape_.w) : greatest_accesses_anywhere(shape_.E, shape_.w);
        RoundPrediction round{run, warps * E, along_path * each, warps * E};
        round.accesses += (warps - along_path) * (goal_ == Goal::worst ? E : greatest);
        if (sorted_) round.accesses = round.requests;
        if (goal_ == Goal::worst) round.bound = warps * greatest;
        rounds.push_back(round);
    };
    std::size_t inside = 0;
    for (std::uint64_t run = E; run < size; run *= 2, ++inside)
        add(run, whole_warps, sorted_ ? 0 : inside_accesses_[inside]);
    for (std::uint64_t run = size; n_ != 0 && (run < tile || run < n_); run *= 2) {
        std::uint64_t along_path = n_ / (2 * run) * (2 * run / size);
        if (const std::uint64_t rest = n_ % (2 * run); rest > run)
            along_path += 2 * warp_pairs_along_path(run, rest - run);
        add(run, along_path, accesses_);
    }
    return rounds;
}

}  // namespace sassafras::workloads::adversary
