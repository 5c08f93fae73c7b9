#include "validate/models/rivals/hong_kim.hpp"

#include <algorithm>

namespace sassafras::validate::rivals {

HongKimEstimate hong_kim(const HongKimInput& input) {
    const double memory = input.coalesced + input.uncoalesced;
    const double warps = input.active_warps;
    const double computation = input.issue_cycles * (input.computing + memory);
    const double repetitions = input.blocks / (input.active_blocks * input.active_sms);
    HongKimEstimate estimate;
    if (memory == 0) {
        estimate.mwp = warps;
        estimate.cwp = 1;
        estimate.cycles = computation * warps * repetitions;
        return estimate;
    }
    const double uncoalesced_latency = input.memory_latency + (input.transactions - 1) * input.uncoalesced_delay;
    const double uncoalesced_share = input.uncoalesced / memory;
    const double latency = uncoalesced_latency * uncoalesced_share + input.memory_latency * (1 - uncoalesced_share);
    const double departure = input.uncoalesced_delay * input.transactions * uncoalesced_share +
                             input.coalesced_delay * (1 - uncoalesced_share);
    const double without_bandwidth = departure > 0 ? std::min(latency / departure, warps) : warps;
    const double warp_bandwidth = input.load_bytes / latency;
    const double peak = input.bandwidth / (warp_bandwidth * input.active_sms);
    estimate.mwp = std::max(std::min({without_bandwidth, peak, warps}), 1.0);
    const double waiting = uncoalesced_latency * input.uncoalesced + input.memory_latency * input.coalesced;
    const double full = (waiting + computation) / computation;
    estimate.cwp = std::min(full, warps);
    const double overlapped = computation / memory * (estimate.mwp - 1);
    double once = 0;
    if (estimate.mwp == warps && estimate.cwp == warps)
        once = waiting + computation + overlapped;
    else if (estimate.cwp >= estimate.mwp || computation > waiting)
        once = waiting * warps / estimate.mwp + overlapped;
    else
        once = latency + computation * warps;
    estimate.sync_cycles = departure * (estimate.mwp - 1) * input.synchronisations * input.active_blocks * repetitions;
    estimate.cycles = once * repetitions + estimate.sync_cycles;
    return estimate;
}

double hong_kim_of(const LaunchView& view) {
    HongKimInput input;
    const bool coalesced = view.transactions <= 1;
    (coalesced ? input.coalesced : input.uncoalesced) = view.a_warp(view.launch.global);
    input.computing = view.a_warp(view.launch.instructions() - view.launch.global);
    input.transactions = view.transactions;
    input.synchronisations = view.a_warp(view.launch.barriers);
    input.blocks = view.launch.blocks;
    input.active_blocks = view.active_blocks;
    input.active_warps = view.active_warps;
    input.active_sms = view.active_sms;
    input.memory_latency = view.global_latency;
    input.coalesced_delay = input.uncoalesced_delay = view.departure_delay;
    input.issue_cycles = 1 / view.issue_rate;
    input.bandwidth = view.bandwidth;
    input.load_bytes = view.request_bytes;
    return hong_kim(input).cycles;
}

}  // namespace sassafras::validate::rivals
