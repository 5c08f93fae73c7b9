#include "validate/models/spt/curves.hpp"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "core/types.hpp"
#include "workloads/micro/operations.hpp"
#include "workloads/workload.hpp"

namespace sassafras::validate::spt {

namespace {

constexpr std::array ilps{1U, 2U, 4U, 8U};  ///< compiled forms of the kernels
constexpr std::uint32_t words_apart = 8;    ///< n of a copy is a multiple, so that no form has a rest
constexpr std::uint64_t least_copied = 32;
constexpr std::uint64_t copied_bytes_of_word = 8;  ///< read and written

struct Measured {
    const char* symbol;
    const char* name;
    const char* variant;
    bool has_ilp;
};
// Operations in registers: FP32 additions, of which every core does one a cycle on all GPUs here; integer additions of
// the thesis, which nvcc turns into something else (workloads/micro/README.md).
constexpr std::array measured{Measured{"g", "global memory access", "global-copy", true},
                              Measured{"s", "shared memory access", nullptr, true},  // Machine::shared_loop
                              Measured{"r", "register operation", "register-loop-fp32", true},
                              Measured{"y", "barrier of a block", "barriers", false}};

std::string variant_of(const Measured& what, const Machine& machine) {
    return what.variant != nullptr ? what.variant : machine.shared_loop;
}

/// Blocks for an SM and threads of a block: a block has a thread for each core, or several if an SM holds too few
/// blocks.
struct Shape {
    std::int64_t blocks;
    std::int64_t threads;
};
Shape shape_of(const Machine& machine, std::uint32_t oversubscription) {
    std::uint32_t wide = 1;
    while (oversubscription % wide != 0 || oversubscription / wide > machine.blocks) ++wide;
    return {oversubscription / wide, std::int64_t{machine.cores} * wide};
}

/// Whether all blocks are resident at once: the shared-memory kernel has 8 words for each thread (micro_spt.cu,
/// `rows`).
bool fits(const Machine& machine, const Measured& what, std::uint32_t oversubscription) {
    constexpr std::uint64_t shared_bytes_of_thread = 32;
    return std::string_view(what.symbol) != "s" ||
           shared_bytes_of_thread * machine.cores * oversubscription <= machine.sm_shared_bytes;
}

class Bench {
  public:
    Bench(sim::Device& device, const Machine& machine, const CurveOptions& options)
        : device_(device), machine_(machine), options_(options) {}

    /// Cycles of all kernels of a run, and its operations of a thread.
    struct Run {
        double cycles = 0;
        double operations = 0;
    };
    Result<Run> run(const std::string& variant, std::uint64_t n, std::map<std::string, std::int64_t> parameters,
                    std::uint32_t repetition) {
        workloads::WorkloadRequest request;
        request.name = "micro";
        request.variant = variant;
        request.n = n;
        request.seed = options_.seed + repetition;
        request.parameters = std::move(parameters);
        device_.clear_results();
        const auto done = workloads::run_workload(device_, request);
        if (!done) return done.error();
        if (!done->verified)
            return Error{ErrorKind::check_failed,
                         "the result differs from the CPU reference",
                         fmt::format("micro, {}: {}", variant, done->mismatch),
                         {}};
        std::map<std::string, std::int64_t> resolved;
        for (const auto& [name, value] : done->parameters) resolved[name] = value;
        Run result;
        result.operations = static_cast<double>(workloads::micro::operations(variant, n, resolved));
        for (const sim::KernelResult& kernel : device_.results()) {
            if (options_.launch_cycles != nullptr) {
                const auto known = options_.launch_cycles->next(kernel.name);
                if (!known) return known.error();
                result.cycles += *known;
                continue;
            }
            const double cycles = kernel.metric("sm__cycles_elapsed.max"_metric);
            constexpr double nanoseconds_of_megahertz = 1000;
            result.cycles +=
                cycles > 0 ? cycles
                           : kernel.metric("gpu__time_duration.sum"_metric) * machine_.mhz / nanoseconds_of_megahertz;
        }
        if (result.cycles <= 0)
            return Error{ErrorKind::bad_input, "this device measures no time", device_.name(),
                         "use --device simulated or cuda"};
        return result;
    }

    /// Two runs that differ in nothing but the number of operations.
    Result<double> cycles_of_operation(const Measured& what, std::uint32_t oversubscription, std::uint32_t ilp,
                                       std::uint32_t repetition) {
        const Shape shape = shape_of(machine_, oversubscription);
        std::map<std::string, std::int64_t> parameters{{"M_o", shape.blocks}, {"b", shape.threads}};
        if (what.has_ilp) parameters["M_I"] = ilp;
        const std::string_view symbol = what.symbol;
        std::array<std::uint64_t, 2> n{};
        std::array<std::int64_t, 2> repeats{};
        if (symbol == "g") {
            // Between the two runs as much as L2 holds is copied, so that what is written goes to memory.
            const std::uint64_t threads = std::uint64_t{machine_.sm_count} * machine_.cores * oversubscription;
            const std::uint64_t words = machine_.l2_bytes / (copied_bytes_of_word * threads) + 1;
            n[0] = std::max(least_copied, (words + words_apart - 1) / words_apart * words_apart);
            constexpr std::uint32_t most = 3;  // the host checks every word
            n[1] = (1 + std::min(options_.longer, most)) * n[0];
        } else if (symbol == "y") {
            n = {std::uint64_t{20} * options_.longer, std::uint64_t{80} * options_.longer};
        } else {
            // Enough operations in registers that the words' arrival from memory, which they hide, does not count.
            constexpr std::int64_t operations = 800;
            n.fill(symbol == "s" ? ilp : 1);
            const std::int64_t first = (symbol == "s" ? 100 : operations / ilp) * options_.longer;
            repeats = {first, 2 * first};
        }
        std::array<Run, 2> runs{};
        for (std::size_t i = 0; i < 2; ++i) {
            if (repeats[i] != 0) parameters["X"] = repeats[i];
            auto done = run(variant_of(what, machine_), n[i], parameters, repetition);
            if (!done) return done.error();
            runs[i] = *done;
        }
        return (runs[1].cycles - runs[0].cycles) / (runs[1].operations - runs[0].operations);
    }

  private:
    sim::Device& device_;
    const Machine& machine_;
    const CurveOptions& options_;
};

}  // namespace

Machine machine_of(const sim::Platform& platform) {
    Machine machine;
    machine.name = platform.name;
    machine.sm_count = platform.gpu.sm_count;
    machine.cores =
        static_cast<std::uint32_t>(warp_size) * platform.sm.subcores / platform.pipes.fma.issue_interval_cycles;
    machine.threads = platform.sm.max_warps * static_cast<std::uint32_t>(warp_size);
    machine.blocks = platform.sm.max_blocks;
    machine.l2_bytes = platform.l2.bytes;
    machine.sm_shared_bytes = platform.sm.shared_bytes;
    constexpr std::uint64_t word = 4;
    machine.shared_words = std::uint64_t{platform.sm.shared_bytes} / word * platform.gpu.sm_count;
    machine.register_words = std::uint64_t{platform.sm.registers} * platform.gpu.sm_count;
    machine.mhz = platform.clock.sm_mhz;
    for (const Instance& of_thesis : built_in_instances())
        if (of_thesis.name == platform.name) machine.shared_loop = "shared-loop-indexed";
    return machine;
}

std::vector<std::uint32_t> oversubscriptions(const Machine& machine) {
    const std::uint32_t greatest = std::max(1U, machine.threads / machine.cores);
    std::vector<std::uint32_t> values;
    for (std::uint32_t value = 1; value < greatest; value *= 2) values.push_back(value);
    values.push_back(greatest);
    return values;
}

Result<Curves> measure_curves(sim::Device& device, const Machine& machine, const CurveOptions& options) {
    Bench bench(device, machine, options);
    Curves curves;
    for (std::uint32_t repetition = 0; repetition < options.repetitions; ++repetition) {
        for (const Measured& what : measured) {
            std::vector<std::uint32_t> held = oversubscriptions(machine);
            while (held.size() > 1 && !fits(machine, what, held.back())) held.pop_back();
            if (options.ends_only) held = {held.front(), held.back()};
            for (const std::uint32_t oversubscription : held)
                for (const std::uint32_t ilp : ilps) {
                    if (!what.has_ilp && ilp != 1) continue;
                    // The ends: least and greatest M of what has M_I; else all of the few.
                    if (options.ends_only && what.has_ilp &&
                        ilp != (oversubscription == held.front() ? ilps.front() : ilps.back()))
                        continue;
                    const auto cycles = bench.cycles_of_operation(what, oversubscription, ilp, repetition);
                    if (!cycles) return cycles.error();
                    curves.cells.push_back({what.symbol, variant_of(what, machine),
                                            static_cast<double>(oversubscription), ilp, repetition, *cycles});
                }
        }
        constexpr std::uint64_t words = 16;
        for (const std::uint32_t oversubscription : {1U, 4U}) {
            if (options.ends_only && oversubscription != 1) continue;
            const Shape shape = shape_of(machine, oversubscription);
            for (const std::uint32_t kernels : {1U, 2U, 4U, 8U, 16U}) {
                if (options.ends_only && kernels != 2 && kernels != 8) continue;
                const auto run = bench.run("kernel-boundaries", words,
                                           {{"M_o", shape.blocks}, {"b", shape.threads}, {"K", kernels}}, repetition);
                if (!run) return run.error();
                curves.syncs.push_back({static_cast<double>(oversubscription), repetition, kernels, run->cycles});
            }
        }
    }
    if (options.launch_cycles != nullptr)
        if (auto all = options.launch_cycles->all_taken(); !all) return all.error();
    return curves;
}

Result<FittedMachine> fit_curves(const Curves& curves) {
    FittedMachine fitted;
    for (const Measured& what : measured) {
        std::vector<CurvePoint> points;
        std::string variant;
        for (const CurveCell& cell : curves.cells)
            if (cell.symbol == what.symbol) {
                points.push_back({cell.oversubscription, static_cast<double>(cell.ilp), cell.cycles});
                variant = cell.variant;
            }
        const auto fit = fit_operation(points);
        if (!fit) return fit.error();
        fitted.operations.push_back({what.symbol, what.name, variant, *fit});
    }
    std::vector<SyncPoint> syncs;
    for (const SyncCell& cell : curves.syncs)
        syncs.push_back({cell.oversubscription, static_cast<double>(cell.kernels), cell.cycles});
    const auto sync = fit_sync(syncs);
    if (!sync) return sync.error();
    fitted.sync = *sync;
    return fitted;
}

Instance FittedMachine::instance(const Machine& machine, const std::string& provenance) const {
    Instance instance;
    instance.name = machine.name;
    instance.provenance = provenance;
    instance.cores = static_cast<double>(machine.cores) * machine.sm_count;
    instance.warp_lanes = static_cast<double>(warp_size);
    instance.shared_words = static_cast<double>(machine.shared_words);
    instance.register_words = static_cast<double>(machine.register_words);
    instance.threads_per_core = static_cast<double>(machine.threads) / machine.cores;
    instance.multiprocessors = machine.sm_count;
    instance.clock_mhz = machine.mhz;
    instance.sync_cycles = sync.value;
    instance.sync_interval = sync.interval;
    for (const FittedOperation& operation : operations)
        instance.operations.push_back({operation.symbol, operation.name, operation.fit.latency.value,
                                       operation.fit.bandwidth.value, operation.symbol != "y",
                                       operation.fit.latency.interval, operation.fit.bandwidth.interval});
    return instance;
}

}  // namespace sassafras::validate::spt
