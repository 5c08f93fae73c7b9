#include "cudart/memory_copy.hpp"

#include <cstdint>
#include <cstring>

#include "sim/execute/touched_pages.hpp"

namespace sassafras::cudart {

namespace {

/// An address as this process can follow it; nullptr if it is in device memory, but not in one allocation of `size`
/// bytes, or if it was freed and --check knows.
struct Place {
    std::byte* host = nullptr;
    bool device = false;  ///< in the GPU's own memory
    bool shared = false;  ///< host memory that the GPU sees too
};

Place locate(Runtime& runtime, const void* address, std::uint64_t size) {
    sim::MemoryImage& memory = runtime.device().memory();
    const auto value = reinterpret_cast<std::uint64_t>(address);
    if (runtime.is_freed(address, size)) return {};
    const bool device = value - memory.first_address() < memory.capacity().count;
    if (device) return {memory.translate(value, size), true, false};
    return {static_cast<std::byte*>(const_cast<void*>(address)), false,
            runtime.host_memory().find(address).has_value()};
}

/// Managed memory counts as pinned: pages that move between host and device are not modelled.
Way way_between(const Place& from, const Place& to) {
    if (from.device && to.device) return Way::within_device;
    if (to.device) return from.shared ? Way::pinned_to_device : Way::pageable_to_device;
    if (from.device) return to.shared ? Way::device_to_pinned : Way::device_to_pageable;
    return Way::within_host;
}

bool agrees(const Place& place, bool wants_device) { return place.shared || place.device == wants_device; }

/// Bytes from the first to the last; more than any memory has if they cannot be counted.
std::uint64_t extent(std::size_t pitch, std::size_t width, std::size_t rows) {
    constexpr std::uint64_t most = std::uint64_t{1} << 62U;
    return pitch > most / rows ? most : pitch * (rows - 1) + width;
}

/// Whether the bytes are in one allocation of host memory that the GPU sees.
bool holds(Runtime& runtime, const void* address, std::uint64_t size) {
    const auto found = runtime.host_memory().find(address);
    if (!found) return false;
    const auto offset = static_cast<std::uint64_t>(static_cast<const std::byte*>(address) - found->begin);
    return size <= found->size - offset;
}

cudaError_t begin(Runtime& runtime, Transfer& moved, Way way, std::uint64_t bytes) {
    moved.way = way;
    moved.bytes += bytes;
    const bool waits = host_meanwhile(way, moved.bytes, moved.blocking) == HostMeanwhile::waits;
    return waits ? runtime.synchronize() : cudaSuccess;
}

}  // namespace

cudaError_t copy_rows(Runtime& runtime, Transfer& moved, void* to, std::size_t to_pitch, const void* from,
                      std::size_t from_pitch, std::size_t width, std::size_t rows, cudaMemcpyKind kind) {
    if (width == 0 || rows == 0) return cudaSuccess;
    if (width > to_pitch || width > from_pitch) return cudaErrorInvalidPitchValue;
    if (to == nullptr || from == nullptr) return cudaErrorInvalidValue;
    constexpr std::uint64_t most = std::uint64_t{1} << 47U;  // of the address space of a process
    if (extent(to_pitch, width, rows) > most || extent(from_pitch, width, rows) > most) return cudaErrorInvalidValue;
    const Place target = locate(runtime, to, extent(to_pitch, width, rows));
    const Place source = locate(runtime, from, extent(from_pitch, width, rows));
    if (target.host == nullptr || source.host == nullptr) return cudaErrorInvalidValue;
    switch (kind) {
        case cudaMemcpyHostToDevice:
            if (!agrees(target, true) || !agrees(source, false)) return cudaErrorInvalidValue;
            break;
        case cudaMemcpyDeviceToHost:
            if (!agrees(target, false) || !agrees(source, true)) return cudaErrorInvalidValue;
            break;
        case cudaMemcpyDeviceToDevice:
            if (!agrees(target, true) || !agrees(source, true)) return cudaErrorInvalidValue;
            break;
        case cudaMemcpyHostToHost:  // an H200's runtime does not look at the addresses
        case cudaMemcpyDefault: break;
        default: return cudaErrorInvalidMemcpyDirection;
    }
    if (const cudaError_t error = begin(runtime, moved, way_between(source, target), std::uint64_t{width} * rows);
        error != cudaSuccess)
        return error;
    if (width == to_pitch && width == from_pitch) {
        if (target.device) sim::get_pages(target.host, width * rows);
        std::memmove(target.host, source.host, width * rows);
        return cudaSuccess;
    }
    for (std::size_t row = 0; row < rows; ++row)
        std::memmove(target.host + row * to_pitch, source.host + row * from_pitch, width);
    return cudaSuccess;
}

cudaError_t set_rows(Runtime& runtime, Transfer& moved, void* to, std::size_t pitch, int value, std::size_t width,
                     std::size_t rows) {
    if (width == 0 || rows == 0) return cudaSuccess;
    if (width > pitch) return cudaErrorInvalidPitchValue;
    if (to == nullptr) return cudaErrorInvalidValue;
    const Place target = locate(runtime, to, extent(pitch, width, rows));
    if (target.host == nullptr || !(target.device || holds(runtime, to, extent(pitch, width, rows))))
        return cudaErrorInvalidValue;
    if (const cudaError_t error =
            begin(runtime, moved, target.device ? Way::set : Way::set_host, std::uint64_t{width} * rows);
        error != cudaSuccess)
        return error;
    const auto byte = static_cast<std::byte>(value);
    if (width == pitch && target.device) {
        const Address address{reinterpret_cast<std::uint64_t>(to)};
        return runtime.device().fill(address, byte, Bytes{width * rows}) ? cudaSuccess : cudaErrorInvalidValue;
    }
    for (std::size_t row = 0; row < rows; ++row) std::memset(target.host + row * pitch, static_cast<int>(byte), width);
    return cudaSuccess;
}

}  // namespace sassafras::cudart
