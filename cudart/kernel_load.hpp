// What a kernel takes of the GPU while it runs: places for blocks, and shares of the units that other kernels want too.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sim/device/device.hpp"
#include "sim/platform/platform.hpp"
#include "sim/timing/occupancy.hpp"

namespace sassafras::cudart {

/// Of an SM. A block fits where its share of each is free.
enum class SmPlace : std::uint8_t { blocks, warps, registers, shared, count };
/// Of an SM, busy for the share of the time that its instructions take them; `data`: wavefronts of shared memory and
/// L1.
enum class SmUnit : std::uint8_t { issue, fma, alu, fp64, tensor, xu, data, l1, count };
/// Of the GPU.
enum class GpuUnit : std::uint8_t { l2_in, l2_out, dram, count };

using Places = std::array<double, static_cast<std::size_t>(SmPlace::count)>;
using SmBusy = std::array<double, static_cast<std::size_t>(SmUnit::count)>;
using GpuBusy = std::array<double, static_cast<std::size_t>(GpuUnit::count)>;

/// How a kernel runs alone, in one part of its time. All are shares.
struct LoadPart {
    double time = 1;    ///< of the time in which it has blocks
    double sms = 1;     ///< of its SMs, that still have blocks
    double blocks = 1;  ///< of an SM's blocks, that still run there
    SmBusy of_block{};  ///< of an SM's units, that a running block takes
    GpuBusy of_gpu{};   ///< of the GPU's units, that all of them take

    /// L2 or device memory has as much to do as it can, so that requests queue up into the SMs.
    [[nodiscard]] bool fills_memory() const;
};

/// The default is that of a GPU of one SM which nothing else can use meanwhile.
struct KernelLoad {
    double sms = 1;                     ///< of the GPU
    double blocks = 1;                  ///< of the grid
    double resident = 1;                ///< at most at a time
    Places block_takes = {1, 1, 1, 1};  ///< share of an SM's
    double carve_out = 1;               ///< of an SM's most shared memory, if its blocks come first
    /// Until memory answers most, while it does, until places get free, and from then on.
    enum Part : std::size_t { lead, full, rest, tail };
    std::array<LoadPart, 4> parts = {{{.time = 0}, {}, {.time = 0}, {.time = 0}}};

    double before = 0;        ///< nanoseconds until its first block begins
    double after = 0;         ///< nanoseconds behind its last block: the parts are of the time between
    double behind_place = 0;  ///< nanoseconds from the first free place to its first block, if it had to wait for one

    double behind_other = 0;  ///< nanoseconds from another kernel's begin on an SM to its own there

    double l2_lines = 0;  ///< that it uses, each once, by those that L2 has

    /// How much longer a block takes, for its share of XU, if each operation there waits for one of another kernel's.
    double xu_wait = 0;
    double waits = 0;  ///< of a warp for memory or shared memory, in a nanosecond of its time
    double queue = 0;  ///< nanoseconds that an access waits in an SM behind this kernel's, where they fill memory

    /// Else blocks wait for their places until the tail.
    [[nodiscard]] bool one_wave() const { return blocks <= resident; }
    /// On average, until places get free.
    [[nodiscard]] bool fills_memory() const;
};

/// Of a launch that is to come: its places, and no units.
[[nodiscard]] KernelLoad load_of_places(std::uint64_t blocks, const sim::KernelResources& block,
                                        const sim::Platform& platform);
/// Of a launch on the simulated device. Of one that was not timed as a whole, units that are not known are taken to be
/// busy all the time.
[[nodiscard]] KernelLoad load_of(const sim::KernelResult& result, const sim::Platform& platform);
/// Of a copy within the device, or a set: all SMs, and all that device memory moves.
[[nodiscard]] KernelLoad load_of_copy(const sim::Platform& platform);

}  // namespace sassafras::cudart
