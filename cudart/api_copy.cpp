// cudaMemcpy and cudaMemset in their forms, and copies to and from symbols.
#include "cudart/api.hpp"
#include "cudart/memory_copy.hpp"

using namespace sassafras::cudart;
namespace sim = sassafras::sim;

namespace {

enum class Host : std::uint8_t { waits, goes_on };

/// A copy or set in its stream's turn. `body` moves the bytes and notes how many.
template <class Body>
cudaError_t transfer(cudaStream_t handle, Host host, Body&& body, const char* function = __builtin_FUNCTION()) {
    return call(
        [&](Runtime& runtime) {
            Stream* const stream = runtime.stream(handle);
            if (stream == nullptr) return cudaErrorInvalidResourceHandle;
            Transfer moved;
            moved.blocking = host == Host::waits;
            if (const cudaError_t error = body(runtime, moved); error != cudaSuccess) return error;
            if (moved.bytes == 0) return cudaSuccess;
            const Work work = runtime.timed(work_of(moved.way, moved.bytes, runtime.platform()));
            const bool sets = moved.way == Way::set || moved.way == Way::set_host;
            const CommandId copy = runtime.put(*stream, work,
                                               {.kind = sets ? TimelineEntry::Kind::set : TimelineEntry::Kind::copy,
                                                .name = name_of(moved.way),
                                                .number = moved.bytes});
            switch (host_meanwhile(moved.way, moved.bytes, moved.blocking)) {
                case HostMeanwhile::waits: runtime.streams().host_waits(copy); return runtime.synchronize();
                case HostMeanwhile::copies: runtime.streams().host_spends(work.nanoseconds); break;
                case HostMeanwhile::goes_on: break;
            }
            return cudaSuccess;
        },
        function);
}

cudaError_t copy_in(cudaStream_t stream, Host host, void* to, std::size_t to_pitch, const void* from,
                    std::size_t from_pitch, std::size_t width, std::size_t rows, cudaMemcpyKind kind,
                    const char* function = __builtin_FUNCTION()) {
    return transfer(
        stream, host,
        [&](Runtime& runtime, Transfer& moved) {
            return copy_rows(runtime, moved, to, to_pitch, from, from_pitch, width, rows, kind);
        },
        function);
}

cudaError_t symbol_place(Runtime& runtime, const void* symbol, std::size_t count, std::size_t offset, void*& place) {
    sim::DeviceSymbol found;
    if (const cudaError_t error = runtime.find_variable(symbol, found); error != cudaSuccess) return error;
    if (offset > found.size.count || count > found.size.count - offset) return cudaErrorInvalidValue;
    place = reinterpret_cast<void*>(found.address.value + offset);
    return cudaSuccess;
}

cudaError_t copy_to_symbol(Runtime& runtime, Transfer& moved, const void* symbol, const void* from, std::size_t count,
                           std::size_t offset, cudaMemcpyKind kind) {
    if (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost) return cudaErrorInvalidMemcpyDirection;
    void* place = nullptr;
    if (const cudaError_t error = symbol_place(runtime, symbol, count, offset, place); error != cudaSuccess)
        return error;
    return copy(runtime, moved, place, from, count, kind);
}

cudaError_t copy_from_symbol(Runtime& runtime, Transfer& moved, void* to, const void* symbol, std::size_t count,
                             std::size_t offset, cudaMemcpyKind kind) {
    if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost) return cudaErrorInvalidMemcpyDirection;
    void* place = nullptr;
    if (const cudaError_t error = symbol_place(runtime, symbol, count, offset, place); error != cudaSuccess)
        return error;
    return copy(runtime, moved, to, place, count, kind);
}

cudaError_t copy_box(Runtime& runtime, Transfer& moved, const cudaMemcpy3DParms& box) {
    if (box.srcArray != nullptr || box.dstArray != nullptr) runtime.unsupported("cudaMemcpy3D", "an array");
    const cudaPitchedPtr& to = box.dstPtr;
    const cudaPitchedPtr& from = box.srcPtr;
    if (box.extent.width * box.extent.height * box.extent.depth == 0) return cudaSuccess;
    if (to.ptr == nullptr || from.ptr == nullptr) return cudaErrorInvalidValue;
    for (std::size_t slice = 0; slice < box.extent.depth; ++slice) {
        auto* const to_slice = static_cast<std::byte*>(to.ptr) + box.dstPos.x +
                               to.pitch * (box.dstPos.y + to.ysize * (box.dstPos.z + slice));
        const auto* const from_slice = static_cast<const std::byte*>(from.ptr) + box.srcPos.x +
                                       from.pitch * (box.srcPos.y + from.ysize * (box.srcPos.z + slice));
        const cudaError_t error = copy_rows(runtime, moved, to_slice, to.pitch, from_slice, from.pitch,
                                            box.extent.width, box.extent.height, box.kind);
        if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
}

cudaError_t set_box(Runtime& runtime, Transfer& moved, const cudaPitchedPtr& to, int value, const cudaExtent& extent) {
    if (extent.width * extent.height * extent.depth == 0) return cudaSuccess;
    if (to.ptr == nullptr) return cudaErrorInvalidValue;
    for (std::size_t slice = 0; slice < extent.depth; ++slice) {
        const cudaError_t error =
            set_rows(runtime, moved, static_cast<std::byte*>(to.ptr) + to.pitch * to.ysize * slice, to.pitch, value,
                     extent.width, extent.height);
        if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
}

cudaError_t set_in(cudaStream_t stream, Host host, void* to, std::size_t pitch, int value, std::size_t width,
                   std::size_t rows, const char* function = __builtin_FUNCTION()) {
    return transfer(
        stream, host,
        [&](Runtime& runtime, Transfer& moved) { return set_rows(runtime, moved, to, pitch, value, width, rows); },
        function);
}

cudaError_t set_box_in(cudaStream_t stream, Host host, cudaPitchedPtr to, int value, cudaExtent extent,
                       const char* function = __builtin_FUNCTION()) {
    return transfer(
        stream, host, [&](Runtime& runtime, Transfer& moved) { return set_box(runtime, moved, to, value, extent); },
        function);
}

cudaError_t box_in(cudaStream_t stream, Host host, const cudaMemcpy3DParms* box,
                   const char* function = __builtin_FUNCTION()) {
    return transfer(
        stream, host,
        [&](Runtime& runtime, Transfer& moved) {
            return box == nullptr ? cudaErrorInvalidValue : copy_box(runtime, moved, *box);
        },
        function);
}

cudaError_t to_symbol_in(cudaStream_t stream, Host host, const void* symbol, const void* from, std::size_t count,
                         std::size_t offset, cudaMemcpyKind kind, const char* function = __builtin_FUNCTION()) {
    return transfer(
        stream, host,
        [&](Runtime& runtime, Transfer& moved) {
            return copy_to_symbol(runtime, moved, symbol, from, count, offset, kind);
        },
        function);
}

cudaError_t from_symbol_in(cudaStream_t stream, Host host, void* to, const void* symbol, std::size_t count,
                           std::size_t offset, cudaMemcpyKind kind, const char* function = __builtin_FUNCTION()) {
    return transfer(
        stream, host,
        [&](Runtime& runtime, Transfer& moved) {
            return copy_from_symbol(runtime, moved, to, symbol, count, offset, kind);
        },
        function);
}

}  // namespace

extern "C" {

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t size, cudaMemcpyKind kind) {
    return copy_in(nullptr, Host::waits, to, size, from, size, size, 1, kind);
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t size, cudaMemcpyKind kind, cudaStream_t stream) {
    return copy_in(stream, Host::goes_on, to, size, from, size, size, 1, kind);
}

cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, std::size_t size) {
    return copy_in(nullptr, Host::waits, to, size, from, size, size, 1, cudaMemcpyDeviceToDevice);
}

cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, std::size_t size, cudaStream_t stream) {
    return copy_in(stream, Host::goes_on, to, size, from, size, size, 1, cudaMemcpyDeviceToDevice);
}

cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                         std::size_t height, cudaMemcpyKind kind) {
    return copy_in(nullptr, Host::waits, to, to_pitch, from, from_pitch, width, height, kind);
}

cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                              std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
    return copy_in(stream, Host::goes_on, to, to_pitch, from, from_pitch, width, height, kind);
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* box) { return box_in(nullptr, Host::waits, box); }

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* box, cudaStream_t stream) {
    return box_in(stream, Host::goes_on, box);
}

cudaError_t cudaMemset(void* to, int value, std::size_t size) {
    return set_in(nullptr, Host::waits, to, size, value, size, 1);
}

cudaError_t cudaMemsetAsync(void* to, int value, std::size_t size, cudaStream_t stream) {
    return set_in(stream, Host::goes_on, to, size, value, size, 1);
}

cudaError_t cudaMemset2D(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height) {
    return set_in(nullptr, Host::waits, to, pitch, value, width, height);
}

cudaError_t cudaMemset2DAsync(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height,
                              cudaStream_t stream) {
    return set_in(stream, Host::goes_on, to, pitch, value, width, height);
}

cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent) {
    return set_box_in(nullptr, Host::waits, to, value, extent);
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent, cudaStream_t stream) {
    return set_box_in(stream, Host::goes_on, to, value, extent);
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t count, std::size_t offset,
                               cudaMemcpyKind kind) {
    return to_symbol_in(nullptr, Host::waits, symbol, from, count, offset, kind);
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t count, std::size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream) {
    return to_symbol_in(stream, Host::goes_on, symbol, from, count, offset, kind);
}

cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, std::size_t count, std::size_t offset,
                                 cudaMemcpyKind kind) {
    return from_symbol_in(nullptr, Host::waits, to, symbol, count, offset, kind);
}

cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, std::size_t count, std::size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
    return from_symbol_in(stream, Host::goes_on, to, symbol, count, offset, kind);
}

cudaError_t cudaGetSymbolAddress(void** address, const void* symbol) {
    return call([&](Runtime& runtime) {
        if (address == nullptr) return cudaErrorInvalidValue;
        sim::DeviceSymbol found;
        if (const cudaError_t error = runtime.find_variable(symbol, found); error != cudaSuccess) return error;
        *address = reinterpret_cast<void*>(found.address.value);
        return cudaSuccess;
    });
}

cudaError_t cudaGetSymbolSize(std::size_t* size, const void* symbol) {
    return call([&](Runtime& runtime) {
        if (size == nullptr) return cudaErrorInvalidValue;
        sim::DeviceSymbol found;
        if (const cudaError_t error = runtime.find_variable(symbol, found); error != cudaSuccess) return error;
        *size = found.size.count;
        return cudaSuccess;
    });
}

// Of programs compiled with a default stream a thread.

cudaError_t cudaMemcpy_ptds(void* to, const void* from, std::size_t size, cudaMemcpyKind kind) {
    return copy_in(cudaStreamPerThread, Host::waits, to, size, from, size, size, 1, kind);
}

cudaError_t cudaMemcpy2D_ptds(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                              std::size_t width, std::size_t height, cudaMemcpyKind kind) {
    return copy_in(cudaStreamPerThread, Host::waits, to, to_pitch, from, from_pitch, width, height, kind);
}

cudaError_t cudaMemcpy3D_ptds(const cudaMemcpy3DParms* box) { return box_in(cudaStreamPerThread, Host::waits, box); }

cudaError_t cudaMemcpyToSymbol_ptds(const void* symbol, const void* from, std::size_t count, std::size_t offset,
                                    cudaMemcpyKind kind) {
    return to_symbol_in(cudaStreamPerThread, Host::waits, symbol, from, count, offset, kind);
}

cudaError_t cudaMemcpyFromSymbol_ptds(void* to, const void* symbol, std::size_t count, std::size_t offset,
                                      cudaMemcpyKind kind) {
    return from_symbol_in(cudaStreamPerThread, Host::waits, to, symbol, count, offset, kind);
}

cudaError_t cudaMemset_ptds(void* to, int value, std::size_t size) {
    return set_in(cudaStreamPerThread, Host::waits, to, size, value, size, 1);
}

cudaError_t cudaMemset2D_ptds(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height) {
    return set_in(cudaStreamPerThread, Host::waits, to, pitch, value, width, height);
}

cudaError_t cudaMemset3D_ptds(cudaPitchedPtr to, int value, cudaExtent extent) {
    return set_box_in(cudaStreamPerThread, Host::waits, to, value, extent);
}

}  // extern "C"
