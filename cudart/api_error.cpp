// Errors and versions.
#include "cudart/api.hpp"
#include "cudart/error_text.hpp"

namespace sassafras::cudart {

cudaError_t& last_error() {
    thread_local cudaError_t error = cudaSuccess;
    return error;
}

}  // namespace sassafras::cudart

namespace {

constexpr int version_13_0 = 13000;

}  // namespace

extern "C" {

const char* cudaGetErrorName(cudaError_t error) { return sassafras::cudart::error_name(error); }
const char* cudaGetErrorString(cudaError_t error) { return sassafras::cudart::error_text(error); }

cudaError_t cudaPeekAtLastError() { return sassafras::cudart::last_error(); }

cudaError_t cudaGetLastError() {
    const cudaError_t error = sassafras::cudart::last_error();
    sassafras::cudart::last_error() = cudaSuccess;
    return error;
}

cudaError_t cudaRuntimeGetVersion(int* version) {
    if (version == nullptr) return sassafras::cudart::keep(cudaErrorInvalidValue);
    *version = version_13_0;
    return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int* version) { return cudaRuntimeGetVersion(version); }

cudaError_t cudaProfilerStart() { return cudaSuccess; }
cudaError_t cudaProfilerStop() { return cudaSuccess; }

}  // extern "C"
