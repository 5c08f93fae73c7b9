// What the models ask of a launch and of a machine, worked out once for all of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "validate/models/profile/kernel_profile.hpp"
#include "validate/models/spt/instance.hpp"
#include "validate/models/spt/oversubscription.hpp"

namespace sassafras::validate::rivals {

inline constexpr double bytes_of_a_word = 4;
inline constexpr double bytes_of_a_sector = 32;
inline constexpr double sectors_of_a_block = 4;  // 32 words: what PEM and the older machines transfer

/// A part of a model's time that its source has apart.
struct Part {
    std::string name;  ///< "global", "shared", "computation", "synchronisation"
    double value = 0;
};

/// The instance has operations g, s and r.
struct LaunchView {
    const KernelProfile& launch;
    const spt::Instance& instance;
    double lanes, sms, warps;
    double active_sms;     ///< that have a block; the others count for nothing
    double active_warps;   ///< resident on one of them
    double active_blocks;  ///< likewise
    double issue_rate;     ///< warp instructions a cycle and SM
    double bandwidth;      ///< bytes a cycle, whole GPU
    double global_latency, shared_latency, register_latency;
    double transactions;     ///< blocks of 128 bytes a global request, one at least
    double request_bytes;    ///< moved for a global request
    double departure_delay;  ///< cycles between two transactions of an SM at full bandwidth

    LaunchView(const KernelProfile& profile, const spt::Instance& machine)
        : launch(profile),
          instance(machine),
          lanes(machine.warp_lanes),
          sms(machine.multiprocessors),
          warps(profile.warps(machine.warp_lanes)),
          active_sms(std::min(sms, profile.blocks)),
          active_warps(std::max(oversubscription(profile, machine) * machine.cores / (active_sms * lanes), 1.0)),
          active_blocks(std::max(active_warps * lanes / profile.threads_per_block, 1.0)),
          issue_rate(machine.cores / sms / lanes),
          bandwidth(machine.find("g")->bandwidth * bytes_of_a_word * machine.cores),
          global_latency(machine.find("g")->latency_cycles),
          shared_latency(machine.find("s")->latency_cycles),
          register_latency(machine.find("r")->latency_cycles),
          transactions(std::max(a_request(profile.global_sectors / sectors_of_a_block), 1.0)),
          request_bytes(std::max(a_request(profile.global_sectors * bytes_of_a_sector), bytes_of_a_sector)),
          departure_delay(bytes_of_a_sector * sectors_of_a_block / (bandwidth / active_sms)) {}

    [[nodiscard]] double a_request(double count) const { return launch.global > 0 ? count / launch.global : 0; }
    [[nodiscard]] double a_warp(double count) const { return warps > 0 ? count / warps : 0; }
    /// How often the GPU is filled with warps: later ones wait for the first.
    [[nodiscard]] double turns() const { return std::max(std::ceil(warps / (active_warps * active_sms) - 1e-9), 1.0); }
    [[nodiscard]] double blocks_moved() const { return launch.global_sectors / sectors_of_a_block; }
    [[nodiscard]] double core_cycles() const { return launch.instructions() * lanes / instance.cores; }
    [[nodiscard]] double bytes() const { return launch.global_sectors * bytes_of_a_sector; }
};

}  // namespace sassafras::validate::rivals
