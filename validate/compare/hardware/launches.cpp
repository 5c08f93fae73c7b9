#include "validate/compare/hardware/launches.hpp"

#include <algorithm>
#include <charconv>

#include "core/demangle.hpp"
#include "study/adversary/sort_input.hpp"

namespace sassafras::validate {
namespace {

/// The keys that `worst-case sort` makes for the run's E and b.
Result<std::vector<std::uint32_t>> worst_keys(const workloads::WorkloadRequest& request) {
    study::adversary::SortShape shape;
    if (const auto found = request.parameters.find("E"); found != request.parameters.end())
        shape.E = static_cast<std::uint32_t>(found->second);
    if (const auto found = request.parameters.find("b"); found != request.parameters.end())
        shape.b = static_cast<std::uint32_t>(found->second);
    const auto input = study::adversary::SortInput::make(shape, *request.n, study::adversary::Goal::worst);
    if (!input) return input.error();
    return input->keys();
}

}  // namespace

Result<workloads::WorkloadRequest> request_of(const MeasuredRun& measured) {
    const auto malformed = [&](const std::string& option) {
        return Error{ErrorKind::bad_input, "the variant has an option without a value: " + option,
                     measured.workload + " " + measured.variant, "VARIANT+NAME=VALUE, as in matrix.json"};
    };
    workloads::WorkloadRequest request;
    request.name = measured.workload;
    request.n = measured.n;
    const std::string& text = measured.variant;
    request.variant = text.substr(0, text.find('+'));
    for (std::size_t at = text.find('+'); at != std::string::npos;) {
        const std::size_t next = text.find('+', at + 1);
        const std::string option = text.substr(at + 1, next == std::string::npos ? next : next - at - 1);
        at = next;
        const std::size_t equals = option.find('=');
        if (equals == std::string::npos) return malformed(option);
        const std::string value = option.substr(equals + 1);
        if (option.compare(0, equals, "input") == 0) {
            request.input = value;
            continue;
        }
        std::int64_t number = 0;
        const auto parsed = std::from_chars(value.data(), value.data() + value.size(), number);
        if (parsed.ec != std::errc{} || parsed.ptr != value.data() + value.size()) return malformed(option);
        request.parameters[option.substr(0, equals)] = number;
    }
    if (request.name == "sort" && request.input == "worst") {
        auto keys = worst_keys(request);
        if (!keys) return keys.error();
        request.keys = std::move(*keys);
        request.input.clear();
        request.n.reset();
    }
    return request;
}

Result<std::vector<sim::KernelResult>> repeat_run(sim::Device& device, const MeasuredRun& measured) {
    const auto request = request_of(measured);
    if (!request) return request.error();
    device.clear_results();
    auto run = workloads::run_workload(device, *request);
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
            return problem("launch " + std::to_string(i) + " is " + demangled(modelled[i].name) +
                           ", on the hardware it was " + demangled(measured.launches[i].kernel));
    if (measured.launches.size() != modelled.size())
        return problem(std::to_string(modelled.size()) + " launches, on the hardware there were " +
                       std::to_string(measured.launches.size()));
    return {};
}

}  // namespace sassafras::validate
