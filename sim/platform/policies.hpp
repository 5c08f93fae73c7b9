// The policies that a platform chooses by name: a table for each kind, a row for each policy. A row names the type that
// is the policy, which a file of its own under sim/timing/policies defines, and what platforms call it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "core/literal_text.hpp"

namespace sassafras::sim {

template <class Policy, LiteralText policy_name>
struct PolicyRow {
    using Type = Policy;
    static constexpr std::string_view name = policy_name.view();
};

template <class... Rows>
struct PolicyTable {
    /// A row of the table, by number; the first is what value-initialisation gives.
    enum class Choice : std::uint8_t {};

    static constexpr std::size_t size = sizeof...(Rows);
    static constexpr std::array<std::string_view, size> names{Rows::name...};

    /// The row of a policy by its name in platforms; a name that the table does not have does not compile
    /// as a constant, and throws otherwise.
    static constexpr Choice named(std::string_view name) {
        std::size_t row = 0;
        while (names.at(row) != name) ++row;
        return Choice{static_cast<std::uint8_t>(row)};
    }

    /// The parameter `key` of a platform, for the visitors of Platform::visit.
    template <class Visitor, class Field>
    static void visit(Visitor& visitor, std::string_view key, Field& chosen, std::string_view meaning) {
        visitor.choice(key, chosen, {std::pair<std::string_view, Choice>(Rows::name, number<Rows>())...}, meaning);
    }

  private:
    template <class Row>
    static constexpr Choice number() {
        return named(Row::name);
    }
};

/// Which of the warps of a sub-core that can issue does so (sim/timing/policies/warp_scheduler).
using WarpSchedulers = PolicyTable<                               //
    PolicyRow<class GreedyThenYoungest, "greedy_then_youngest">,  //
    PolicyRow<class LooseRoundRobin, "loose_round_robin">,        //
    PolicyRow<class GreedyThenOldest, "greedy_then_oldest">,      //
    PolicyRow<class GreedyUntilYield, "greedy_until_yield">,      //
    PolicyRow<class TwoLevel, "two_level">>;

/// Which line of a full set goes (sim/timing/policies/replacement).
using Replacements = PolicyTable<                               //
    PolicyRow<class LeastRecentlyUsed, "least_recently_used">,  //
    PolicyRow<class FirstInFirstOut, "first_in_first_out">,     //
    PolicyRow<class RandomReplacement, "random">>;

/// Where addresses lie: partitions and slices of L2, channels, banks and rows of DRAM
/// (sim/timing/policies/address_map).
using AddressMaps = PolicyTable<                     //
    PolicyRow<class HashedMap, "hashed">,            //
    PolicyRow<class InterleavedMap, "interleaved">,  //
    PolicyRow<class XorModuloMap, "xor_modulo">>;

/// What a channel of DRAM serves when, and how long that takes (sim/timing/policies/dram_scheduler).
using DramSchedulers = PolicyTable<                         //
    PolicyRow<class InOrderDram, "in_order">,               //
    PolicyRow<class OpenRowDram, "first_ready_open_rows">,  //
    PolicyRow<class ActivationBoundDram, "activation_bound">>;

}  // namespace sassafras::sim
