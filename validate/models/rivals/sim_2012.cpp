#include "validate/models/rivals/sim_2012.hpp"

#include <algorithm>

namespace sassafras::validate::rivals {

SimEstimate sim_2012(const SimInput& input) {
    const double warps = input.active_warps;
    const double itilp = std::min(input.ilp * warps, input.instruction_latency / input.cycles_per_issue);
    const double warps_of_an_sm = input.warps / input.active_sms;
    const double latency = input.memory_latency + (input.transactions - 1) * input.departure_delay;
    const double access = latency * input.miss_ratio + input.hit_latency;  // AMAT
    const double computing = input.instructions * input.instruction_latency / itilp;

    const double sync_factor = input.instructions > 0 ? input.gamma * latency * input.memory / input.instructions : 0;
    const double serial = input.synchronisations * input.blocks / input.active_sms * sync_factor +
                          input.bank_conflict_cycles + input.divergence_cycles;
    SimEstimate estimate;
    estimate.computation = computing * warps_of_an_sm + serial;
    if (input.memory > 0) {
        const double waiting = input.memory * access / input.mlp;
        const double cwp = std::min((waiting + computing) / computing, warps);
        const double warp_bandwidth = input.request_bytes / latency;
        const double peak = input.bandwidth / (warp_bandwidth * input.active_sms);
        const double departure = input.transactions * input.departure_delay;
        const double without_bandwidth = departure > 0 ? latency / departure : warps;
        const double mwp = std::min({without_bandwidth, peak, warps});
        const double mwp_cp = std::min(std::max(1.0, cwp - 1), mwp);
        const double itmlp = std::min(input.mlp * mwp_cp, peak);
        estimate.memory = input.memory * warps_of_an_sm / itmlp * access;
        const double zeta = cwp <= mwp ? 1 : 0;
        estimate.overlap = std::min(estimate.computation * (warps - zeta) / warps, estimate.memory);
        estimate.overlap = std::max(estimate.overlap, 0.0);  // fewer than one warp an SM
    }
    estimate.cycles = estimate.computation + estimate.memory - estimate.overlap;
    return estimate;
}

double sim_2012_of(const LaunchView& view) {
    SimInput input;
    input.instructions = view.a_warp(view.launch.instructions());
    input.memory = view.a_warp(view.launch.global);
    input.synchronisations = 0;
    input.warps = view.warps;
    input.blocks = view.launch.blocks;
    input.active_warps = view.active_warps;
    input.active_sms = view.active_sms;
    input.instruction_latency = view.register_latency;
    input.cycles_per_issue = 1 / view.issue_rate;
    input.memory_latency = view.global_latency;
    input.transactions = view.transactions;
    input.departure_delay = view.departure_delay;
    input.bandwidth = view.bandwidth;
    input.request_bytes = view.request_bytes;
    input.bank_conflict_cycles =
        (view.launch.shared_wavefronts - view.launch.shared_wavefronts_ideal) / view.active_sms;
    return sim_2012(input).cycles;
}

}  // namespace sassafras::validate::rivals
