#include "study/adversary/merge_reads.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace sassafras::study::adversary {
namespace {

/// Counts a warp's reads at a time: addresses are words, w lanes.
class BankCounter {
  public:
    BankCounter(std::size_t words, std::uint32_t w) : seen_(words, 0), w_(w) {}

    void count(std::span<const std::uint32_t> words, SerialisedReads& reads) {
        ++token_;
        std::array<std::uint32_t, 32> of_bank{};
        std::uint32_t most = 0;
        for (const std::uint32_t word : words) {
            if (seen_[word] == token_) continue;  // one access serves all lanes that read the word
            seen_[word] = token_;
            most = std::max(most, ++of_bank[word % w_]);
        }
        ++reads.requests;
        reads.accesses += most;
    }

  private:
    std::vector<std::uint64_t> seen_;  ///< the last request that read the word
    std::uint64_t token_ = 0;
    std::uint32_t w_;
};

/// Where a thread is in its two lists.
struct Cursor {
    std::uint32_t first = 0;
    std::uint32_t second = 0;
};

}  // namespace

void MergeReads::add(const MergeReads& other) {
    heads.add(other.heads);
    steps.resize(std::max(steps.size(), other.steps.size()));
    for (std::size_t step = 0; step < other.steps.size(); ++step) steps[step].add(other.steps[step]);
}

SerialisedReads MergeReads::all_steps() const {
    SerialisedReads all;
    for (const SerialisedReads& step : steps) all.add(step);
    return all;
}

MergeReads merge_staged(std::span<std::uint32_t> staged, std::uint32_t first_count, std::uint32_t threads,
                        const SortShape& shape) {
    const std::uint32_t E = shape.E;
    const auto all_threads = static_cast<std::uint32_t>(staged.size() / E);
    // What each thread reads: two heads, then E successors.
    std::vector<std::uint32_t> words(std::size_t{all_threads} * (E + 2));
    std::vector<std::uint32_t> merged;
    merged.reserve(staged.size());
    for (std::uint32_t group = 0; group < all_threads; group += threads) {
        Cursor at{group * E, group * E + first_count};
        const std::uint32_t first_end = at.second;
        const std::uint32_t second_end = (group + threads) * E;
        for (std::uint32_t thread = group; thread < group + threads; ++thread) {
            std::uint32_t* read = &words[std::size_t{thread} * (E + 2)];
            *read++ = at.first;
            *read++ = at.second;
            for (std::uint32_t step = 0; step < E; ++step) {
                const bool take_second =
                    at.second < second_end && (at.first >= first_end || staged[at.second] < staged[at.first]);
                std::uint32_t& cursor = take_second ? at.second : at.first;
                merged.push_back(staged[cursor]);
                *read++ = ++cursor;
            }
        }
    }
    MergeReads reads;
    reads.steps.resize(E);
    BankCounter counter(staged.size() + 1, shape.w);
    std::vector<std::uint32_t> lanes(shape.w);
    for (std::uint32_t warp = 0; warp < all_threads; warp += shape.w)
        for (std::uint32_t read = 0; read < E + 2; ++read) {
            for (std::uint32_t lane = 0; lane < shape.w; ++lane)
                lanes[lane] = words[std::size_t{warp + lane} * (E + 2) + read];
            counter.count(lanes, read < 2 ? reads.heads : reads.steps[read - 2]);
        }
    std::copy(merged.begin(), merged.end(), staged.begin());
    return reads;
}

std::vector<RoundReads> count_merge_reads(std::vector<std::uint32_t>& keys, const SortShape& shape) {
    const auto tile = static_cast<std::size_t>(shape.block_elements());
    const std::size_t n = keys.size();
    std::vector<RoundReads> rounds;
    constexpr std::uint32_t padding = std::numeric_limits<std::uint32_t>::max();
    for (std::uint32_t threads = 2; threads <= shape.b; threads *= 2)
        rounds.push_back({std::uint64_t{threads / 2} * shape.E, {}});
    std::vector<std::uint32_t> staged(tile);
    for (std::size_t begin = 0; begin < n; begin += tile) {
        const std::size_t count = std::min(tile, n - begin);
        const auto from = keys.begin() + static_cast<std::ptrdiff_t>(begin);
        std::fill(std::copy_n(from, count, staged.begin()), staged.end(), padding);
        for (auto own = staged.begin(); own != staged.end(); own += shape.E) std::sort(own, own + shape.E);
        std::size_t round = 0;
        for (std::uint32_t threads = 2; threads <= shape.b; threads *= 2, ++round) {
            const MergeReads reads = merge_staged(staged, threads / 2 * shape.E, threads, shape);
            rounds[round].reads.add(reads);
        }
        std::copy_n(staged.begin(), count, from);
    }
    std::vector<std::uint32_t> out(n);
    for (std::size_t run = tile; run < n; run *= 2) {
        RoundReads round{run, {}};
        for (std::size_t pair = 0; pair < n; pair += 2 * run) {
            std::size_t a = pair;
            const std::size_t a_end = std::min(pair + run, n);
            std::size_t b = a_end;
            const std::size_t b_end = std::min(pair + 2 * run, n);
            for (std::size_t begin = pair; begin < b_end; begin += tile) {
                const std::size_t count = std::min(tile, b_end - begin);
                const std::size_t a_begin = a;
                const std::size_t b_begin = b;
                for (std::size_t i = 0; i < count; ++i)
                    if (b < b_end && (a == a_end || keys[b] < keys[a]))
                        ++b;
                    else
                        ++a;
                auto next = std::copy(keys.begin() + static_cast<std::ptrdiff_t>(a_begin),
                                      keys.begin() + static_cast<std::ptrdiff_t>(a), staged.begin());
                next = std::copy(keys.begin() + static_cast<std::ptrdiff_t>(b_begin),
                                 keys.begin() + static_cast<std::ptrdiff_t>(b), next);
                std::fill(next, staged.end(), padding);
                const MergeReads reads = merge_staged(staged, static_cast<std::uint32_t>(a - a_begin), shape.b, shape);
                round.reads.add(reads);
                std::copy_n(staged.begin(), count, out.begin() + static_cast<std::ptrdiff_t>(begin));
            }
        }
        keys.swap(out);
        rounds.push_back(round);
    }
    return rounds;
}

}  // namespace sassafras::study::adversary
