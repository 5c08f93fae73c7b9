#include "study/rules/rule_list.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/types.hpp"
#include "sim/metrics/metric_list.hpp"

namespace sassafras::study {

namespace {

using Speech = std::optional<Said>;
using Of = const RuledLaunch&;
using sim::Section;

constexpr double cause_percent = 5;            // the least share of anything that is called a cause, as in remedies.cpp
constexpr double noticeable_conflicts = 0.05;  // passes an access beyond those needed
constexpr double most_hits_percent = 95;       // L2 that hits more often is large enough
constexpr double few_bytes_percent = 90;       // of sectors: what is used of less than that is worth packing
constexpr double all_percent = 100;

std::optional<double> figure(Of launch, Figure wanted) { return launch.diagnosis.figures.find(wanted); }
std::optional<double> counter(Of launch, Quantity wanted) { return launch.diagnosis.kernel.counters.find(wanted); }

Speech bank_conflicts(Of launch) {
    const auto conflicts = figure(launch, Figure::conflicts_an_access);
    if (!conflicts || *conflicts < noticeable_conflicts) return std::nullopt;
    return Said{
        fmt::format("An access to shared memory takes {:.2f} passes more than it needs, because lanes want "
                    "different words of one bank. Pad rows or permute what lies there.",
                    *conflicts)};
}

Speech scattered(Of launch) {
    const auto loads = figure(launch, Figure::load_efficiency).value_or(all_percent);
    const auto stores = figure(launch, Figure::store_efficiency).value_or(all_percent);
    if (std::min(loads, stores) >= few_bytes_percent) return std::nullopt;
    return Said{
        fmt::format("Of the bytes that global {} move, lanes use {:.0f} %. Let neighbouring lanes touch "
                    "neighbouring addresses: structures of arrays, transposed or padded arrays.",
                    loads < stores ? "loads" : "stores", std::min(loads, stores))};
}

Speech capacity_of_l2(Of launch) {
    const auto hits = figure(launch, Figure::l2_hit_rate);
    const auto dram = figure(launch, Figure::dram_share);
    if (!hits || *hits >= most_hits_percent || !dram || *dram < cause_percent) return std::nullopt;
    return Said{
        fmt::format("L2 has {:.0f} % of what is asked of it, and DRAM runs at {:.0f} % of its peak. Use what "
                    "was fetched before it is displaced: tiles in shared memory or registers, blocks that "
                    "share data at the same time.",
                    *hits, *dram)};
}

Speech spills(Of launch) {
    const auto share = figure(launch, Figure::local_memory);
    if (!share || *share < 1) return std::nullopt;
    return Said{
        fmt::format("There are {:.0f} accesses to lines of local memory to 100 instructions: registers that "
                    "spill, or arrays that are indexed. Allow more registers a thread, or make scalars of them.",
                    *share)};
}

Speech double_precision(Of launch) {
    const auto used = counter(launch, Quantity::fp64_utilisation);
    if (!used || *used < cause_percent) return std::nullopt;
    return Said{
        fmt::format("The FP64 pipe is at {:.0f} % of its peak. Where the precision is not needed, take FP32: "
                    "literals with f, float functions.",
                    *used)};
}

Speech few_warps(Of launch) {
    const auto possible = figure(launch, Figure::theoretical_occupancy);
    const auto resident = launch.blocks_an_sm();
    if (!possible || !resident || *possible >= all_percent - cause_percent) return std::nullopt;
    // Blocks that are on the GPU at once would not be there sooner.
    if (static_cast<double>(launch.result.grid.volume()) <= *resident * launch.machine.sm_count) return std::nullopt;
    return Said{
        fmt::format("{} registers a thread, {} bytes of shared memory a block or the block's shape let {:.0f} % "
                    "of an SM's warps be there. Give a block less, or another shape.",
                    launch.result.registers_per_thread,
                    launch.result.static_shared.count + launch.result.dynamic_shared.count, *possible)};
}

Speech barriers(Of launch) {
    const auto share = figure(launch, Figure::barrier_waits);
    if (!share || *share < cause_percent) return std::nullopt;
    return Said{
        fmt::format("Warps spend {:.0f} % of their time at barriers. Let fewer warps meet: smaller blocks, "
                    "__syncwarp() where a warp is enough, work that is alike between barriers.",
                    *share)};
}

Speech idle_lanes(Of launch) {
    const auto idle = figure(launch, Figure::divergence);
    const auto issuing = figure(launch, Figure::issue_share);
    if (!idle || *idle < cause_percent || !issuing) return std::nullopt;
    return Said{
        fmt::format("Of a warp's lanes {:.1f} of 32 are active in the mean instruction, in {:.0f} % of all cycles "
                    "one is issued. Let whole warps agree on branches, or sort work by its kind.",
                    32 * (1 - *idle / all_percent), *issuing),
        *idle * *issuing / all_percent};
}

/// Lanes that meet at one word cost L2 a cycle and more each, one after the other. So where there are few lanes, it can
/// be no matter where they meet.
Speech contention(Of launch) {
    const auto elapsed = counter(launch, Quantity::clocks);
    std::uint64_t lanes = 0;
    for (const sim::SourceRow& row : launch.result.source) {
        const isa::Opcode opcode = row.instruction.opcode;
        if (opcode == isa::Opcode::RED || opcode == isa::Opcode::ATOMG || opcode == isa::Opcode::ATOM)
            lanes += row.thread_inst_executed;
    }
    if (!elapsed || static_cast<double>(lanes) < cause_percent / all_percent * *elapsed) return std::nullopt;
    return Said{
        fmt::format("{} lanes update global memory by atomics, and those that meet at a word take turns. Add up "
                    "what a warp or a block has first, or spread the words.",
                    lanes)};
}

/// What a warp does between two of its instructions, most of the time.
Speech most_waits(Of launch) {
    std::string_view most;
    double all = 0;
    double waits = 0;
    for (const auto& [metric, cycles] : launch.result.metrics.reported()) {
        if (!is_stall_ratio(metric)) continue;
        all += cycles;
        if (row_of(metric).details.label == "Stall Selected" || cycles <= waits) continue;
        waits = cycles;
        most = row_of(metric).meaning;
    }
    if (all <= 0 || waits < all / 4) return std::nullopt;
    return Said{fmt::format("Of {:.1f} cycles from one instruction of a warp to its next, {:.1f} go by while it {}.",
                            all, waits, most)};
}

Speech small_grid(Of launch) {
    const auto blocks = static_cast<double>(launch.result.grid.volume());
    const double sms = launch.machine.sm_count;
    if (blocks >= sms) return std::nullopt;
    return Said{
        fmt::format("The grid has {:.0f} blocks, the GPU {:.0f} SMs, of which the others have nothing to do. Make "
                    "more and smaller blocks, or let kernels of other streams run beside it.",
                    blocks, sms),
        all_percent * (1 - blocks / sms)};
}

Speech tail(Of launch) {
    const auto resident = launch.blocks_an_sm();
    if (!resident || *resident < 1) return std::nullopt;
    const double waves = static_cast<double>(launch.result.grid.volume()) / (*resident * launch.machine.sm_count);
    if (waves <= 1) return std::nullopt;
    const double idle = all_percent * (std::ceil(waves) - waves) / std::ceil(waves);
    if (idle < cause_percent) return std::nullopt;
    return Said{
        fmt::format("Blocks come in waves of {:.0f}, and {:.2f} waves leave the last one partly empty. Choose a grid "
                    "of whole waves, or let a block take work as it comes.",
                    *resident * launch.machine.sm_count, waves),
        idle};
}

Speech nearest_roof(Of launch) {
    const Verdict& verdict = launch.verdict;
    if (verdict.bound == Bound::unknown) return std::nullopt;
    // A unit of the model is near its peak that these shares do not tell of.
    const bool is_of_unit = launch.shares && launch.shares->greater() < verdict.percent;
    if (launch.shares && !is_of_unit) return Said{advice_of(*launch.shares)};
    if (launch.diagnosis.is_at_roof)
        return Said{fmt::format("{}: little is left to win unless it has less to do there.", verdict.because)};
    return Said{verdict.because + "."};
}

constexpr auto rule_rows = std::to_array<Rule>({
    {"SOLBottleneck", "the nearest roof", Section::speed_of_light, RuleKind::inf, {}, nearest_roof},
    {"HighPipeUtilization", "FP64 arithmetic", Section::compute, RuleKind::opt, "fp64-as-fp32", double_precision},
    {"MemoryCacheAccessPattern", "data that L2 has lost", Section::memory, RuleKind::opt, "infinite-l2",
     capacity_of_l2},
    {"SharedMemoryConflicts", "bank conflicts", Section::memory, RuleKind::opt, "no-bank-conflicts", bank_conflicts},
    {"LocalMemory", "local memory", Section::memory, RuleKind::opt, "no-spills", spills},
    {"LaunchConfiguration", "a grid smaller than the GPU", Section::launch, RuleKind::opt, {}, small_grid},
    {"TailEffect", "a last wave that is partly empty", Section::launch, RuleKind::opt, {}, tail},
    {"TheoreticalOccupancy", "few resident warps", Section::occupancy, RuleKind::opt, "full-occupancy", few_warps},
    {"UncoalescedGlobalAccess", "scattered accesses", Section::memory, RuleKind::opt, "perfect-coalescing", scattered},
    {"ThreadDivergence", "idle lanes", Section::compute, RuleKind::opt, {}, idle_lanes},
    {"AtomicContention", "atomics that meet at a word", Section::memory, RuleKind::opt, "no-atomic-contention",
     contention},
    {"CPIStall", "what warps wait for", Section::warp_state, RuleKind::inf, {}, most_waits},
    {"BarrierStall", "waits at barriers", Section::warp_state, RuleKind::opt, "no-barrier-waits", barriers},
});

}  // namespace

std::optional<double> RuledLaunch::blocks_an_sm() const {
    const auto possible = diagnosis.figures.find(Figure::theoretical_occupancy);
    if (!possible) return std::nullopt;
    const double warps = std::ceil(static_cast<double>(result.block.volume()) / warp_size);
    return std::floor(*possible / all_percent * machine.max_warps_per_sm / warps + 1e-6);
}

std::span<const Rule> rules() { return rule_rows; }

}  // namespace sassafras::study
