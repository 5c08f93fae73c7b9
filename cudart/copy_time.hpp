// How long copies and sets take, and what does them. Measured: validate/records/h200/probes/copies.cu.
#pragma once

#include <cstdint>

#include "cudart/work.hpp"
#include "sim/platform/platform.hpp"

namespace sassafras::cudart {

/// From where to where bytes move.
enum class Way : std::uint8_t {
    pinned_to_device,
    pageable_to_device,
    device_to_pinned,
    device_to_pageable,
    within_device,
    within_host,
    set,       ///< of device memory
    set_host,  ///< of pinned or managed memory
};

/// "HtoD" and the like, "pageable" before it where it is.
[[nodiscard]] const char* name_of(Way way);

/// What a call of the API does with the host.
enum class HostMeanwhile : std::uint8_t {
    goes_on,
    copies,  ///< moves the bytes itself, into the stream's commands: what is called next comes later by as much
    waits,   ///< until the copy has ended
};

/// What a copy or a set of so many bytes is for a stream. Nothing at all for no bytes.
[[nodiscard]] Work work_of(Way way, std::uint64_t bytes, const sim::Platform& platform);

/// `blocking`: of a function of the API that is not asynchronous.
[[nodiscard]] HostMeanwhile host_meanwhile(Way way, std::uint64_t bytes, bool blocking);

}  // namespace sassafras::cudart
