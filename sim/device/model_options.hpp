// What can be chosen about a modelled GPU beside its platform.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "core/part.hpp"
#include "core/types.hpp"
#include "sim/execute/device_heap.hpp"
#include "sim/execute/executor.hpp"
#include "sim/what_if/what_if.hpp"

namespace sassafras::sim {

struct KernelLaunch;

/// How far a launch has come.
struct LaunchProgress {
    std::string_view kernel;
    std::uint64_t blocks_done = 0;
    std::uint64_t blocks = 0;
    std::optional<Cycle> cycles;                     ///< simulated so far; none where execution has no time
    std::optional<std::uint64_t> instructions = {};  ///< of warps, executed so far, where that is known
    bool ended = false;                              ///< the launch is over, whether it succeeded or not
};

struct ModelOptions {
    std::uint64_t instruction_limit =
        0;                      ///< warp instructions a warp may run before it counts as a runaway; 0: no limit
    std::uint32_t threads = 1;  ///< that simulate; results do not depend on it
    bool cold_caches = true;    ///< before every launch
    bool new_process = false;   ///< the first launch is a process's first: gpu.first_launch_cycles
    bool sample = false;        ///< time some blocks and launches only, and estimate the rest
    /// With sample: the half of an interval, as a share, that is narrow enough. Empty: of a launch 1 % or
    /// what a few windows give, of launches that are alike 2 %.
    std::optional<double> narrow = {};
    /// The launches that are timed; the others are executed only (KernelResult::left_out), but for those that may
    /// compute something else then: whose kernels read a clock or sleep, or whose blocks depend on their order.
    Part timed_launches = {};
    std::uint64_t first_launch = 0;  ///< number of the device's first one among those
    /// The same of a selection: asked once about each launch, in order. Empty: all.
    std::function<bool(const KernelLaunch&)> selects = {};
    bool times_unselected = false;    ///< launches that are not selected are timed all the same, for what they leave
    const WhatIf* what_if = nullptr;  ///< the cost that timing leaves out; null for none
    bool full_metrics = false;        ///< the full set of metrics (sim/device/full_set)
    bool source_lines = false;        ///< source rows say from which line each instruction comes
    /// Profiles of launches that are timed as a whole: cycles of an interval (0: none), and the launch whose blocks'
    /// times are kept, at most so many.
    std::uint64_t profile_interval = 0;
    std::optional<std::uint64_t> blocks_of_launch = {};
    std::uint64_t most_blocks = 0;
    bool check = false;  ///< look for races and other faults while kernels execute: Device::findings()
    std::uint64_t first_address = 0x7f00'0000'0000;  ///< of device memory
    /// Called often while a launch runs, on the thread that launches, and once when it has ended. It must be quick.
    std::function<void(const LaunchProgress&)> progress = {};
    /// Takes what kernels print and what failed assertions say, while they execute. Empty: the text is dropped.
    TextSink print = {};
    Bytes malloc_heap = DeviceHeap::default_size;  ///< of malloc() in kernels
};

}  // namespace sassafras::sim
