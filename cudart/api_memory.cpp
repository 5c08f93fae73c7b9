// Allocation: device, pinned, managed, pitched, stream-ordered.
#include <algorithm>
#include <limits>

#include "cudart/api.hpp"

using namespace sassafras::cudart;
using sassafras::Address;
using sassafras::Bytes;

namespace {

/// Rows of pitched memory begin on this boundary, as an H200's do (cudaDeviceProp.texturePitchAlignment is smaller).

cudaError_t allocate(Runtime& runtime, void** pointer, std::size_t size) {
    if (pointer == nullptr) return cudaErrorInvalidValue;
    if (size == 0) {
        *pointer = nullptr;
        return cudaSuccess;
    }
    const auto address = runtime.device().allocate(Bytes{size});
    if (!address) return cudaErrorMemoryAllocation;
    *pointer = reinterpret_cast<void*>(address->value);
    return cudaSuccess;
}

cudaError_t allocate_host(Runtime& runtime, void** pointer, std::size_t size, HostMemoryKind kind, unsigned flags) {
    if (pointer == nullptr || (size == 0 && kind == HostMemoryKind::managed)) return cudaErrorInvalidValue;
    if (size == 0) {
        *pointer = nullptr;
        return cudaSuccess;
    }
    sassafras::sim::MemoryImage& of_device = runtime.device().memory();  // first: it takes half of what there is
    std::byte* const memory = runtime.host_memory().allocate(size, kind, flags);
    if (memory == nullptr) return cudaErrorMemoryAllocation;
    if (auto attached = of_device.attach(memory, Bytes{size}); !attached) runtime.end_run(attached.error());
    *pointer = memory;
    return cudaSuccess;
}

/// Some bytes of one managed allocation.
bool is_managed_range(Runtime& runtime, const void* pointer, std::size_t size) {
    const auto found = runtime.host_memory().find(pointer);
    if (!found || !is_managed(found->kind) || size == 0) return false;
    return size <= found->size - static_cast<std::size_t>(static_cast<const std::byte*>(pointer) - found->begin);
}

cudaError_t free_host(Runtime& runtime, const void* pointer) {
    if (pointer == nullptr) return cudaSuccess;
    const auto found = runtime.host_memory().find(pointer);
    if (!found || found->begin != pointer ||
        (found->kind != HostMemoryKind::pinned && found->kind != HostMemoryKind::managed)) {
        (void)runtime.is_freed(pointer, 1);  // the finding says so
        return cudaErrorInvalidValue;
    }
    sassafras::sim::MemoryImage& memory = runtime.device().memory();
    if (auto detached = memory.detach(found->begin); !detached) runtime.end_run(detached.error());
    memory.remember_freed(Address{reinterpret_cast<std::uint64_t>(pointer)}, Bytes{found->size});
    (void)runtime.host_memory().remove(pointer);
    return cudaSuccess;
}

cudaError_t free_device(Runtime& runtime, void* pointer) {
    if (pointer == nullptr) return cudaSuccess;
    if (const auto found = runtime.host_memory().find(pointer); found && is_managed(found->kind))
        return free_host(runtime, pointer);
    if (runtime.device().free(Address{reinterpret_cast<std::uint64_t>(pointer)})) return cudaSuccess;
    (void)runtime.is_freed(pointer, 1);  // the finding says so
    return cudaErrorInvalidValue;
}

cudaError_t allocate_rows(Runtime& runtime, void** pointer, std::size_t* pitch, std::size_t width, std::size_t rows) {
    if (pointer == nullptr || pitch == nullptr) return cudaErrorInvalidValue;
    const std::size_t pitch_alignment = runtime.platform().limits.pitch_alignment_bytes;
    if (width > std::numeric_limits<std::size_t>::max() - pitch_alignment) return cudaErrorInvalidValue;
    *pitch = (width + pitch_alignment - 1) / pitch_alignment * pitch_alignment;
    if (rows != 0 && *pitch > std::numeric_limits<std::size_t>::max() / rows) return cudaErrorInvalidValue;
    return allocate(runtime, pointer, *pitch * rows);
}

}  // namespace

extern "C" {

cudaError_t cudaMalloc(void** pointer, std::size_t size) {
    return call([&](Runtime& runtime) { return allocate(runtime, pointer, size); });
}

cudaError_t cudaFree(void* pointer) {
    return call([&](Runtime& runtime) {
        if (pointer == nullptr) {  // the usual way to make the context
            (void)runtime.device();
            return cudaSuccess;
        }
        runtime.streams().host_waits_for_all();
        if (const cudaError_t error = runtime.synchronize(); error != cudaSuccess) return error;
        return free_device(runtime, pointer);
    });
}

cudaError_t cudaMallocAsync(void** pointer, std::size_t size, cudaStream_t stream) {
    return call([&](Runtime& runtime) {
        return runtime.stream(stream) == nullptr ? cudaErrorInvalidResourceHandle : allocate(runtime, pointer, size);
    });
}

cudaError_t cudaMallocFromPoolAsync(void** pointer, std::size_t size, cudaMemPool_t /*pool*/, cudaStream_t stream) {
    return cudaMallocAsync(pointer, size, stream);
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
    return call([&](Runtime& runtime) {
        return runtime.stream(stream) == nullptr ? cudaErrorInvalidResourceHandle : free_device(runtime, pointer);
    });
}

cudaError_t cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width, std::size_t height) {
    return call([&](Runtime& runtime) { return allocate_rows(runtime, pointer, pitch, width, height); });
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pitched, cudaExtent extent) {
    return call([&](Runtime& runtime) {
        if (pitched == nullptr) return cudaErrorInvalidValue;
        // An H200's runtime counts modulo 2^64 here, and calls a box of 2^33 by 2^33 rows a success without memory.
        if (extent.depth != 0 && extent.height > std::numeric_limits<std::size_t>::max() / extent.depth)
            return cudaErrorInvalidValue;
        pitched->xsize = extent.width;
        pitched->ysize = extent.height;
        return allocate_rows(runtime, &pitched->ptr, &pitched->pitch, extent.width, extent.height * extent.depth);
    });
}

cudaError_t cudaMallocManaged(void** pointer, std::size_t size, unsigned flags) {
    return call([&](Runtime& runtime) {
        if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) return cudaErrorInvalidValue;
        return allocate_host(runtime, pointer, size, HostMemoryKind::managed, flags);
    });
}

cudaError_t cudaMallocHost(void** pointer, std::size_t size) {
    return call([&](Runtime& runtime) { return allocate_host(runtime, pointer, size, HostMemoryKind::pinned, 0); });
}

cudaError_t cudaHostAlloc(void** pointer, std::size_t size, unsigned flags) {
    return call([&](Runtime& runtime) { return allocate_host(runtime, pointer, size, HostMemoryKind::pinned, flags); });
}

cudaError_t cudaFreeHost(void* pointer) {
    return call([&](Runtime& runtime) {
        runtime.streams().host_waits_for_all();
        if (const cudaError_t error = runtime.synchronize(); error != cudaSuccess) return error;
        return free_host(runtime, pointer);
    });
}

cudaError_t cudaHostRegister(void* pointer, std::size_t size, unsigned flags) {
    return call([&](Runtime& runtime) {
        if (pointer == nullptr || size == 0) return cudaErrorInvalidValue;
        auto* const begin = static_cast<std::byte*>(pointer);
        if (!runtime.host_memory().add(begin, size, flags)) return cudaErrorHostMemoryAlreadyRegistered;
        sim::MemoryImage& memory = runtime.device().memory();
        if (memory.attach(begin, Bytes{size})) {
            memory.traced_addresses().add(reinterpret_cast<std::uintptr_t>(begin), size);
            return cudaSuccess;
        }
        (void)runtime.host_memory().remove(pointer);
        return cudaErrorInvalidValue;
    });
}

cudaError_t cudaHostUnregister(void* pointer) {
    return call([&](Runtime& runtime) {
        const auto found = runtime.host_memory().find(pointer);
        if (!found || found->begin != pointer || found->kind != HostMemoryKind::registered)
            return cudaErrorHostMemoryNotRegistered;
        sim::MemoryImage& memory = runtime.device().memory();
        if (auto detached = memory.detach(found->begin); !detached) return cudaErrorInvalidValue;
        memory.traced_addresses().remove(reinterpret_cast<std::uintptr_t>(found->begin));
        (void)runtime.host_memory().remove(pointer);
        return cudaSuccess;
    });
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned flags) {
    return call([&](Runtime& runtime) {
        if (device == nullptr || flags != 0 || !runtime.host_memory().find(host)) return cudaErrorInvalidValue;
        *device = host;
        return cudaSuccess;
    });
}

cudaError_t cudaHostGetFlags(unsigned* flags, void* host) {
    return call([&](Runtime& runtime) {
        const auto found = runtime.host_memory().find(host);
        if (flags == nullptr || !found || found->kind != HostMemoryKind::pinned) return cudaErrorInvalidValue;
        *flags = found->flags | cudaHostAllocMapped;
        return cudaSuccess;
    });
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
    return call([&](Runtime& runtime) {
        if (free == nullptr || total == nullptr) return cudaErrorInvalidValue;
        *free = runtime.device().memory().available().count;
        *total = runtime.device().memory().capacity().count;
        return cudaSuccess;
    });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
    return call([&](Runtime& runtime) {
        if (attributes == nullptr) return cudaErrorInvalidValue;
        *attributes = {};
        attributes->device = 0;
        const auto address = reinterpret_cast<std::uint64_t>(pointer);
        const auto host = runtime.host_memory().find(pointer);
        if (host) {
            attributes->type = is_managed(host->kind) ? cudaMemoryTypeManaged : cudaMemoryTypeHost;
            attributes->devicePointer = attributes->hostPointer = const_cast<void*>(pointer);
        } else if (runtime.device().memory().find(address).host != nullptr) {
            attributes->type = cudaMemoryTypeDevice;
            attributes->devicePointer = const_cast<void*>(pointer);
        } else {
            attributes->type = cudaMemoryTypeUnregistered;
            attributes->device = -2;
            attributes->hostPointer = const_cast<void*>(pointer);
        }
        return cudaSuccess;
    });
}

// Advice about where managed memory lies changes no result, and the model has one memory.
cudaError_t cudaMemAdvise(const void* pointer, std::size_t size, cudaMemoryAdvise, cudaMemLocation) {
    return call([&](Runtime& runtime) {
        return is_managed_range(runtime, pointer, size) ? cudaSuccess : cudaErrorInvalidValue;
    });
}

cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t size, cudaMemLocation, unsigned,
                                 cudaStream_t stream) {
    return call([&](Runtime& runtime) {
        if (runtime.stream(stream) == nullptr) return cudaErrorInvalidResourceHandle;
        return is_managed_range(runtime, pointer, size) ? cudaSuccess : cudaErrorInvalidValue;
    });
}

}  // extern "C"
