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

double volkov_of(const LaunchView& view) {
    const double others = view.launch.instructions() - view.launch.global;
    if (view.launch.global == 0)  // Little's law and the bound, for arithmetic alone
        return others / view.active_sms / std::min(view.active_warps / view.register_latency, view.issue_rate);
    VolkovInput input;
    input.intensity = others / view.launch.global;
    input.memory_latency = view.global_latency;
    input.arithmetic_latency = view.register_latency;
    input.memory_throughput = view.bandwidth / view.active_sms / view.request_bytes;
    input.arithmetic_throughput = view.issue_rate;
    input.issue_throughput = view.issue_rate;
    return view.launch.global / view.active_sms / volkov_throughput(input, view.active_warps);
}

}  // namespace sassafras::validate::rivals
