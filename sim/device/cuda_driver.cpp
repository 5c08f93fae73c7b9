#include "sim/device/cuda_driver.hpp"

#include <dlfcn.h>

#include <utility>

namespace sassafras::sim::cuda {

namespace {

/// True if the symbol was there; the slot stays null otherwise.
template <class F>
bool bind(void* library, const char* name, F*& slot) {
    slot = reinterpret_cast<F*>(dlsym(library, name));
    return slot != nullptr;
}

}  // namespace

Driver::~Driver() {
    if (library_ != nullptr) dlclose(library_);
}

Result<std::unique_ptr<Driver>> Driver::open() {
    void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        const char* reason = dlerror();
        return Error{ErrorKind::bad_input, "there is no CUDA driver on this machine",
                     reason == nullptr ? "libcuda.so.1" : reason,
                     "install the NVIDIA driver, or use --device simulated or --device functional"};
    }
    std::unique_ptr<Driver> driver(new Driver(library));
    const char* missing = nullptr;
    const auto need = [&](const char* name, auto& slot) {
        if (!bind(library, name, slot) && missing == nullptr) missing = name;
    };
    need("cuInit", driver->init);
    need("cuDriverGetVersion", driver->driver_version);
    need("cuDeviceGetCount", driver->device_count);
    need("cuDeviceGet", driver->device_get);
    need("cuDeviceGetName", driver->device_name);
    need("cuDeviceGetAttribute", driver->device_attribute);
    need("cuDevicePrimaryCtxRetain", driver->context_retain);
    need("cuDevicePrimaryCtxRelease_v2", driver->context_release);
    need("cuCtxSetCurrent", driver->context_set_current);
    need("cuCtxSynchronize", driver->context_synchronize);
    need("cuMemAlloc_v2", driver->memory_allocate);
    need("cuMemFree_v2", driver->memory_free);
    need("cuMemcpyHtoD_v2", driver->copy_to_device);
    need("cuMemcpyDtoH_v2", driver->copy_from_device);
    need("cuMemsetD8_v2", driver->memory_set);
    need("cuModuleLoadData", driver->module_load);
    need("cuModuleUnload", driver->module_unload);
    need("cuModuleGetFunction", driver->module_function);
    need("cuFuncGetAttribute", driver->function_get);
    need("cuFuncSetAttribute", driver->function_set);
    need("cuLaunchKernel", driver->launch);
    need("cuLaunchCooperativeKernel", driver->launch_cooperative);
    need("cuEventCreate", driver->event_create);
    need("cuEventDestroy_v2", driver->event_destroy);
    need("cuEventRecord", driver->event_record);
    need("cuEventElapsedTime", driver->event_elapsed);
    need("cuGetErrorName", driver->error_name);
    need("cuGetErrorString", driver->error_string);
    if (missing != nullptr)
        return Error{ErrorKind::bad_input, std::string("the CUDA driver lacks ") + missing, "libcuda.so.1",
                     "update the NVIDIA driver"};
    if (const Status code = driver->init(0); code != status::success)
        return driver->error(code, "the CUDA driver does not start", "cuInit");
    return driver;
}

std::string Driver::describe(Status code) const {
    const char* name = nullptr;
    const char* text = nullptr;
    if (error_name(code, &name) != status::success || name == nullptr) name = "unknown CUDA error";
    if (error_string(code, &text) != status::success || text == nullptr)
        return std::string(name) + " " + std::to_string(code);
    return std::string(name) + " (" + text + ")";
}

Error Driver::error(Status code, const std::string& doing, const std::string& where) const {
    const bool fault = code >= status::first_fault && code <= status::last_fault && code != status::too_many_resources;
    Error error{fault ? ErrorKind::check_failed : ErrorKind::bad_input, doing + ": " + describe(code), where, {}};
    if (fault)
        error.remedy = "run it with --device functional, which names the instruction, the thread and the address";
    return error;
}

}  // namespace sassafras::sim::cuda
