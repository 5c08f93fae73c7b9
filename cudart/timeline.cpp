#include "cudart/timeline.hpp"

#include <algorithm>

namespace sassafras::cudart {

namespace {

constexpr std::uint64_t staged_at_once = 65536;  ///< bytes; CUDA C++ Programming Guide: larger ones keep the host waiting

}  // namespace

Work work_of(Way way, std::uint64_t bytes, const sim::Platform& platform) {
    if (bytes == 0) return {};
    const sim::CopiesParameters& copies = platform.copies;
    // 1e9 bytes a second are a byte a nanosecond.
    const auto size = static_cast<double>(bytes);
    const double linked = size / copies.link_gb_per_s;
    const double by_host = size / copies.pageable_gb_per_s;
    const double memory = size / (platform.dram.bandwidth_gb_per_s * platform.dram.efficiency);
    switch (way) {
        case Way::pinned_to_device:
            if (bytes <= copies.inline_bytes) return {Engine::commands, copies.inline_to_device_ns + linked};
            return {Engine::to_device, copies.to_device_ns + linked};
        case Way::pageable_to_device: return {Engine::commands, copies.pageable_to_device_ns + by_host};
        case Way::device_to_pinned: return {Engine::to_host, copies.to_host_ns + linked};
        case Way::device_to_pageable: return {Engine::to_host, copies.pageable_to_host_ns + by_host};
        case Way::within_device: return {Engine::kernels, copies.within_device_ns + 2 * memory};
        case Way::within_host: return {Engine::commands, copies.pageable_to_host_ns + by_host};
        case Way::set:
            if (bytes <= copies.inline_bytes) return {Engine::commands, static_cast<double>(copies.inline_set_ns)};
            return {Engine::kernels, copies.within_device_ns + memory};
    }
    return {};
}

bool host_waits_for(Way way, std::uint64_t bytes) {
    return way == Way::device_to_pageable || way == Way::within_host ||
           (way == Way::pageable_to_device && bytes > staged_at_once);
}

double Timeline::run(Stream& stream, double earliest, const Work& work) {
    double begin = std::max({stream.ready, earliest, host_});
    double& free = free_[static_cast<std::size_t>(work.engine)];
    if (work.engine != Engine::commands) begin = std::max(begin, free);
    stream.ready = free = begin + work.nanoseconds;
    end_ = std::max(end_, stream.ready);
    return stream.ready;
}

void Timeline::host_waits(double time) { host_ = std::max(host_, time); }

}  // namespace sassafras::cudart
