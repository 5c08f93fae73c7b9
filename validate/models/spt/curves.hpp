// The measurements of chapter 4 of B. Karsin, "A performance model for GPU architectures" (2018), on any device: the
// data of its figures 4.1 to 4.6, and the instance of the SPT model that follows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "sim/device/device.hpp"
#include "sim/platform/platform.hpp"
#include "validate/models/spt/fit.hpp"
#include "validate/models/spt/instance.hpp"
#include "validate/models/spt/launch_cycles.hpp"

namespace sassafras::validate::spt {

/// What the model asks of a machine beside its times.
struct Machine {
    std::string name;
    std::uint32_t sm_count = 1;
    std::uint32_t cores = 128;     ///< of an SM: lanes that do one FP32 operation a cycle
    std::uint32_t threads = 2048;  ///< resident on an SM
    std::uint32_t blocks = 32;     ///< resident on an SM
    std::uint64_t l2_bytes = 0;
    std::uint64_t sm_shared_bytes = 0;  ///< that the blocks of an SM share
    std::uint64_t shared_words = 0;     ///< of the GPU
    std::uint64_t register_words = 0;   ///< of the GPU
    double mhz = 0;                     ///< of the SMs: a device that gives only times gets its cycles from this
    /// Variant of `micro` that gives L_s and B_s: on a machine of Table 4.2 the loop of which the thesis' L_s is the
    /// time, else bare loads (workloads/micro/README.md).
    std::string shared_loop = "shared-loop";
};
[[nodiscard]] Machine machine_of(const sim::Platform& platform);

struct CurveOptions {
    /// Only the ends of each curve, M = 1 and the greatest M: enough for the constants where no knee is to be shown.
    bool ends_only = false;
    std::uint32_t repetitions = 1;  ///< of every measurement
    std::uint64_t seed = 1;
    /// Loops so many times as long: for a GPU whose times are known to some hundred cycles only.
    std::uint32_t longer = 1;
    /// If given, the device's times do not count: a launch takes what this says. Not owned.
    LaunchCycles* launch_cycles = nullptr;
};

/// One measurement: the difference of two runs over the difference of their operations.
struct CurveCell {
    std::string symbol;   ///< g, s, r, y
    std::string variant;  ///< of workload `micro`
    double oversubscription = 1;
    std::uint32_t ilp = 1;
    std::uint32_t repetition = 0;
    double cycles = 0;  ///< t: of one operation of a thread
};
struct SyncCell {
    double oversubscription = 1;
    std::uint32_t repetition = 0;
    std::uint32_t kernels = 1;
    double cycles = 0;  ///< of all kernels together
};
struct Curves {
    std::vector<CurveCell> cells;
    std::vector<SyncCell> syncs;
};

/// Values of M_o that a machine's SM can hold: powers of two, and the greatest whole number.
[[nodiscard]] std::vector<std::uint32_t> oversubscriptions(const Machine& machine);

/// Runs the microbenchmarks. The device must give cycles or times (not `functional`); with a real GPU, `machine`
/// describes it. Errors: whatever the device reports; check_failed if a result is wrong; bad_input for a device without
/// time.
[[nodiscard]] Result<Curves> measure_curves(sim::Device& device, const Machine& machine, const CurveOptions& options);

struct FittedOperation {
    std::string symbol;
    std::string name;
    std::string variant;
    OperationFit fit;
};
struct FittedMachine {
    std::vector<FittedOperation> operations;  ///< g, s, r, y
    FittedValue sync;
    [[nodiscard]] Instance instance(const Machine& machine, const std::string& provenance) const;
};
[[nodiscard]] Result<FittedMachine> fit_curves(const Curves& curves);

}  // namespace sassafras::validate::spt
