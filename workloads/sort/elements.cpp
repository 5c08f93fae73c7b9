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
Digest digest_of(const std::vector<std::uint32_t>& keys) {
    constexpr std::uint64_t other_half = std::uint64_t{1} << 32U;
    Digest digest{.one = 0, .other = 0, .count = keys.size()};
    for (const std::uint32_t key : keys) {
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

std::vector<std::uint64_t> make_wide(Order order, std::string_view kind, std::uint64_t count, std::uint64_t seed) {
    if (order == Order::pair) {
        std::vector<std::uint64_t> pairs;
        pairs.reserve(count);
        for (const std::uint32_t key : make_keys(kind, count, seed))
            pairs.push_back(std::uint64_t{key} << 32U | pairs.size());
        return pairs;
    }
    Random random(seed);
    const auto draw = [order](Random& from) { return draw_wide(order, from); };
    if (kind == "few-distinct") return choose_among_eight<std::uint64_t>(count, random, draw);
    std::vector<std::uint64_t> elements(count);
    if (kind == "equal") {
        std::fill(elements.begin(), elements.end(), draw(random));
        return elements;
    }
    for (std::uint64_t& element : elements) element = draw(random);
    if (kind == "random") return elements;
    std::stable_sort(elements.begin(), elements.end(),
                     [order](std::uint64_t a, std::uint64_t b) { return less(order, a, b); });
    if (kind == "organ-pipe") return pipe_of(elements);
    if (kind == "reverse")
        std::reverse(elements.begin(), elements.end());
    else
        require_invariant(kind == "sorted", "an input kind that was never offered");
    return elements;
}

std::string mismatch(const std::vector<std::uint32_t>& input, const std::vector<std::uint32_t>& output) {
    if (std::is_sorted(output.begin(), output.end()) && digest_of(input) == digest_of(output)) return {};
    return first_difference(output, reference(input));
}

std::string mismatch(Order order, Promise promise, const std::vector<std::uint64_t>& input,
                     const std::vector<std::uint64_t>& output) {
    const auto by_order = [order](std::uint64_t a, std::uint64_t b) { return less(order, a, b); };
    std::vector<std::uint64_t> expected = input;
    if (promise == Promise::stable) {
        std::stable_sort(expected.begin(), expected.end(), by_order);
        return first_difference(output, expected);
    }
    std::sort(expected.begin(), expected.end());
    if (promise == Promise::by_word || order == Order::u64) return first_difference(output, expected);
    for (std::size_t i = 1; i < output.size(); ++i)
        if (by_order(output[i], output[i - 1]))
            return fmt::format("element {} is {}, less than {} before it", i, output[i], output[i - 1]);
    std::vector<std::uint64_t> words = output;
    std::sort(words.begin(), words.end());
    const std::string different = first_difference(words, expected);
    return different.empty() ? different : "no permutation of the input: of the words in ascending order, " + different;
}

}  // namespace sassafras::workloads::sort
