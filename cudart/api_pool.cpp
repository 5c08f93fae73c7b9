// Memory pools: one, the default. Stream-ordered memory is given back at once, so a pool has nothing to keep.
#include "cudart/api.hpp"

using namespace sassafras::cudart;

namespace {

cudaMemPool_t default_pool() {
    static char pool = 0;  // its address is the handle
    return reinterpret_cast<cudaMemPool_t>(&pool);
}

cudaError_t with_pool(cudaMemPool_t pool, bool right, const char* function = __builtin_FUNCTION()) {
    return call([&](Runtime&) { return pool == default_pool() && right ? cudaSuccess : cudaErrorInvalidValue; },
                function);
}

}  // namespace

extern "C" {

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
    return call([&](Runtime&) {
        if (pool == nullptr) return cudaErrorInvalidValue;
        if (device != 0) return cudaErrorInvalidDevice;
        *pool = default_pool();
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) { return cudaDeviceGetDefaultMemPool(pool, device); }
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t /*keep*/) { return with_pool(pool, true); }
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr /*attribute*/, void* value) {
    return with_pool(pool, value != nullptr);
}

}  // extern "C"
