#include "validate/compare/platform_comparison.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "sim/device/modelled_devices.hpp"
#include "sim/platform/platform_settings.hpp"
#include "validate/records/embedded_records.hpp"
#include "validate/records/recorded_run.hpp"
#include "workloads/workload.hpp"

namespace sassafras::validate {

namespace {

/// Runs of the platform's own record, or where it has none those of all records: they say which sizes are compared.
Result<std::vector<RecordedRun>> recorded_sizes(const std::vector<RecordedRun>& own) {
    if (!own.empty()) return own;
    std::vector<RecordedRun> all;
    for (const EmbeddedRecord& record : embedded_records()) {
        auto runs = recorded_runs(record.platform);
        if (!runs) return runs.error();
        all.insert(all.end(), runs->begin(), runs->end());
    }
    return all;
}

std::optional<Measurement> find_recorded(const std::vector<RecordedRun>& recorded, const Case& one) {
    for (const RecordedRun& run : recorded)
        if (run.workload == one.workload && run.variant == one.variant && run.n == one.n)
            return Measurement{run.cycles, run.least, run.most};
    return std::nullopt;
}

/// A run whose result is wrong is an Error.
Result<std::vector<sim::KernelResult>> run_case(sim::Device& device, const Case& one) {
    const auto request = request_of(one);
    if (!request) return request.error();
    device.clear_results();
    const auto run = workloads::run_workload(device, *request);
    if (!run) return run.error();
    if (!run->verified) return workloads::wrong_result(*run);
    return device.results();
}

/// Times of the device's events around each launch, as cycles of the platform's clock.
Result<Measurement> measure_now(sim::Device& device, const Case& one, std::uint32_t repetitions, double sm_mhz) {
    constexpr double nanoseconds_of_mhz = 1e-3;
    std::vector<double> totals;
    for (std::uint32_t i = 0; i < repetitions; ++i) {
        const auto launches = run_case(device, one);
        if (!launches) return launches.error();
        double nanoseconds = 0;
        for (const sim::KernelResult& launch : *launches) nanoseconds += launch.metric("gpu__time_duration.sum"_metric);
        totals.push_back(nanoseconds * sm_mhz * nanoseconds_of_mhz);
    }
    std::sort(totals.begin(), totals.end());
    const std::size_t middle = totals.size() / 2;
    const double median = totals.size() % 2 == 1 ? totals[middle] : (totals[middle - 1] + totals[middle]) / 2;
    return Measurement{median, totals.front(), totals.back()};
}

}  // namespace

Result<PlatformOutcome> compare_platform(const PlatformRequest& request) {
    const auto resolved = sim::load_platform(request.platform, request.settings);
    if (!resolved) return resolved.error();
    const auto recorded = recorded_runs(request.platform);
    if (!recorded) return recorded.error();
    const auto sizes = recorded_sizes(*recorded);
    if (!sizes) return sizes.error();
    const auto cases = choose_cases(request.choice, *sizes);
    if (!cases) return cases.error();

    PlatformOutcome outcome;
    PlatformComparison& comparison = outcome.comparison;
    comparison.platform = resolved->platform.name;
    comparison.hash = resolved->hash;
    comparison.instance = request.instance;
    if (request.gpu != nullptr)
        comparison.measured = request.gpu->name();
    else if (!recorded->empty())
        comparison.measured = "recorded";
    const auto& overheads = resolved->platform.gpu;
    const double launch_overhead = overheads.launch_overhead_cycles + overheads.completion_overhead_cycles;
    for (const Case& one : *cases) {
        // A device of its own: a launch that is refused leaves nothing behind for the next.
        const auto device = sim::make_simulated_device(resolved->platform, request.model);
        const auto launches = run_case(*device, one);
        auto compared = launches ? compare_run(one, *launches, comparison.instance, launch_overhead)
                                 : without_simulation(one, comparison.instance, launches.error().message());
        if (!compared) return compared.error();
        outcome.failed = outcome.failed || (!launches && launches.error().kind == ErrorKind::check_failed);
        if (request.gpu != nullptr) {
            const auto measured = measure_now(*request.gpu, one, request.repetitions, resolved->platform.clock.sm_mhz);
            if (!measured) return measured.error();
            compared->measured = *measured;
        } else {
            compared->measured = find_recorded(*recorded, one);
        }
        comparison.runs.push_back(std::move(compared).value());
    }
    return outcome;
}

}  // namespace sassafras::validate
