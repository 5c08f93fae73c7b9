#include "study/adversary/permutation_schedule.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include <fmt/format.h>

#include "core/graph.hpp"

namespace sassafras::study::adversary {
namespace {

/// A regular part of the words: which of each pair of banks.
struct Part {
    std::uint32_t degree = 0;
    std::vector<std::uint32_t> begin;  ///< of pair (read bank, written bank), at read * w + written, in `words`
    std::vector<std::uint32_t> count;
};

class Colouring {
  public:
    Colouring(std::span<const std::uint32_t> permutation, std::uint32_t w) : w_(w), n_(permutation.size()) {
        const auto padded = static_cast<std::uint32_t>((n_ + w - 1) / w * w);
        // What is added stays where it is; the graph is regular then.
        const auto target = [&](std::uint32_t word) { return word < n_ ? permutation[word] : word; };
        Part all{padded / w, std::vector<std::uint32_t>(std::size_t{w} * w, 0),
                 std::vector<std::uint32_t>(std::size_t{w} * w, 0)};
        for (std::uint32_t word = 0; word < padded; ++word) ++all.count[pair(word % w, target(word) % w)];
        std::uint32_t sum = 0;
        for (std::size_t i = 0; i < all.count.size(); ++i) {
            all.begin[i] = sum;
            sum += all.count[i];
        }
        words_.resize(padded);
        std::vector<std::uint32_t> next = all.begin;
        for (std::uint32_t word = 0; word < padded; ++word) words_[next[pair(word % w, target(word) % w)]++] = word;
        schedule_.w = w;
        schedule_.from.reserve(padded);
        if (padded != 0) colour(std::move(all));
    }

    PermutationSchedule take() { return std::move(schedule_); }

  private:
    [[nodiscard]] std::size_t pair(std::size_t read, std::size_t written) const { return read * w_ + written; }

    void colour(Part part) {
        if (part.degree % 2 == 1) peel(part);
        if (part.degree == 0) return;
        Part other = split(part);
        colour(std::move(part));
        colour(std::move(other));
    }

    /// Takes a round out of a part: a perfect matching, which every regular bipartite graph has.
    void peel(Part& part) {
        std::vector<Edge> edges;  // vertices 0 .. w-1 are banks to read, w .. 2w-1 banks to write
        for (std::size_t read = 0; read < w_; ++read)
            for (std::size_t written = 0; written < w_; ++written)
                if (part.count[pair(read, written)] != 0) edges.emplace_back(read, w_ + written);
        const std::vector<std::size_t> mate = maximum_matching(2 * std::size_t{w_}, edges);
        for (std::size_t read = 0; read < w_; ++read) {
            require_invariant(mate[read] != no_mate, "a regular graph without a perfect matching");
            const std::size_t at = pair(read, mate[read] - w_);
            const std::uint32_t word = words_[part.begin[at]++];
            --part.count[at];
            schedule_.from.push_back(word < n_ ? word : PermutationSchedule::idle);
        }
        --part.degree;
    }

    /// Halves a part of even degree; the other half is returned. Of each pair of banks half the words go either way;
    /// pairs that have one more are the edges of a graph with even degrees, and every second edge along its circuits
    /// goes to the other half.
    Part split(Part& part) {
        Part other = part;
        std::vector<bool> odd(part.count.size());
        for (std::size_t i = 0; i < part.count.size(); ++i) {
            odd[i] = part.count[i] % 2 == 1;
            part.count[i] /= 2;
            other.count[i] = part.count[i];
        }
        // Walk while there are edges, from a bank to read to one to write and back; a walk ends where it began.
        const auto take = [&](std::size_t first, std::size_t step) {
            std::size_t bank = 0;
            while (bank < w_ && !odd[first + bank * step]) ++bank;
            if (bank < w_) odd[first + bank * step] = false;
            return bank;
        };
        for (std::size_t start = 0; start < w_; ++start)
            for (std::size_t read = start, written = take(pair(read, 0), 1); written < w_;
                 written = take(pair(read, 0), 1)) {
                ++part.count[pair(read, written)];
                read = take(written, w_);
                ++other.count[pair(read, written)];
            }
        part.degree /= 2;
        other.degree = part.degree;
        for (std::size_t i = 0; i < part.count.size(); ++i) other.begin[i] = part.begin[i] + part.count[i];
        return other;
    }

    std::uint32_t w_;
    std::size_t n_;
    std::vector<std::uint32_t> words_;  ///< by pair of banks
    PermutationSchedule schedule_;
};

}  // namespace

Result<PermutationSchedule> schedule_permutation(std::span<const std::uint32_t> permutation, std::uint32_t w) {
    const auto refuse = [](std::string what, std::string remedy) {
        return Error{ErrorKind::bad_input, std::move(what), "permutation", std::move(remedy)};
    };
    if (w < 2 || w > 32 || !std::has_single_bit(w))
        return refuse(fmt::format("w = {} lanes and banks", w), "a power of two, 2 to 32");
    if (permutation.size() >= std::uint64_t{1} << 31U) return refuse("too many words", "fewer than 2^31");
    std::vector<bool> taken(permutation.size(), false);
    for (std::size_t i = 0; i < permutation.size(); ++i) {
        const std::uint32_t to = permutation[i];
        if (to >= permutation.size() || taken[to])
            return refuse(fmt::format("number {} (from 0) is {}, {}", i, to,
                                      to >= permutation.size() ? "beyond the last place" : "a place that is taken"),
                          "give every number from 0 to n - 1 once");
        taken[to] = true;
    }
    return Colouring(permutation, w).take();
}

std::string fault_of(const PermutationSchedule& schedule, std::span<const std::uint32_t> permutation) {
    std::vector<bool> moved(permutation.size(), false);
    for (std::size_t round = 0; round < schedule.rounds(); ++round) {
        std::array<bool, 32> read{};
        std::array<bool, 32> written{};
        for (std::size_t lane = 0; lane < schedule.w; ++lane) {
            const std::uint32_t word = schedule.from[round * schedule.w + lane];
            if (word == PermutationSchedule::idle) continue;
            if (word >= permutation.size() || moved[word])
                return fmt::format("round {} moves word {} again, or there is none", round, word);
            moved[word] = true;
            bool& reads = read[word % schedule.w];
            bool& writes = written[permutation[word] % schedule.w];
            if (reads || writes) return fmt::format("round {} meets a bank twice, at word {}", round, word);
            reads = true;
            writes = true;
        }
    }
    const auto missing = std::find(moved.begin(), moved.end(), false);
    if (missing != moved.end()) return fmt::format("word {} is not moved", missing - moved.begin());
    return {};
}

}  // namespace sassafras::study::adversary
