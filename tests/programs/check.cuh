// What the test programs share: a digest of results, and a check of every call.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <cuda_runtime.h>

#define CHECK(call)                                                                      \
    do {                                                                                 \
        const cudaError_t status_of_call = (call);                                       \
        if (status_of_call != cudaSuccess) {                                             \
            std::printf("%s: %s\n", #call, cudaGetErrorName(status_of_call));            \
            std::exit(1);                                                                \
        }                                                                                \
    } while (0)

/// FNV-1a, 64 bits.
inline std::uint64_t digest(const void* data, std::size_t size) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (std::size_t i = 0; i < size; ++i) hash = (hash ^ bytes[i]) * 0x100000001b3ULL;
    return hash;
}

template <class T>
void show(const char* name, const std::vector<T>& values) {
    std::printf("%s: %zu values, digest %016llx\n", name, values.size(),
                static_cast<unsigned long long>(digest(values.data(), values.size() * sizeof(T))));
}

/// The same numbers everywhere: splitmix64.
inline std::uint64_t mix(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

template <class T>
struct DeviceArray {
    T* data = nullptr;
    std::size_t size = 0;
    explicit DeviceArray(std::size_t count) : size(count) { CHECK(cudaMalloc(&data, count * sizeof(T))); }
    explicit DeviceArray(const std::vector<T>& from) : DeviceArray(from.size()) {
        CHECK(cudaMemcpy(data, from.data(), size * sizeof(T), cudaMemcpyHostToDevice));
    }
    DeviceArray(const DeviceArray&) = delete;
    ~DeviceArray() { cudaFree(data); }
    std::vector<T> host() const {
        std::vector<T> to(size);
        CHECK(cudaMemcpy(to.data(), data, size * sizeof(T), cudaMemcpyDeviceToHost));
        return to;
    }
};
