#include "validate/models/rivals/abstract_machines.hpp"

#include <algorithm>
#include <cmath>

namespace sassafras::validate::rivals {

namespace {

double logarithm(double base, double value) { return value > 1 && base > 1 ? std::log(value) / std::log(base) : 0; }

double passes(const KothapalliInput& input) {
    return input.blocks_an_sm * input.warps_a_block * input.threads_a_warp / (input.cores_an_sm * input.depth);
}

}  // namespace

double pem_scan(double items, double processors, double block) { return items / (processors * block); }

double pem_sort(double items, double processors, double block, double cache) {
    return items / (processors * block) * logarithm(cache / block, items / block) + logarithm(2, items);
}

double pem_search(double items, double block) { return logarithm(block, items); }

double bsp(std::span<const Superstep> steps, double gap, double barrier) {
    double sum = 0;
    for (const Superstep& step : steps) sum += step.work + gap * step.messages + barrier;
    return sum;
}

double roofline(double operations, double peak, double bytes, double bandwidth) {
    return std::max(operations / peak, bytes / bandwidth);
}

double roofline_rate(double intensity, double peak, double bandwidth) { return std::min(peak, bandwidth * intensity); }

double agpu_sort_io(double items, double cores, double width, double memory) {
    return items / width * logarithm(memory / cores, items / width);
}

double agpu_sort_time(double items, double cores, double width) {
    return items / cores * logarithm(2, items / width) * logarithm(2, width);
}

double tmm(const ThreadedManyCore& input) {
    return std::max(
        {input.work / input.cores, input.span, input.transfers * input.latency / (input.threads * input.cores)});
}

double kothapalli_sum(const KothapalliInput& input) { return passes(input) * (input.computing + input.memory); }

double kothapalli_max(const KothapalliInput& input) { return passes(input) * std::max(input.computing, input.memory); }

}  // namespace sassafras::validate::rivals
