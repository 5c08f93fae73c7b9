#include "validate/report/launches.hpp"

#include <algorithm>

#include "workloads/workload.hpp"

namespace sassafras::validate {

Result<std::vector<sim::KernelResult>> repeat_run(sim::Device& device, const MeasuredRun& measured) {
    workloads::WorkloadRequest request;
    request.name = measured.workload;
    request.variant = measured.variant;
    request.n = measured.n;
    device.clear_results();
    auto run = workloads::run_workload(device, request);
    if (!run) return run.error();
    if (!run->verified)
        return Error{ErrorKind::check_failed, "the result differs from the CPU reference",
                     measured.workload + " " + measured.variant + ", n " + std::to_string(measured.n), run->mismatch};
    return device.results();
}

Result<void> check_launches(const MeasuredRun& measured, std::span<const sim::KernelResult> modelled) {
    const std::string where = measured.workload + " " + measured.variant + ", n " + std::to_string(measured.n);
    const auto problem = [&](const std::string& what) {
        return Error{ErrorKind::check_failed, what, where,
                     "record the hardware again if kernels or drivers have changed since"};
    };
    for (std::size_t i = 0; i < std::min(measured.launches.size(), modelled.size()); ++i)
        if (measured.launches[i].kernel != modelled[i].name)
            return problem("launch " + std::to_string(i) + " is " + modelled[i].name + ", on the hardware it was " +
                           measured.launches[i].kernel);
    if (measured.launches.size() != modelled.size())
        return problem(std::to_string(modelled.size()) + " launches, on the hardware there were " +
                       std::to_string(measured.launches.size()));
    return {};
}

}  // namespace sassafras::validate
