#include "validate/claims/execute.hpp"

#include <exception>
#include <mutex>
#include <new>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

#include "sim/device/conflict_device.hpp"
#include "sim/device/modelled_devices.hpp"
#include "sim/platform/platform_reader.hpp"
#include "study/adversary/construction.hpp"
#include "study/conflicts/conflict_summary.hpp"
#include "study/conflicts/embedded_lines.hpp"
#include "study/conflicts/phases.hpp"
#include "workloads/workload.hpp"

namespace sassafras::validate::claims {

namespace {

Result<workloads::WorkloadRequest> request_of(const RunSpec& spec) {
    workloads::WorkloadRequest request;
    request.name = spec.workload;
    request.variant = spec.variant;
    request.n = spec.n;
    request.parameters.insert(spec.parameters.begin(), spec.parameters.end());
    if (spec.input != "worst") {
        request.input = spec.input;
        return request;
    }
    auto built = study::adversary::construct(request, study::adversary::Goal::worst);
    if (!built) return built.error();
    std::vector<std::uint32_t> keys(built->count);
    built->make(0, keys);
    request.n.reset();
    request.keys = std::move(keys);
    return request;
}

Result<void> run_on(sim::Device& device, const RunSpec& spec, const workloads::WorkloadRequest& request) {
    auto done = workloads::run_workload(device, request);
    if (!done) return done.error();
    if (done->verified) return {};
    return Error{ErrorKind::check_failed, "the result is wrong: " + done->mismatch, spec.key(),
                 "sassafras run shows it; please report it"};
}

Result<RunResult> simulate(const RunSpec& spec, const sim::Platform& platform,
                           const workloads::WorkloadRequest& request) {
    const auto device = sim::make_simulated_device(platform, {});
    if (auto ran = run_on(*device, spec, request); !ran) return ran.error();
    RunResult result;
    for (const sim::KernelResult& launch : device->results()) {
        const double cycles = launch.metric("sm__cycles_elapsed.max"_metric);
        result.launches.push_back({launch.name, cycles});
        result.cycles += cycles;
    }
    return result;
}

Result<RunResult> count_conflicts(const RunSpec& spec, const sim::Platform& platform,
                                  const workloads::WorkloadRequest& request) {
    const auto lines = study::embedded_lines();
    if (!lines) return lines.error();
    const auto rules = workloads::phases_of(spec.workload);
    sim::ConflictOptions counting;
    counting.rounds = [&](const isa::Program& program) { return study::round_marks(program, rules, *lines); };
    std::vector<sim::LaunchConflicts> launches;
    const auto device = sim::make_conflict_device(platform, {}, std::move(counting), launches);
    if (auto ran = run_on(*device, spec, request); !ran) return ran.error();
    const auto summary = study::summarise(launches, rules, *lines);
    RunResult result;
    result.partitioning_beta = summary.thesis(workloads::ThesisBeta::partitioning).beta();
    result.merging_beta = summary.thesis(workloads::ThesisBeta::merging).beta();
    for (const study::PhaseConflicts& phase : summary.phases)
        result.phases[phase.part + ": " + phase.phase] = {static_cast<double>(phase.figures.requests),
                                                          static_cast<double>(phase.figures.wavefronts)};
    return result;
}

Result<RunResult> count_launches(const RunSpec& spec, const sim::Platform& platform,
                                 const workloads::WorkloadRequest& request) {
    const auto device = sim::make_functional_device(platform, {});
    if (auto ran = run_on(*device, spec, request); !ran) return ran.error();
    RunResult result;
    for (const sim::KernelResult& launch : device->results()) {
        auto profile = profile_of(launch);
        if (!profile) return profile.error();
        result.profiles.push_back(std::move(profile).value());
        for (const sim::SourceRow& row : launch.source)
            result.instructions[std::string(isa::mnemonic(row.instruction.opcode))] +=
                static_cast<double>(row.inst_executed);
    }
    return result;
}

Result<RunResult> measure(const sim::Platform& platform, bool ends_only) {
    const auto device = sim::make_simulated_device(platform, {});
    auto curves = spt::measure_curves(*device, spt::machine_of(platform), {.ends_only = ends_only});
    if (!curves) return curves.error();
    RunResult result;
    result.curves = std::move(curves).value();
    return result;
}

Result<RunResult> make(const RunSpec& spec) {
    auto resolved = sim::load_platform(spec.platform);
    if (!resolved) return resolved.error();
    const sim::Platform& platform = resolved->platform;
    if (spec.kind == RunKind::curves || spec.kind == RunKind::curve_ends)
        return measure(platform, spec.kind == RunKind::curve_ends);
    auto request = request_of(spec);
    if (!request) return request.error();
    if (spec.kind == RunKind::conflicts) return count_conflicts(spec, platform, *request);
    if (spec.kind == RunKind::counted) return count_launches(spec, platform, *request);
    return simulate(spec, platform, *request);
}

}  // namespace

Result<std::map<std::string, RunResult>> execute(std::span<const RunSpec> runs, std::uint32_t threads,
                                                 const RunProgress& progress) {
    std::vector<std::optional<Result<RunResult>>> results(runs.size());
    std::mutex mutex;
    std::size_t begun = 0;
    bool failed = false;
    std::exception_ptr thrown;
    const auto make_some = [&] {
        while (true) {
            std::size_t mine = 0;
            {
                const std::lock_guard lock(mutex);
                if (failed || begun == runs.size()) return;
                mine = begun++;
                if (progress) progress(begun, runs.size(), runs[mine]);
            }
            auto result = make(runs[mine]);
            const std::lock_guard lock(mutex);
            failed = failed || !result;
            results[mine] = std::move(result);
        }
    };
    const auto work = [&] {
        try {
            make_some();
        } catch (...) {  // thrown on, once nobody works any more
            const std::lock_guard lock(mutex);
            failed = true;
            thrown = std::current_exception();
        }
    };
    std::vector<std::thread> helpers;
    helpers.reserve(runs.size());
    try {
        for (std::uint32_t i = 1; i < threads && i < runs.size(); ++i) helpers.emplace_back(work);
    } catch (const std::system_error&) {  // fewer, then
    } catch (const std::bad_alloc&) {}
    work();
    for (std::thread& helper : helpers) helper.join();
    if (thrown) std::rethrow_exception(thrown);

    std::map<std::string, RunResult> made;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (!results[i]) continue;  // not begun: an error follows
        if (!*results[i]) {
            Error error = results[i]->error();
            error.where = error.where.empty() ? runs[i].key() : runs[i].key() + ": " + error.where;
            return error;
        }
        made.emplace(runs[i].key(), std::move(**results[i]));
    }
    return made;
}

}  // namespace sassafras::validate::claims
