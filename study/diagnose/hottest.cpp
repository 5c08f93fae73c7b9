#include "study/diagnose/hottest.hpp"

#include <algorithm>
#include <array>

#include "study/diagnose/roofs.hpp"

namespace sassafras::study {

namespace {

constexpr std::size_t most_instructions = 5;
constexpr double bytes_of_sector = 32;

struct Cost {
    double cost = 0;
    std::optional<double> least;
    std::string_view reason;
};

double real(std::uint64_t count) { return static_cast<double>(count); }

Cost sectors(const sim::SourceRow& row) {
    // What lanes share is requested by each of them.
    const double needed = std::min(real(row.global_sectors), real(row.global_bytes) / bytes_of_sector);
    return {real(row.global_sectors + row.local_sectors), needed, {}};
}

Cost wavefronts(const sim::SourceRow& row) {
    return {real(row.shared_wavefronts), real(row.shared_wavefronts_ideal), {}};
}

Cost waiting(const sim::SourceRow& row) {
    Cost cost;
    std::uint64_t worst = 0;
    for (std::size_t reason = 0; reason < sim::stall_count; ++reason) {
        if (reason == sim::index_of(sim::Stall::selected)) continue;
        cost.cost += real(row.stalls[reason]);
        if (row.stalls[reason] <= worst) continue;
        worst = row.stalls[reason];
        cost.reason = sim::stall_rows[reason].name;
    }
    return cost;
}

Cost cost_of(const sim::SourceRow& row, const Verdict& verdict) {
    switch (verdict.bound) {
        case Bound::memory: return sectors(row);
        case Bound::shared_memory: return wavefronts(row);
        case Bound::latency: return waiting(row);
        case Bound::instructions: {
            const auto pipe = pipe_of_unit(verdict.unit);
            return {!pipe || *pipe == row.instruction.pipe ? real(row.inst_executed) : 0, {}, {}};
        }
        case Bound::unknown: break;
    }
    return {};
}

std::string_view name_of_cost(Bound bound) {
    switch (bound) {
        case Bound::memory: return "sectors of global and local memory";
        case Bound::shared_memory: return "wavefronts of shared memory";
        case Bound::instructions: return "warp instructions";
        case Bound::latency: return "cycles that warps wait";
        case Bound::unknown: break;
    }
    return {};
}

}  // namespace

void add_rows(std::vector<sim::SourceRow>& sum, std::span<const sim::SourceRow> rows) {
    if (sum.empty()) {
        sum.assign(rows.begin(), rows.end());
        return;
    }
    for (std::size_t i = 0; i < std::min(sum.size(), rows.size()); ++i) {
        sum[i].inst_executed += rows[i].inst_executed;
        sum[i].thread_inst_executed += rows[i].thread_inst_executed;
        sum[i].shared_wavefronts += rows[i].shared_wavefronts;
        sum[i].shared_wavefronts_ideal += rows[i].shared_wavefronts_ideal;
        sum[i].global_sectors += rows[i].global_sectors;
        sum[i].global_bytes += rows[i].global_bytes;
        sum[i].local_sectors += rows[i].local_sectors;
        for (std::size_t reason = 0; reason < sim::stall_count; ++reason)
            sum[i].stalls[reason] += rows[i].stalls[reason];
    }
}

Hottest hottest_instructions(const Verdict& verdict, std::span<const sim::SourceRow> rows) {
    Hottest hottest;
    double total = 0;
    for (const sim::SourceRow& row : rows) {
        const Cost cost = cost_of(row, verdict);
        if (cost.cost == 0) continue;
        total += cost.cost;
        hottest.instructions.push_back({row.pc, row.instruction, row.location, cost.cost, 0, cost.least, cost.reason});
    }
    if (total == 0) return {};
    hottest.cost = name_of_cost(verdict.bound);
    std::stable_sort(hottest.instructions.begin(), hottest.instructions.end(),
                     [](const HotInstruction& left, const HotInstruction& right) { return left.cost > right.cost; });
    if (hottest.instructions.size() > most_instructions) hottest.instructions.resize(most_instructions);
    constexpr double whole_percent = 100;
    for (HotInstruction& instruction : hottest.instructions)
        instruction.percent = whole_percent * instruction.cost / total;
    return hottest;
}

}  // namespace sassafras::study
