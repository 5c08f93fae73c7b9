// The part of the CUDA driver API that a Device needs, opened at run time: no toolkit is needed to build or to start.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "core/result.hpp"

namespace sassafras::sim::cuda {

// Names and values as the CUDA driver API reference gives them (docs.nvidia.com/cuda/cuda-driver-api).
using Status = int;  ///< CUresult
using DeviceOrdinal = int;
using Context = struct ContextTag*;
using Module = struct ModuleTag*;
using Function = struct FunctionTag*;
using Stream = struct StreamTag*;
using Event = struct EventTag*;
using Pointer = std::uint64_t;  ///< CUdeviceptr

namespace status {
inline constexpr Status success = 0;
inline constexpr Status invalid_value = 1;
inline constexpr Status out_of_memory = 2;
inline constexpr Status not_found = 500;
inline constexpr Status first_fault = 700;  ///< from here to last_fault: what a running kernel did wrong
inline constexpr Status last_fault = 719;
inline constexpr Status too_many_resources = 701;  ///< inside that range, but the launch's own fault
}  // namespace status

namespace attribute {  // CUdevice_attribute
inline constexpr int max_threads_per_block = 1;
inline constexpr int multiprocessor_count = 16;
inline constexpr int memory_clock_khz = 36;
inline constexpr int memory_bus_bits = 37;
inline constexpr int l2_cache_bytes = 38;
inline constexpr int compute_capability_major = 75;
inline constexpr int compute_capability_minor = 76;
inline constexpr int max_shared_per_block_optin = 97;
}  // namespace attribute

namespace function_attribute {  // CUfunction_attribute
inline constexpr int max_threads_per_block = 0;
inline constexpr int shared_bytes = 1;
inline constexpr int registers = 4;
inline constexpr int max_dynamic_shared_bytes = 8;
}  // namespace function_attribute

/// Function pointers of libcuda.so.1. Valid as long as the object lives.
class Driver {
  public:
    /// Opens the library and calls cuInit. Error bad_input where there is no driver or no GPU.
    static Result<std::unique_ptr<Driver>> open();
    Driver(const Driver&) = delete;
    Driver& operator=(const Driver&) = delete;
    ~Driver();

    /// "CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory access was encountered)"
    [[nodiscard]] std::string describe(Status code) const;
    /// A kernel fault is check_failed, everything else bad_input.
    [[nodiscard]] Error error(Status code, const std::string& doing, const std::string& where = {}) const;

    Status (*init)(unsigned) = nullptr;
    Status (*driver_version)(int*) = nullptr;
    Status (*device_count)(int*) = nullptr;
    Status (*device_get)(DeviceOrdinal*, int) = nullptr;
    Status (*device_name)(char*, int, DeviceOrdinal) = nullptr;
    Status (*device_attribute)(int*, int, DeviceOrdinal) = nullptr;
    Status (*context_retain)(Context*, DeviceOrdinal) = nullptr;
    Status (*context_release)(DeviceOrdinal) = nullptr;
    Status (*context_set_current)(Context) = nullptr;
    Status (*context_synchronize)() = nullptr;
    Status (*memory_allocate)(Pointer*, std::size_t) = nullptr;
    Status (*memory_free)(Pointer) = nullptr;
    Status (*copy_to_device)(Pointer, const void*, std::size_t) = nullptr;
    Status (*copy_from_device)(void*, Pointer, std::size_t) = nullptr;
    Status (*memory_set)(Pointer, unsigned char, std::size_t) = nullptr;
    Status (*module_load)(Module*, const void*) = nullptr;
    Status (*module_unload)(Module) = nullptr;
    Status (*module_function)(Function*, Module, const char*) = nullptr;
    Status (*function_get)(int*, int, Function) = nullptr;
    Status (*function_set)(Function, int, int) = nullptr;
    Status (*launch)(Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, Stream, void**,
                     void**) = nullptr;
    Status (*launch_cooperative)(Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, Stream,
                                 void**) = nullptr;
    Status (*event_create)(Event*, unsigned) = nullptr;
    Status (*event_destroy)(Event) = nullptr;
    Status (*event_record)(Event, Stream) = nullptr;
    Status (*event_elapsed)(float*, Event, Event) = nullptr;  ///< milliseconds
    Status (*error_name)(Status, const char**) = nullptr;
    Status (*error_string)(Status, const char**) = nullptr;

  private:
    explicit Driver(void* library) : library_(library) {}
    void* library_;
};

}  // namespace sassafras::sim::cuda
