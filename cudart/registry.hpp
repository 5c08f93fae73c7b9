// What a program registers before main: fat binaries, and which of its host symbols stand for which kernels and
// variables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/types.hpp"
#include "isa/cubin/fat_binary.hpp"
#include "sim/device/modelled_device.hpp"

namespace sassafras::cudart {

struct Module {
    std::size_t number = 0;                ///< in the order in which the program registers them
    std::string origin;                    ///< for errors: the program's name and the module's number
    std::span<const std::byte> container;  ///< in the program's memory
    std::optional<sim::ModuleId> loaded;
    int architecture = 0;  ///< of the cubin that was loaded
    bool registered = true;
};

/// Behind a cudaKernel_t, a cudaFunction_t and a kernel's host pointer.
struct Kernel {
    Module* module = nullptr;
    std::string name;  ///< mangled
    /// cudaFuncAttributeMaxDynamicSharedMemorySize, once it is set.
    std::optional<std::uint32_t> most_dynamic_shared;
    int preferred_carve_out = -1;
};

struct Variable {
    Module* module = nullptr;
    std::string name;
    std::uint64_t size = 0;
    void** managed = nullptr;  ///< where the program keeps the address of a __managed__ variable; nullptr for others
};

class Registry {
  public:
    /// `wrapper`: the __fatBinC_Wrapper_t that nvcc makes. Error bad_input if it is none.
    [[nodiscard]] Result<Module*> add_module(const void* wrapper);
    void add_kernel(Module& module, const void* host, std::string name);
    void add_variable(Module& module, const void* host, Variable variable);
    /// Forgets what the module registered.
    void remove_module(Module& module);

    /// The device is gone: modules load again when they are next used.
    void unload_all();

    /// By host pointer or by handle; nullptr if it is neither.
    [[nodiscard]] Kernel* kernel(const void* host);
    /// By host pointer; a managed variable also by the address that the program uses for it.
    [[nodiscard]] Variable* variable(const void* host);
    [[nodiscard]] std::vector<Variable*> managed_variables(const Module& module);

    /// Loads the module's cubin that fits the device, if that has not been done. Errors: as isa::no_cubin and
    /// Device::load_module.
    [[nodiscard]] static Result<sim::ModuleId> load(Module& module, sim::ModelledDevice& device,
                                                    int compute_capability);
    /// What load() loads. Errors: as isa::no_cubin, or it does not unpack.
    [[nodiscard]] static Result<std::vector<std::byte>> cubin(const Module& module, int compute_capability);

  private:
    std::deque<Module> modules_;  ///< addresses are handles
    std::deque<Kernel> kernels_;
    std::map<const void*, Kernel*> kernel_of_;
    std::map<const void*, Variable> variable_of_;
};

}  // namespace sassafras::cudart
