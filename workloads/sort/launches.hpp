// The launches of each algorithm.
#pragma once

#include <cstdint>
#include <vector>

#include "core/result.hpp"
#include "sim/device/device.hpp"
#include "workloads/device_buffer.hpp"
#include "workloads/sort/compiled.hpp"

namespace sassafras::workloads::sort {

/// One sort on a device. The two buffers take turns as input and output of a round.
struct Job {
    sim::Device& device;
    Plan plan;
    std::uint32_t n = 0;     ///< elements, at least 1
    std::uint64_t from = 0;  ///< device address of the input
    std::uint64_t to = 0;    ///< of as many elements
    /// What launches need beside these; it must live until the device is synchronized.
    std::vector<DeviceBuffer<std::uint32_t>> scratch;

    /// Address of scratch words, whatever they hold.
    Result<std::uint64_t> allocate_words(std::uint64_t count);
};

constexpr std::uint32_t blocks_for(std::uint64_t items, std::uint64_t each) {
    return static_cast<std::uint32_t>((items + each - 1) / each);
}

/// Each gives the address of the sorted elements, job.from or job.to.
[[nodiscard]] Result<std::uint64_t> launch_recorded(Job& job);  ///< sort.cu
[[nodiscard]] Result<std::uint64_t> launch_pairwise(
    Job& job);  ///< mgpu, cf-merge, and shearsort and bitonic with mgpu's merges
[[nodiscard]] Result<std::uint64_t> launch_multiway(Job& job);  ///< mms, koike-sadakane

}  // namespace sassafras::workloads::sort
