// Which kernels the cubins of this folder hold, and with which parameters each algorithm runs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "workloads/selection.hpp"
#include "workloads/sort/elements.hpp"
#include "workloads/sort/order.hpp"

namespace sassafras::workloads::sort {

enum class Algorithm : std::uint8_t { recorded, mgpu, mgpu_words, cf_merge, shearsort, bitonic, mms, koike_sadakane };

/// What is to run, all of it compiled.
struct Plan {
    Algorithm algorithm = Algorithm::recorded;
    Order order = Order::u32;        ///< of the elements
    Order compared_as = Order::u32;  ///< of the kernels: u64 also sorts pairs where stability is not promised
    Promise promise = Promise::stable;
    std::uint32_t E = 0;       ///< elements a thread, in merges of pairs
    std::uint32_t b = 0;       ///< threads a block
    std::uint32_t K = 0;       ///< runs that a warp merges
    std::uint32_t blocks = 0;  ///< warps that merge at a time, at most
};

/// Completes the selection's parameters. Error bad_input: a parameter that the variant does not have, or a
/// combination that is not compiled; the remedy lists what is.
[[nodiscard]] Result<Plan> plan(Selection& selection);

/// The variants that plan() knows, the parameters of them all, and what is compiled, for `sassafras list` and the
/// README.
[[nodiscard]] std::vector<VariantInfo> variants();
[[nodiscard]] std::vector<ParameterInfo> parameters();
/// Those that have kernels for keys of 64 bits.
[[nodiscard]] std::vector<std::string> wide_variants();

struct Compiled {
    Algorithm algorithm;
    Order order;
    std::uint32_t E;
    std::uint32_t b;
};
/// The merges of pairs.
[[nodiscard]] const std::vector<Compiled>& compiled_pairwise();
/// The fan-ins of the multiway merges, for all their orders.
[[nodiscard]] const std::vector<std::uint32_t>& compiled_fan_ins();

}  // namespace sassafras::workloads::sort
