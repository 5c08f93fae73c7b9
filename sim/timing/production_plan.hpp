// Which SMs execution produces for before a round. Some threads execute while others simulate SMs that have enough, so
// it should take about the same time in every round.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isa/program/program.hpp"

namespace sassafras::sim {

/// What an SM's warps have left to simulate.
struct ProductionNeed {
    static constexpr std::uint64_t nothing = ~std::uint64_t{0};

    std::uint64_t least = nothing;  ///< instructions buffered for the warp that has fewest; `nothing`: none runs
    std::uint64_t missing = 0;      ///< instructions by which warps fall short of `run_ahead`, summed up
};

/// Instructions that execution produces for a warp at a time: many, since switching between warps costs it caches; no
/// more than a round holds where the program reads what other blocks write meanwhile (an atomic's result, a load that
/// is ordered, anything after a sleep), or one warp would take all work of a queue, or spin, in one go.
[[nodiscard]] std::uint64_t run_ahead_of(const isa::Program& program, std::uint64_t round);

class ProductionPlan {
  public:
    /// `run_ahead`: instructions that execution produces for a warp at a time. `round`: cycles, and so the most
    /// instructions that a warp issues in a round.
    ProductionPlan(std::uint64_t run_ahead, std::uint64_t round) : run_ahead_(run_ahead), round_(round) {}

    /// Chooses every SM in which a warp might run out, and of those in which one is half empty as many, the emptiest
    /// first, as make up for what was consumed of late. Depends on nothing but its arguments so far.
    void next(std::span<const ProductionNeed> needs);

    /// All SMs: those that may run at once, then, from first_produced() on, those chosen.
    [[nodiscard]] const std::vector<std::uint32_t>& order() const { return order_; }
    [[nodiscard]] std::size_t first_produced() const { return first_produced_; }

    /// How many instructions each warp of a chosen SM is to have. SMs whose blocks are new get different numbers, so
    /// that they do not run short at the same time.
    [[nodiscard]] std::uint64_t target(std::uint32_t sm, const ProductionNeed& need) const;

  private:
    std::uint64_t run_ahead_;
    std::uint64_t round_;
    std::uint64_t missing_before_ = 0;  ///< of all SMs, after the production that was chosen last
    std::vector<std::uint32_t> order_;
    std::vector<std::uint32_t> chosen_;
    std::size_t first_produced_ = 0;
};

}  // namespace sassafras::sim
