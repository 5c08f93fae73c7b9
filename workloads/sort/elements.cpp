#include "workloads/sort/elements.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/random.hpp"
#include "core/result.hpp"
#include "workloads/inputs.hpp"
#include "workloads/sort/sort.hpp"

namespace sassafras::workloads::sort {
namespace {

std::uint64_t draw_wide(Order order, Random& random) {
    if (order == Order::u64) return random.next_u64();
    const std::uint64_t numerator = random.below(1U << 16U);
    return numerator << 32U | (1 + random.below(1U << 16U));
}

/// Of the keys in whatever order, with how often each occurs: two sums of 64 bits of mixed keys, and how many there
/// are. Other keys have the same one with a chance near 2^-128; to sort 2^28 keys for a comparison takes a core
/// seconds.
struct Digest {
    std::uint64_t one = 0;
    std::uint64_t other = 0;
    std::size_t count = 0;
    bool operator==(const Digest&) const = default;
};
Digest digest_of(const std::vector<std::uint32_t>& keys, const HostPoll& poll) {
    constexpr std::uint64_t other_half = std::uint64_t{1} << 32U;
    Digest digest{.one = 0, .other = 0, .count = keys.size()};
    OccasionalPoll occasional(poll);
    for (const std::uint32_t key : keys) {
        occasional();
        digest.one += SplitMix64(key).next();
        digest.other += SplitMix64(key | other_half).next();
    }
    return digest;
}

template <class T>
std::string first_difference(const std::vector<T>& output, const std::vector<T>& expected) {
    if (output.size() != expected.size())
        return fmt::format("{} elements instead of {}", output.size(), expected.size());
    for (std::size_t i = 0; i < output.size(); ++i)
        if (output[i] != expected[i])
            return fmt::format("element {} is {}, the reference says {}", i, output[i], expected[i]);
    return {};
}

}  // namespace

std::vector<std::uint64_t> make_wide(Order order, std::string_view kind, std::uint64_t count, std::uint64_t seed,
                                     const HostPoll& poll) {
    if (order == Order::pair) {
        std::vector<std::uint64_t> pairs;
        pairs.reserve(count);
        for (const std::uint32_t key : make_keys(kind, count, seed, poll))
            pairs.push_back(std::uint64_t{key} << 32U | pairs.size());
        return pairs;
    }
    Random random(seed);
    const auto draw = [order](Random& from) { return draw_wide(order, from); };
    if (kind == "few-distinct") return choose_among_eight<std::uint64_t>(count, random, draw, poll);
    std::vector<std::uint64_t> elements(count);
    if (kind == "equal") {
        std::fill(elements.begin(), elements.end(), draw(random));
        return elements;
    }
    OccasionalPoll occasional(poll);
    for (std::uint64_t& element : elements) {
        element = draw(random);
        occasional();
    }
    if (kind == "random") return elements;
    sort_polled(
        elements, poll, [order](std::uint64_t a, std::uint64_t b) { return less(order, a, b); }, SortKind::stable);
    if (kind == "organ-pipe") return pipe_of(elements);
    if (kind == "reverse")
        std::reverse(elements.begin(), elements.end());
    else
        require_invariant(kind == "sorted", "an input kind that was never offered");
    return elements;
}

std::string mismatch(const std::vector<std::uint32_t>& input, const std::vector<std::uint32_t>& output,
                     const HostPoll& poll) {
    if (std::is_sorted(output.begin(), output.end()) && digest_of(input, poll) == digest_of(output, poll)) return {};
    return first_difference(output, reference(input, poll));
}

std::string mismatch(Order order, Promise promise, const std::vector<std::uint64_t>& input,
                     const std::vector<std::uint64_t>& output, const HostPoll& poll) {
    const auto by_order = [order](std::uint64_t a, std::uint64_t b) { return less(order, a, b); };
    std::vector<std::uint64_t> expected = input;
    if (promise == Promise::stable) {
        sort_polled(expected, poll, by_order, SortKind::stable);
        return first_difference(output, expected);
    }
    sort_polled(expected, poll);
    if (promise == Promise::by_word || order == Order::u64) return first_difference(output, expected);
    for (std::size_t i = 1; i < output.size(); ++i)
        if (by_order(output[i], output[i - 1]))
            return fmt::format("element {} is {}, less than {} before it", i, output[i], output[i - 1]);
    std::vector<std::uint64_t> words = output;
    sort_polled(words, poll);
    const std::string different = first_difference(words, expected);
    return different.empty() ? different : "no permutation of the input: of the words in ascending order, " + different;
}

}  // namespace sassafras::workloads::sort
