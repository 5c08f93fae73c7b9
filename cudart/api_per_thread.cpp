// What programs compiled with `-default-stream per-thread` call instead: stream 0 is the calling thread's own. Of
// functions that are the same for every stream the library has a second name (CMakeLists.txt); copies and sets without
// a stream are in api_copy.cpp.
#include "cudart/api.hpp"

namespace {

cudaStream_t own(cudaStream_t stream) { return stream == nullptr ? cudaStreamPerThread : stream; }

}  // namespace

extern "C" {

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                               cudaStream_t stream);

cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                                    cudaStream_t stream) {
    return __cudaLaunchKernel(kernel, grid, block, arguments, shared, own(stream));
}

cudaError_t cudaLaunchKernel_ptsz(const void* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                                  cudaStream_t stream) {
    return cudaLaunchKernel(kernel, grid, block, arguments, shared, own(stream));
}

cudaError_t cudaLaunchCooperativeKernel_ptsz(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                             std::size_t shared, cudaStream_t stream) {
    return cudaLaunchCooperativeKernel(kernel, grid, block, arguments, shared, own(stream));
}

cudaError_t cudaLaunchKernelExC_ptsz(const cudaLaunchConfig_t* config, const void* kernel, void** arguments) {
    if (config == nullptr) return cudaLaunchKernelExC(config, kernel, arguments);
    cudaLaunchConfig_t with_stream = *config;
    with_stream.stream = own(config->stream);
    return cudaLaunchKernelExC(&with_stream, kernel, arguments);
}

cudaError_t cudaLaunchHostFunc_ptsz(cudaStream_t stream, cudaHostFn_t function, void* data) {
    return cudaLaunchHostFunc(own(stream), function, data);
}

cudaError_t cudaMemcpyAsync_ptsz(void* to, const void* from, std::size_t size, cudaMemcpyKind kind,
                                 cudaStream_t stream) {
    return cudaMemcpyAsync(to, from, size, kind, own(stream));
}

cudaError_t cudaMemcpy2DAsync_ptsz(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                                   std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
    return cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, own(stream));
}

cudaError_t cudaMemcpy3DAsync_ptsz(const cudaMemcpy3DParms* box, cudaStream_t stream) {
    return cudaMemcpy3DAsync(box, own(stream));
}

cudaError_t cudaMemcpyToSymbolAsync_ptsz(const void* symbol, const void* from, std::size_t count, std::size_t offset,
                                         cudaMemcpyKind kind, cudaStream_t stream) {
    return cudaMemcpyToSymbolAsync(symbol, from, count, offset, kind, own(stream));
}

cudaError_t cudaMemcpyFromSymbolAsync_ptsz(void* to, const void* symbol, std::size_t count, std::size_t offset,
                                           cudaMemcpyKind kind, cudaStream_t stream) {
    return cudaMemcpyFromSymbolAsync(to, symbol, count, offset, kind, own(stream));
}

cudaError_t cudaMemsetAsync_ptsz(void* to, int value, std::size_t size, cudaStream_t stream) {
    return cudaMemsetAsync(to, value, size, own(stream));
}

cudaError_t cudaMemset2DAsync_ptsz(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height,
                                   cudaStream_t stream) {
    return cudaMemset2DAsync(to, pitch, value, width, height, own(stream));
}

cudaError_t cudaMemset3DAsync_ptsz(cudaPitchedPtr to, int value, cudaExtent extent, cudaStream_t stream) {
    return cudaMemset3DAsync(to, value, extent, own(stream));
}

cudaError_t cudaStreamSynchronize_ptsz(cudaStream_t stream) { return cudaStreamSynchronize(own(stream)); }
cudaError_t cudaStreamQuery_ptsz(cudaStream_t stream) { return cudaStreamQuery(own(stream)); }

cudaError_t cudaStreamWaitEvent_ptsz(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
    return cudaStreamWaitEvent(own(stream), event, flags);
}

cudaError_t cudaStreamAddCallback_ptsz(cudaStream_t stream, cudaStreamCallback_t function, void* data, unsigned flags) {
    return cudaStreamAddCallback(own(stream), function, data, flags);
}

cudaError_t cudaEventRecord_ptsz(cudaEvent_t event, cudaStream_t stream) { return cudaEventRecord(event, own(stream)); }

cudaError_t cudaEventRecordWithFlags_ptsz(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
    return cudaEventRecordWithFlags(event, own(stream), flags);
}

}  // extern "C"
