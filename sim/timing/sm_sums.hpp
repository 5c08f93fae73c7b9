// What the SMs of a launch have counted, added up.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/home_queues.hpp"
#include "sim/access/instruction_counters.hpp"
#include "sim/timing/sm/sm.hpp"
#include "sim/timing/subcore_cycles.hpp"

namespace sassafras::sim {

struct SmSums {
    explicit SmSums(std::size_t instructions) : counts(instructions), stalls(instructions) {}

    void add(const Sm& sm) {
        add(sm.instruction_counters(), sm.stalls());
        subcores.add(sm.subcore_cycles());
        l1_traffic.add(sm.l1_traffic());
    }
    void add(const SmSums& more) {
        add(more.counts, more.stalls);
        subcores.add(more.subcores);
        l1_traffic.add(more.l1_traffic);
    }

    InstructionCounters counts;
    StallTable stalls;
    SubCoreCycles subcores;
    L1Traffic l1_traffic;

  private:
    void add(const InstructionCounters& more_counts, const StallTable& more_stalls) {
        counts.merge(more_counts);
        for (std::size_t i = 0; i < stalls.size(); ++i)
            for (std::size_t reason = 0; reason < stall_count; ++reason) stalls[i][reason] += more_stalls[i][reason];
    }
};

/// Of all instructions and SMs. Between two rounds.
[[nodiscard]] inline StallCycles stalls_so_far(const std::vector<std::unique_ptr<Sm>>& sms) {
    StallCycles sum{};
    for (const auto& sm : sms)
        for (const StallCycles& instruction : sm->stalls())
            for (std::size_t reason = 0; reason < stall_count; ++reason) sum[reason] += instruction[reason];
    return sum;
}

[[nodiscard]] inline std::uint64_t issued_so_far(const std::vector<std::unique_ptr<Sm>>& sms) {
    return stalls_so_far(sms)[index_of(Stall::selected)];
}

/// Ends the SMs, each on a thread of the pool: to give back their memory takes as long as to add up.
[[nodiscard]] inline SmSums take_sums(std::vector<std::unique_ptr<Sm>>& sms, std::size_t instructions, WorkerPool& pool,
                                      HomeQueues& queues) {
    std::vector<std::optional<SmSums>> by_worker(pool.size());
    queues.run(pool, static_cast<std::uint32_t>(sms.size()), [&](std::uint32_t number, std::uint32_t worker) {
        const std::unique_ptr<Sm> sm = std::move(sms[number]);
        std::optional<SmSums>& sum = by_worker[worker];
        if (!sum) sum.emplace(instructions);
        sum->add(*sm);
    });
    SmSums all(instructions);
    for (const std::optional<SmSums>& sum : by_worker)
        if (sum) all.add(*sum);
    return all;
}

}  // namespace sassafras::sim
