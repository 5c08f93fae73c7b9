#include "cudart/copy_time.hpp"

namespace sassafras::cudart {

Work work_of(Way way, std::uint64_t bytes, const sim::Platform& platform) {
    if (bytes == 0) return {};
    const sim::CopiesParameters& copies = platform.copies;
    // 1e9 bytes a second are a byte a nanosecond.
    const auto size = static_cast<double>(bytes);
    const double linked = size / copies.link_gb_per_s;
    const double by_host = size / copies.pageable_gb_per_s;
    const double alone = size / (platform.dram.usable_gb_per_s() * platform.dram.efficiency);
    const double written_among_reads = size / (platform.dram.usable_gb_per_s() * platform.dram.copy_write_efficiency);
    switch (way) {
        case Way::pinned_to_device:
            if (bytes <= copies.inline_bytes) return {Engine::commands, copies.inline_to_device_ns + linked};
            return {Engine::to_device, copies.to_device_ns + linked};
        case Way::pageable_to_device: return {Engine::commands, copies.pageable_to_device_ns + by_host};
        case Way::device_to_pinned: return {Engine::to_host, copies.to_host_ns + linked};
        case Way::device_to_pageable: return {Engine::to_host, copies.pageable_to_host_ns + by_host};
        case Way::within_device:
            return {Engine::kernels, copies.within_device_ns + alone + written_among_reads, load_of_copy(platform)};
        case Way::within_host: return {Engine::commands, copies.pageable_to_host_ns + by_host};
        case Way::set:
            if (bytes <= copies.inline_bytes) return {Engine::commands, static_cast<double>(copies.inline_set_ns)};
            return {Engine::kernels, copies.within_device_ns + alone, load_of_copy(platform)};
        case Way::set_host: return {Engine::kernels, copies.within_device_ns + linked, load_of_copy(platform)};
    }
    return {};
}

const char* name_of(Way way) {
    switch (way) {
        case Way::pinned_to_device: return "HtoD";
        case Way::pageable_to_device: return "pageable HtoD";
        case Way::device_to_pinned: return "DtoH";
        case Way::device_to_pageable: return "pageable DtoH";
        case Way::within_device: return "DtoD";
        case Way::within_host: return "HtoH";
        case Way::set: return "device";
        case Way::set_host: return "host";
    }
    return "";
}

HostMeanwhile host_meanwhile(Way way, std::uint64_t bytes, bool blocking) {
    // validate/records/h200/probes/streams.cu: behind a kernel an H200's host stages 2 MiB and goes on; with 4 MiB it
    // waits.
    constexpr std::uint64_t staged_at_once = 2U << 20U;
    switch (way) {
        case Way::device_to_pageable:
        case Way::within_host: return HostMeanwhile::waits;
        case Way::pageable_to_device:
            return blocking || bytes > staged_at_once ? HostMeanwhile::waits : HostMeanwhile::copies;
        case Way::within_device:  // an H200's cudaMemcpy returns at once
        case Way::set: return HostMeanwhile::goes_on;
        case Way::pinned_to_device:
        case Way::device_to_pinned:
        case Way::set_host: break;
    }
    return blocking ? HostMeanwhile::waits : HostMeanwhile::goes_on;
}

}  // namespace sassafras::cudart
