// The device: what it is, and what can be set about it. There is one.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <optional>
#include <utility>

#include "cudart/api.hpp"
#include "cudart/device_facts.hpp"

using namespace sassafras::cudart;

namespace {

bool is_device(int device) { return device == 0; }

/// Domain, bus, device, function: a model has no place on a bus.
constexpr const char pci_bus_id[] = "0000:00:00.0";

/// Domain, bus, device and function of "domain:bus:device.function", "domain:bus:device" or "bus:device.function", in
/// hexadecimal; what is not there is 0. Nothing where the text has another form.
std::optional<std::array<unsigned, 4>> pci_place(const char* text) {
    unsigned domain = 0;
    unsigned bus = 0;
    unsigned device = 0;
    unsigned function = 0;
    int end = 0;
    const auto is_whole = [&] { return end != 0 && text[end] == '\0'; };
    if (std::sscanf(text, "%x:%x:%x.%x%n", &domain, &bus, &device, &function, &end) == 4 && is_whole())
        return std::array{domain, bus, device, function};
    if (std::sscanf(text, "%x:%x:%x%n", &domain, &bus, &device, &end) == 3 && is_whole())
        return std::array{domain, bus, device, 0U};
    if (std::sscanf(text, "%x:%x.%x%n", &bus, &device, &function, &end) == 3 && is_whole())
        return std::array{0U, bus, device, function};
    return {};
}

bool is_limit(cudaLimit which) {
    return which >= cudaLimitStackSize && which <= cudaLimitPersistingL2CacheSize &&
           which != cudaLimitDevRuntimeSyncDepth;
}

}  // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
    if (count != nullptr && Runtime::instance().is_of_parent()) {  // the one call that works there
        *count = 1;
        return cudaSuccess;
    }
    return call([&](Runtime&) {
        if (count == nullptr) return cudaErrorInvalidValue;
        *count = 1;
        return cudaSuccess;
    });
}

cudaError_t cudaGetDevice(int* device) {
    return call([&](Runtime&) {
        if (device == nullptr) return cudaErrorInvalidValue;
        *device = 0;
        return cudaSuccess;
    });
}

cudaError_t cudaSetDevice(int device) {
    return call([&](Runtime&) { return is_device(device) ? cudaSuccess : cudaErrorInvalidDevice; });
}

cudaError_t cudaInitDevice(int device, unsigned /*device_flags*/, unsigned /*flags*/) { return cudaSetDevice(device); }
cudaError_t cudaSetDeviceFlags(unsigned /*flags*/) {
    return call([](Runtime&) { return cudaSuccess; });
}

cudaError_t cudaGetDeviceFlags(unsigned* flags) {
    return call([&](Runtime&) {
        if (flags == nullptr) return cudaErrorInvalidValue;
        *flags = cudaDeviceMapHost;
        return cudaSuccess;
    });
}

cudaError_t cudaSetValidDevices(int* devices, int count) {
    return call([&](Runtime&) {
        if (devices == nullptr ? count != 0 : count < 0 || count > 1) return cudaErrorInvalidValue;
        return std::all_of(devices, devices + count, is_device) ? cudaSuccess : cudaErrorInvalidDevice;
    });
}

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* /*wanted*/) { return cudaGetDevice(device); }

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
    return call([&](Runtime& runtime) {
        if (properties == nullptr) return cudaErrorInvalidValue;
        if (!is_device(device)) return cudaErrorInvalidDevice;
        *properties = device_properties(runtime.platform(), runtime.compute_capability());
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
    return call([&](Runtime& runtime) {
        if (value == nullptr || static_cast<int>(attribute) <= 0 || attribute >= cudaDevAttrMax)
            return cudaErrorInvalidValue;
        if (!is_device(device)) return cudaErrorInvalidDevice;
        const auto found = device_attribute(attribute, runtime.platform(), runtime.compute_capability());
        if (!found)
            runtime.unsupported("cudaDeviceGetAttribute", "attribute " + std::to_string(static_cast<int>(attribute)));
        *value = *found;
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceSynchronize() {
    return call([](Runtime& runtime) {
        runtime.streams().host_waits_for_all();
        return runtime.synchronize();
    });
}

cudaError_t cudaDeviceReset() {
    return guarded([](Runtime& runtime) {
        runtime.reset();
        last_error() = cudaSuccess;
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceSetLimit(cudaLimit which, std::size_t value) {
    return call([&](Runtime& runtime) {
        if (!is_limit(which)) return cudaErrorUnsupportedLimit;
        const auto granted = sassafras::cudart::granted_limit(which, value, runtime.platform());
        if (!granted) return cudaErrorInvalidValue;
        if (which == cudaLimitMallocHeapSize && !runtime.device().set_malloc_heap(sassafras::Bytes{*granted}))
            return cudaErrorInvalidValue;
        runtime.limit(which) = *granted;
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit which) {
    return call([&](Runtime& runtime) {
        if (value == nullptr) return cudaErrorInvalidValue;
        if (!is_limit(which)) return cudaErrorUnsupportedLimit;
        *value = runtime.limit(which);
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache /*preference*/) {
    return call([](Runtime&) { return cudaSuccess; });
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* preference) {
    return call([&](Runtime&) {
        if (preference == nullptr) return cudaErrorInvalidValue;
        *preference = cudaFuncCachePreferNone;
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig /*width*/) {
    return call([](Runtime&) { return cudaSuccess; });
}

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* width) {
    return call([&](Runtime&) {
        if (width == nullptr) return cudaErrorInvalidValue;
        *width = cudaSharedMemBankSizeFourByte;
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
    return call([&](Runtime&) {
        if (can == nullptr) return cudaErrorInvalidValue;
        if (!is_device(device) || !is_device(peer)) return cudaErrorInvalidDevice;
        *can = 0;
        return cudaSuccess;
    });
}

// There is no other device, and a device is no peer of itself.
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
    return call([&](Runtime&) {
        if (flags != 0) return cudaErrorInvalidValue;
        return is_device(peer) ? cudaErrorPeerAccessUnsupported : cudaErrorInvalidDevice;
    });
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
    return call([&](Runtime&) { return is_device(peer) ? cudaErrorPeerAccessNotEnabled : cudaErrorInvalidDevice; });
}

cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device) {
    return call([&](Runtime&) {
        if (text == nullptr || length < static_cast<int>(sizeof pci_bus_id)) return cudaErrorInvalidValue;
        if (!is_device(device)) return cudaErrorInvalidDevice;
        std::memcpy(text, pci_bus_id, sizeof pci_bus_id);
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text) {
    return call([&](Runtime&) {
        if (device == nullptr || text == nullptr) return cudaErrorInvalidValue;
        const auto place = pci_place(text);
        if (!place) return cudaErrorInvalidValue;
        if (*place != *pci_place(pci_bus_id)) return cudaErrorInvalidDevice;
        *device = 0;
        return cudaSuccess;
    });
}

cudaError_t cudaCtxResetPersistingL2Cache() {
    return call([](Runtime&) { return cudaSuccess; });
}

}  // extern "C"
