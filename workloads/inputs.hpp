// Inputs of 32-bit keys, by kind and seed, and the shapes that other elements' inputs share with them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/random.hpp"
#include "workloads/host_poll.hpp"

namespace sassafras::workloads {

/// random: uniform over all 32-bit values. sorted, reverse: the same values in ascending or descending order. equal:
/// one value throughout. few-distinct: each one of eight values. organ-pipe: the values of random, ascending, then
/// descending.
[[nodiscard]] std::vector<std::string> key_input_kinds();

/// Throws InvariantViolation for a kind not in key_input_kinds(): the request was checked before.
[[nodiscard]] std::vector<std::uint32_t> make_keys(std::string_view kind, std::uint64_t count, std::uint64_t seed,
                                                   const HostPoll& poll = {});

/// Ascending elements become: every second one, then the others backwards.
template <class T>
[[nodiscard]] std::vector<T> pipe_of(const std::vector<T>& ascending) {
    std::vector<T> pipe;
    pipe.reserve(ascending.size());
    for (std::size_t i = 0; i < ascending.size(); i += 2) pipe.push_back(ascending[i]);
    for (std::size_t i = ascending.size() - ascending.size() % 2; i > 1; i -= 2) pipe.push_back(ascending[i - 1]);
    return pipe;
}

/// Each element one of eight that `draw` drew before.
template <class T, class Draw>
[[nodiscard]] std::vector<T> choose_among_eight(std::uint64_t count, Random& random, Draw draw,
                                                const HostPoll& poll = {}) {
    OccasionalPoll occasional(poll);
    std::array<T, 8> values{};
    for (T& value : values) value = draw(random);
    std::vector<T> chosen(count);
    for (T& element : chosen) {
        element = values[random.below(values.size())];
        occasional();
    }
    return chosen;
}

}  // namespace sassafras::workloads
