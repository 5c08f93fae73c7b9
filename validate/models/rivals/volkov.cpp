#include "validate/models/rivals/volkov.hpp"

#include <algorithm>

namespace sassafras::validate::rivals {

namespace {

double latency(const VolkovInput& input) { return input.memory_latency + input.intensity * input.arithmetic_latency; }

double bound(const VolkovInput& input) {
    double least = std::min(input.memory_throughput, input.issue_throughput / (input.intensity + 1));
    if (input.intensity > 0) least = std::min(least, input.arithmetic_throughput / input.intensity);
    return least;
}

}  // namespace

double volkov_throughput(const VolkovInput& input, double warps) {
    return std::min(warps / latency(input), bound(input));
}

double volkov_warps(const VolkovInput& input) { return latency(input) * bound(input); }

double volkov_cusp(const VolkovInput& input) { return input.arithmetic_throughput / input.memory_throughput; }

namespace {
/// Of a launch with global accesses.
VolkovInput volkov_input(const LaunchView& view) {
    VolkovInput input;
    input.intensity = (view.launch.instructions() - view.launch.global) / view.launch.global;
    input.memory_latency = view.global_latency;
    input.arithmetic_latency = view.register_latency;
    input.memory_throughput = view.bandwidth / view.active_sms / view.request_bytes;
    input.arithmetic_throughput = view.issue_rate;
    input.issue_throughput = view.issue_rate;
    return input;
}
}  // namespace

double volkov_of(const LaunchView& view) {
    if (view.launch.global == 0)  // Little's law and the bound, for arithmetic alone
        return view.launch.instructions() / view.active_sms /
               std::min(view.active_warps / view.register_latency, view.issue_rate);
    return view.launch.global / view.active_sms / volkov_throughput(volkov_input(view), view.active_warps);
}

double volkov_warps_of(const LaunchView& view) { return view.launch.global > 0 ? volkov_warps(volkov_input(view)) : 0; }

double volkov_cusp_of(const LaunchView& view) { return view.launch.global > 0 ? volkov_cusp(volkov_input(view)) : 0; }

}  // namespace sassafras::validate::rivals
