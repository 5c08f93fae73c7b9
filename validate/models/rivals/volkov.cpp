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

}  // namespace sassafras::validate::rivals
