#include "validate/models/rivals/abstract_machines.hpp"

#include <algorithm>
#include <array>
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

double pem_of(const LaunchView& view) { return view.blocks_moved() / (view.instance.cores / view.lanes); }

double bsp_of(const LaunchView& view) {
    const double words = view.bytes() / bytes_of_a_word / view.instance.cores;
    const std::array<Superstep, 1> step{{{view.core_cycles(), words}}};
    return bsp(step, 1 / view.instance.find("g")->bandwidth, view.instance.sync_cycles);
}

double roofline_of(const LaunchView& view) {
    return roofline(view.launch.instructions() * view.lanes, view.instance.cores, view.bytes(), view.bandwidth);
}

namespace {
KothapalliInput kothapalli_input(const LaunchView& view) {
    KothapalliInput input;
    input.blocks_an_sm = std::ceil(view.launch.blocks / view.sms);
    input.warps_a_block = std::ceil(view.launch.threads_per_block / view.lanes);
    input.threads_a_warp = view.lanes;
    input.cores_an_sm = view.instance.cores / view.sms;
    input.depth = std::max(view.register_latency, 1.0);
    input.computing = view.a_warp(view.launch.arithmetic + view.launch.control) * view.register_latency;
    input.memory = view.a_warp(view.launch.global) * view.global_latency +
                   view.a_warp(view.launch.shared_wavefronts) * view.shared_latency;
    return input;
}
}  // namespace

double kothapalli_sum_of(const LaunchView& view) { return kothapalli_sum(kothapalli_input(view)); }
double kothapalli_max_of(const LaunchView& view) { return kothapalli_max(kothapalli_input(view)); }

double agpu_time_of(const LaunchView& view) {
    // A core's accesses to shared memory; a request takes as many as its fullest bank has words.
    return view.launch.shared_wavefronts * view.lanes / view.instance.cores;
}

double agpu_io_of(const LaunchView& view) { return view.blocks_moved(); }

double tmm_of(const LaunchView& view) {
    return tmm({view.launch.instructions() * view.lanes, view.a_warp(view.launch.instructions()),
                view.blocks_moved() * view.lanes, view.global_latency,
                view.active_warps * view.lanes * view.active_sms / view.instance.cores, view.instance.cores});
}

}  // namespace sassafras::validate::rivals
