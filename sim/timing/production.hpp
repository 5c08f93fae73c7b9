// Execution that a round needs before SMs can go on: the blocks of those that the plan has chosen, one after the other
// on one thread, or at the same time where the source can do that.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/home_queues.hpp"
#include "core/result.hpp"
#include "core/worker_pool.hpp"
#include "sim/timing/production_plan.hpp"
#include "sim/trace/trace_source.hpp"

namespace sassafras::sim {

class Production {
  public:
    /// Runs an SM for the round; any thread may call it, for each SM once.
    using RunSm = std::function<void(std::uint32_t sm)>;
    /// The blocks of an SM.
    using Resident = std::function<const std::vector<BlockTrace*>&(std::uint32_t sm)>;

    Production(TraceSource& source, WorkerPool& pool, const ProductionPlan& plan, Resident resident)
        : source_(source),
          pool_(pool),
          plan_(plan),
          resident_(std::move(resident)),
          advancing_(pool.size()),
          ready_(pool.size()),
          comparing_(pool.size()),
          waiting_(pool.size()) {}

    /// Lets the chosen SMs' blocks execute, in the plan's order or as if, and runs all SMs: those that were chosen when
    /// all chosen have executed, or one by one where that happens in order. Fails with what execution fails with.
    [[nodiscard]] std::optional<Error> round(const std::vector<ProductionNeed>& needs, const RunSm& run);

  private:
    void choose_parts(const std::vector<ProductionNeed>& needs);
    void round_in_order(const std::vector<ProductionNeed>& needs, const RunSm& run);
    void produce_in_order(const std::vector<ProductionNeed>& needs);
    void round_together(const RunSm& run);
    [[nodiscard]] std::uint32_t home_of(std::uint32_t sm) const;
    void advance(std::size_t part);
    void compare(std::size_t part);

    TraceSource& source_;
    WorkerPool& pool_;
    const ProductionPlan& plan_;
    Resident resident_;
    std::vector<AdvancePart> room_;       ///< of parts, to be used again
    std::span<const AdvancePart> parts_;  ///< of this round: a block each
    // The phases of a round: parts, SMs, parts, SMs. What is of an SM has the same home in all of them.
    HomeQueues advancing_;
    HomeQueues ready_;
    HomeQueues comparing_;
    HomeQueues waiting_;
    std::optional<Error> failure_;
    std::atomic<std::size_t> advanced_{0};  ///< parts
    std::atomic<std::size_t> compared_{0};
    std::atomic<bool> thrown_{false};
    std::atomic<std::size_t> produced_{0};  ///< of the plan's order, how many may run
};

}  // namespace sassafras::sim
