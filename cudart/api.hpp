// How every function of the API is wrapped: one at a time, sticky errors first, and the last error kept.
#pragma once

#include <cuda_runtime_api.h>

#include <exception>
#include <new>
#include <string>

#include "cudart/runtime.hpp"

namespace sassafras::cudart {

/// Of the calling host thread, as cudaGetLastError has it.
[[nodiscard]] cudaError_t& last_error();

inline cudaError_t keep(cudaError_t error) {
    if (error != cudaSuccess && error != cudaErrorNotReady) last_error() = error;
    return error;
}

template <class Body>
cudaError_t guarded(Body&& body) {
    Runtime& runtime = Runtime::instance();
    const std::lock_guard lock(runtime.mutex());
    if (runtime.is_of_parent()) return keep(cudaErrorInitializationError);
    try {
        return keep(body(runtime));
    } catch (const std::bad_alloc&) {
        return keep(cudaErrorMemoryAllocation);
    } catch (const std::exception& error) {
        // A C interface lets no exception through; this one says that the simulator is wrong.
        runtime.end_run({ErrorKind::check_failed, std::string("internal error: ") + error.what(), "libcudart.so.13",
                         "please report it with the program"});
    }
}

/// For functions that report the error of an earlier kernel, which is nearly all.
template <class Body>
cudaError_t call(Body&& body) {
    return guarded(
        [&](Runtime& runtime) { return runtime.sticky() != cudaSuccess ? runtime.sticky() : body(runtime); });
}

}  // namespace sassafras::cudart
