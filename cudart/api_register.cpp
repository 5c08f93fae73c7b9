// What nvcc's generated code calls before main, and around <<<>>>.
#include <cstddef>

#include "cudart/api.hpp"

using sassafras::cudart::call;
using sassafras::cudart::Module;
using sassafras::cudart::Runtime;
using sassafras::cudart::Variable;

namespace {

struct CallConfiguration {
    dim3 grid;
    dim3 block;
    std::size_t shared = 0;
    cudaStream_t stream = nullptr;
};

/// Arguments of a launch may launch themselves; no program goes deeper.
constexpr std::size_t deepest = 64;

/// Of a host thread: <<<>>> pushes, the kernel's stub pops. Nothing here has a destructor: programs launch from their
/// own, when those of this thread have run.
struct ConfigurationStack {
    CallConfiguration entries[deepest];
    std::size_t size = 0;
};

ConfigurationStack& configurations() {
    constinit thread_local ConfigurationStack stack{};
    return stack;
}

Module& module_of(void** handle) { return *reinterpret_cast<Module*>(handle); }

cudaError_t launch(const void* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared, cudaStream_t stream,
                   const char* function = __builtin_FUNCTION()) {
    return call(
        [&](Runtime& runtime) {
            auto* const where = runtime.stream(stream);
            if (where == nullptr) return cudaErrorInvalidResourceHandle;
            return runtime.launch({kernel, grid, block, arguments, shared, where, false});
        },
        function);
}

}  // namespace

extern "C" {

void** __cudaRegisterFatBinary(void* wrapper) {
    Runtime& runtime = Runtime::instance();
    const std::lock_guard lock(runtime.mutex());
    const auto module = runtime.registry().add_module(wrapper);
    if (!module) runtime.end_run(module.error());
    return reinterpret_cast<void**>(*module);
}

void __cudaRegisterFatBinaryEnd(void** /*handle*/) {}

void __cudaUnregisterFatBinary(void** handle) {
    Runtime& runtime = Runtime::instance();
    const std::lock_guard lock(runtime.mutex());
    if (handle != nullptr) runtime.registry().remove_module(module_of(handle));
}

void __cudaRegisterFunction(void** handle, const char* host, char* /*device*/, const char* name, int /*threads*/,
                            uint3* /*thread*/, uint3* /*block*/, dim3* /*block_size*/, dim3* /*grid_size*/,
                            int* /*warp_size*/) {
    Runtime& runtime = Runtime::instance();
    const std::lock_guard lock(runtime.mutex());
    runtime.registry().add_kernel(module_of(handle), host, name);
}

void __cudaRegisterVar(void** handle, char* host, char* /*device*/, const char* name, int /*external*/,
                       std::size_t size, int /*constant*/, int /*global*/) {
    Runtime& runtime = Runtime::instance();
    const std::lock_guard lock(runtime.mutex());
    runtime.registry().add_variable(module_of(handle), host, Variable{nullptr, name, size, nullptr});
}

void __cudaRegisterManagedVar(void** handle, void** host, char* /*device*/, const char* name, int /*external*/,
                              std::size_t size, int /*constant*/, int /*global*/) {
    Runtime& runtime = Runtime::instance();
    const std::lock_guard lock(runtime.mutex());
    // The host symbol is the variable that holds the pointer to it.
    runtime.registry().add_variable(module_of(handle), host, Variable{nullptr, name, size, host});
}

char __cudaInitModule(void** handle) {
    (void)call([&](Runtime& runtime) {
        Module& module = module_of(handle);
        // Others load their code when it is first used.
        return runtime.registry().managed_variables(module).empty() ? cudaSuccess : runtime.load(module);
    });
    return 1;
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, CUstream_st* stream) {
    auto& stack = configurations();
    if (stack.size == deepest) return 1;
    stack.entries[stack.size++] = {grid, block, shared, stream};
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream) {
    auto& stack = configurations();
    if (stack.size == 0) return sassafras::cudart::keep(cudaErrorMissingConfiguration);
    const CallConfiguration& top = stack.entries[--stack.size];
    *grid = top.grid;
    *block = top.block;
    *shared = top.shared;
    *static_cast<cudaStream_t*>(stream) = top.stream;
    return cudaSuccess;
}

cudaError_t __cudaGetKernel(cudaKernel_t* handle, const void* host) {
    return call([&](Runtime& runtime) {
        auto* const kernel = runtime.registry().kernel(host);
        if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
        *handle = reinterpret_cast<cudaKernel_t>(kernel);
        return cudaSuccess;
    });
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                               cudaStream_t stream) {
    return launch(kernel, grid, block, arguments, shared, stream);
}

cudaError_t cudaGetKernel(cudaKernel_t* handle, const void* host) { return __cudaGetKernel(handle, host); }

cudaError_t cudaGetFuncBySymbol(cudaFunction_t* function, const void* symbol) {
    return __cudaGetKernel(reinterpret_cast<cudaKernel_t*>(function), symbol);
}

cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                             cudaStream_t stream) {
    return launch(kernel, grid, block, arguments, shared, stream);
}

cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                                        cudaStream_t stream) {
    return call([&](Runtime& runtime) {
        auto* const where = runtime.stream(stream);
        if (where == nullptr) return cudaErrorInvalidResourceHandle;
        return runtime.launch({kernel, grid, block, arguments, shared, where, true});
    });
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel, void** arguments) {
    return call([&](Runtime& runtime) {
        if (config == nullptr) return cudaErrorInvalidValue;
        auto* const where = runtime.stream(config->stream);
        if (where == nullptr) return cudaErrorInvalidResourceHandle;
        bool cooperative = false;
        for (unsigned i = 0; i < config->numAttrs; ++i) {
            const cudaLaunchAttribute& attribute = config->attrs[i];
            switch (attribute.id) {
                case cudaLaunchAttributeIgnore:
                case cudaLaunchAttributeAccessPolicyWindow:
                case cudaLaunchAttributeSynchronizationPolicy:
                case cudaLaunchAttributePriority:
                case cudaLaunchAttributeMemSyncDomain:
                case cudaLaunchAttributeMemSyncDomainMap:
                case cudaLaunchAttributePreferredSharedMemoryCarveout:
                    break;  // hints: results do not depend on them
                // Launches run one after the other, which is what a program may rely on with or without it.
                case cudaLaunchAttributeProgrammaticStreamSerialization: break;
                case cudaLaunchAttributeCooperative: cooperative = attribute.val.cooperative != 0; break;
                case cudaLaunchAttributeClusterDimension: {
                    const auto& cluster = attribute.val.clusterDim;
                    if (cluster.x * cluster.y * cluster.z != 1)
                        runtime.unsupported("cudaLaunchKernelExC", "clusters of several blocks");
                    break;
                }
                case cudaLaunchAttributeClusterSchedulingPolicyPreference: break;
                default:
                    runtime.unsupported("cudaLaunchKernelExC",
                                        "launch attribute " + std::to_string(static_cast<int>(attribute.id)));
            }
        }
        return runtime.launch(
            {kernel, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes, where, cooperative});
    });
}

}  // extern "C"
