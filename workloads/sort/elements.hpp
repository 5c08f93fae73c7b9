// Inputs of the sorts, and what their outputs must be.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/host_poll.hpp"
#include "workloads/sort/order.hpp"

namespace sassafras::workloads::sort {

/// Elements of a kind of key_input_kinds(). A pair has the key that make_keys() makes and its position as value. Throws
/// InvariantViolation for any other kind: the request was checked before.
[[nodiscard]] std::vector<std::uint64_t> make_wide(Order order, std::string_view kind, std::uint64_t count,
                                                   std::uint64_t seed, const HostPoll& poll = {});

/// How much of the output the algorithm promises. A key's order is all there is to know of u32 and u64.
enum class Promise : std::uint8_t {
    stable,     ///< equal elements stay in order
    by_word,    ///< pairs: equal keys are ordered by value
    any_order,  ///< equal elements in any order: sorted, and a permutation of the input
};

/// Empty, or where the output first differs from what is promised.
[[nodiscard]] std::string mismatch(const std::vector<std::uint32_t>& input, const std::vector<std::uint32_t>& output,
                                   const HostPoll& poll = {});
[[nodiscard]] std::string mismatch(Order order, Promise promise, const std::vector<std::uint64_t>& input,
                                   const std::vector<std::uint64_t>& output, const HostPoll& poll = {});

}  // namespace sassafras::workloads::sort
