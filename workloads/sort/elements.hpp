// Inputs of the sorts, and what their outputs must be.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/sort/order.hpp"

namespace sassafras::workloads::sort {

/// Those of key_input_kinds(), few-distinct (eight values) and organ-pipe (ascending, then descending).
[[nodiscard]] std::vector<std::string> input_kinds();

/// The same u32 keys as make_keys() for its kinds. A pair's value is its position. Throws InvariantViolation for a kind
/// not in input_kinds(): the request was checked before.
[[nodiscard]] std::vector<std::uint32_t> make_narrow(std::string_view kind, std::uint64_t count, std::uint64_t seed);
[[nodiscard]] std::vector<std::uint64_t> make_wide(Order order, std::string_view kind, std::uint64_t count,
                                                   std::uint64_t seed);

/// How much of the output the algorithm promises. A key's order is all there is to know of u32 and u64.
enum class Promise : std::uint8_t {
    stable,     ///< equal elements stay in order
    by_word,    ///< pairs: equal keys are ordered by value
    any_order,  ///< equal elements in any order: sorted, and a permutation of the input
};

/// Empty, or where the output first differs from what is promised.
[[nodiscard]] std::string mismatch(const std::vector<std::uint32_t>& input, const std::vector<std::uint32_t>& output);
[[nodiscard]] std::string mismatch(Order order, Promise promise, const std::vector<std::uint64_t>& input,
                                   const std::vector<std::uint64_t>& output);

}  // namespace sassafras::workloads::sort
