#include "study/adversary/sort_input.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "core/random.hpp"
#include "study/adversary/group_merges.hpp"
#include "study/adversary/merge_reads.hpp"
#include "study/adversary/uneven_merge.hpp"

namespace sassafras::study::adversary {
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
    cost_ = cost_of(warp, shape_);
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
        inside_costs_.insert(inside_costs_.begin(), cost_of(groups, shape_));
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
    // What is left of a warp: for the worst sorted; for the best as in a whole warp, less what is not there, since
    // sorted keys are bad for even E.
    inside_last_.resize(n_ % size);
    std::iota(inside_last_.begin(), inside_last_.end(), 0U);
    if (worst) return;
    std::vector<std::uint32_t> order = inside_last_;
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return inside_[a] < inside_[b]; });
    for (std::uint32_t rank = 0; rank < order.size(); ++rank) inside_last_[order[rank]] = rank;
    if (n_ < shape_.block_elements()) take_better_than_drawn();
}

void SortInput::take_better_than_drawn() {
    const auto cost = [this](std::vector<std::uint32_t> keys) {
        std::uint64_t accesses = 0;
        for (const RoundReads& round : count_merge_reads(keys, shape_)) {
            accesses += round.reads.heads.accesses;
            for (std::size_t step = 0; step + 1 < shape_.E; ++step) accesses += round.reads.steps[step].accesses;
        }
        return accesses;
    };
    Random random(n_);
    std::vector<std::uint32_t> drawn = keys();
    std::uint64_t least = cost(drawn);
    constexpr int draws = 24;
    for (int draw = 0; draw < draws; ++draw) {
        for (std::size_t i = drawn.size(); i > 1; --i) std::swap(drawn[i - 1], drawn[random.below(i)]);
        if (const std::uint64_t accesses = cost(drawn); accesses < least) {
            least = accesses;
            drawn_ = drawn;
        }
    }
}

SortInput::WarpCost SortInput::cost_of(const WarpMerge& merge, const SortShape& shape) {
    const std::vector<std::uint64_t> steps = accesses_by_step(merge, shape.E, shape.w);
    return {std::accumulate(steps.begin(), steps.end(), std::uint64_t{0}), steps.back(),
            accesses_of_heads(merge, shape.E, shape.w)};
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
    const std::vector<std::uint32_t>& inside = place.size() == size ? inside_ : inside_last_;
    std::copy(inside.begin(), inside.end(), place.begin());
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
        if (goal_ == Goal::best) {
            const UnevenMerge merge(run, second_count, shape_.E, shape_.w);
            for (std::size_t i = 0; i < place.size(); ++i) {
                const std::uint64_t index = std::uint64_t{chunk[i]} * size + place[i];
                const std::uint64_t to = of_first ? merge.place_of_first(index) : merge.place_of_second(index);
                chunk[i] = static_cast<std::uint32_t>(to / size);
                place[i] = static_cast<std::uint32_t>(to % size);
            }
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
    if (!drawn_.empty()) {
        std::copy_n(drawn_.begin() + static_cast<std::ptrdiff_t>(begin), keys.size(), keys.begin());
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

std::uint64_t SortInput::warps_as_laid_out(std::uint64_t run) const {
    const std::uint64_t whole = n_ / (2 * run) * (2 * run / shape_.warp_elements());
    const std::uint64_t rest = n_ % (2 * run);
    if (sorted_ || rest <= run) return whole;
    if (goal_ == Goal::worst) return whole + 2 * warp_pairs_along_path(run, rest - run);
    return whole + UnevenMerge(run, rest - run, shape_.E, shape_.w).level_warps();
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
    const bool worst = goal_ == Goal::worst;
    const auto add = [&](std::uint64_t run, std::uint64_t laid_out, const WarpCost& each) {
        if (!drawn_.empty()) laid_out = 0;
        // Of a read, at most.
        const std::uint64_t greatest =
            (run < size ? greatest_accesses(shape_.E, shape_.w) : greatest_accesses_anywhere(shape_.E, shape_.w)) / E;
        const std::uint64_t other = worst || sorted_ ? 1 : greatest;  // of a read that was not laid out
        const auto cost = [&](std::uint64_t reads, std::uint64_t accesses) {
            const std::uint64_t requests = warps * reads;
            return ReadCost{requests, laid_out * accesses + (warps - laid_out) * reads * other,
                            worst ? requests * greatest : requests};
        };
        rounds.push_back({run, cost(E, each.steps), cost(2, each.heads), cost(E - 1, each.steps - each.last)});
        // Sorted keys: where the first list ends inside a thread's part, all threads behind it read its end, and those
        // before it its begin in the second list: a word beside one of every E.
        if (sorted_ && run >= tile && n_ % E != 0) rounds.back().heads.accesses += 2;
    };
    const WarpCost sorted{E, 1, 2};
    std::size_t inside = 0;
    for (std::uint64_t run = E; run < size; run *= 2, ++inside)
        add(run, whole_warps, sorted_ ? sorted : inside_costs_[inside]);
    for (std::uint64_t run = size; n_ != 0 && (run < tile || run < n_); run *= 2)
        add(run, warps_as_laid_out(run), sorted_ ? sorted : cost_);
    return rounds;
}

}  // namespace sassafras::study::adversary
