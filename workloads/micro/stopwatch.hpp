// Launches a microbenchmark and reads its clock readings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "sim/device/device.hpp"
#include "workloads/device_buffer.hpp"

namespace sassafras::workloads::micro {

inline constexpr std::uint32_t lanes = static_cast<std::uint32_t>(warp_size);

class Stopwatch {
  public:
    static Result<Stopwatch> make(sim::Device& device);
    /// With the kernels of another cubin.
    static Result<Stopwatch> make(sim::Device& device, std::span<const std::byte> cubin);

    [[nodiscard]] sim::Device& device() const { return *device_; }

    /// Cycles of the slowest block, from its first warp's begin to its last warp's end; the median of three launches.
    /// The kernel's first two arguments, times and sink, come before `more`.
    [[nodiscard]] Result<double> block_cycles(const std::string& kernel, std::uint32_t blocks, std::uint32_t threads,
                                              const sim::Arguments& more);

    /// The same kernel, launched once: cycles of every warp.
    [[nodiscard]] Result<std::vector<double>> warp_cycles(const std::string& kernel, std::uint32_t blocks,
                                                          std::uint32_t threads, const sim::Arguments& more);

    /// Cycles of one trip of the kernel's loop, from a run of `few` and one of `many` trips; what surrounds the loop
    /// cancels. `more` follows the number of trips.
    [[nodiscard]] Result<double> trip_cycles(const std::string& kernel, std::uint32_t threads, std::int32_t few,
                                             std::int32_t many, const sim::Arguments& more);

    /// Cycles of pass `which` (0: the first) of the first warp through a kernel of straight-line code, run by one
    /// block; the median of three launches. Other code runs before each, so that the first pass finds none of its own
    /// in the caches.
    [[nodiscard]] Result<double> pass_cycles(const std::string& kernel, std::int32_t which);

    /// gpu__time_duration.sum of a kernel in ns, the median of three launches; 0 if the device has no such metric.
    [[nodiscard]] Result<double> kernel_ns(const std::string& kernel, std::uint32_t blocks, std::uint32_t threads,
                                           const sim::Arguments& arguments);

    /// One launch, to its end, with exactly these arguments.
    [[nodiscard]] Result<void> run(const std::string& kernel, std::uint32_t blocks, std::uint32_t threads,
                                   const sim::Arguments& arguments, Bytes dynamic_shared = {});

  private:
    Stopwatch(sim::Device& device, sim::ModuleId module, DeviceBuffer<std::int64_t> times,
              DeviceBuffer<std::uint32_t> sink)
        : device_(&device), module_(module), times_(std::move(times)), sink_(std::move(sink)) {}

    Result<double> once(const sim::Launch& launch);

    sim::Device* device_;
    sim::ModuleId module_;
    DeviceBuffer<std::int64_t> times_;
    DeviceBuffer<std::uint32_t> sink_;
};

}  // namespace sassafras::workloads::micro
