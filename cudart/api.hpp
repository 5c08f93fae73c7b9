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

/// `function`: the caller's name, for reports of calls that fail.
template <class Body>
cudaError_t guarded(Body&& body, const char* function = __builtin_FUNCTION()) {
    Runtime& runtime = Runtime::instance();
    const std::lock_guard lock(runtime.mutex());
    const auto end = [&](cudaError_t error) {
        runtime.note_want_of_memory(true);
        if (error != cudaSuccess && error != cudaErrorNotReady) runtime.note_failed_call(function, error);
        return keep(error);
    };
    if (runtime.is_of_parent()) return end(cudaErrorInitializationError);
    try {
        return end(body(runtime));
    } catch (const std::bad_alloc&) {
        runtime.note_want_of_memory(false);
        return end(cudaErrorMemoryAllocation);
    } catch (const std::exception& error) {
        // A C interface lets no exception through; this one says that the simulator is wrong.
        runtime.end_run({ErrorKind::check_failed, std::string("internal error: ") + error.what(), "libcudart.so.13",
                         "please report it with the program"});
    }
}

/// For functions that report the error of an earlier kernel, which is nearly all.
template <class Body>
cudaError_t call(Body&& body, const char* function = __builtin_FUNCTION()) {
    return guarded([&](Runtime& runtime) { return runtime.sticky() != cudaSuccess ? runtime.sticky() : body(runtime); },
                   function);
}

}  // namespace sassafras::cudart
