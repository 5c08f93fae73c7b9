// K. Nakano's memory machines: DMM and UMM ("Simple memory machine models for GPUs", IPDPSW 2012), HMM ("The
// hierarchical memory machine model for GPUs", IPDPSW 2013); Karsin 3.2.4. A memory of width w and latency l takes a
// request of a warp into its pipeline as so many slots as the warp needs: on the DMM (shared memory) the words in the
// fullest of w banks, on the UMM (global memory) the groups of w neighbouring words.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "validate/models/rivals/launch_view.hpp"

namespace sassafras::validate::rivals {

/// Slots of one warp's request; threads that read the same word share it.
[[nodiscard]] double dmm_slots(std::span<const std::uint64_t> addresses, std::uint64_t width);
[[nodiscard]] double umm_slots(std::span<const std::uint64_t> addresses, std::uint64_t width);

/// `rounds` requests of each thread, one after the other, `slots` slots of all warps in all rounds: a round ends l - 1
/// time units after its last slot. For n words in order that is n / w + (l - 1) n / p.
[[nodiscard]] double memory_machine(double slots, double rounds, double latency);

/// Time of the sum of n numbers by p threads with constants 1: n / w + n l / p + l log n on DMM and UMM.
[[nodiscard]] double memory_machine_sum(double items, double threads, double width, double latency);

/// The rows of compare(). HMM: each SM's shared memory a DMM, global memory one UMM for all of them; times add up.
[[nodiscard]] double dmm_of(const LaunchView& view);
[[nodiscard]] double umm_of(const LaunchView& view);
[[nodiscard]] std::vector<Part> hmm_of(const LaunchView& view);

}  // namespace sassafras::validate::rivals
