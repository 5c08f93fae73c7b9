// A cubin placed in a simulated GPU: variables have addresses, relocations are applied, kernels are decoded when first
// asked for.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "isa/cubin/cubin.hpp"
#include "sim/execute/executor.hpp"
#include "sim/execute/memory_image.hpp"

namespace sassafras::sim {

/// A variable of a module, in device memory.
struct DeviceSymbol {
    Address address;
    Bytes size;
};

class LoadedModule {
  public:
    /// Places the variables in `memory`, where they stay for good. `origin` names the cubin in errors.
    static Result<LoadedModule> load(std::span<const std::byte> cubin, std::string_view origin, MemoryImage& memory);

    [[nodiscard]] isa::Architecture architecture() const { return cubin_.architecture; }
    /// "prog.cubin, kernel name", for errors
    [[nodiscard]] std::string where(std::string_view kernel) const;

    /// Decodes the kernel on first use; its __constant__ variables are what they are in memory now. Error bad_input if
    /// there is none of this name, not_modelled if it needs what is not modelled.
    Result<LoadedKernel> kernel(const std::string& name);

    /// What the cubin says of a kernel, without decoding it. Error bad_input if there is none of this name.
    [[nodiscard]] Result<const isa::Kernel*> properties(const std::string& name) const;
    /// Of the module's __constant__ variables (constant bank 3).
    [[nodiscard]] Bytes constant_size() const;
    /// Error bad_input if there is no variable of this name.
    [[nodiscard]] Result<DeviceSymbol> symbol(const std::string& name) const;

    /// Moves a variable, with its value, to memory that the caller has at `place`: kernels that are decoded from now on
    /// find it there. Error bad_input if there is no such variable or no room.
    Result<void> place(const std::string& variable, Address place, MemoryImage& memory);

  private:
    /// Address of the relocation's symbol, plus the addend. `place` goes into errors.
    [[nodiscard]] Result<std::uint64_t> resolve(const isa::Relocation& relocation, const std::string& place) const;
    /// Applies the relocations of a section that memory holds.
    [[nodiscard]] std::uint64_t place_of(const isa::DeviceVariable& variable) const;
    Result<LoadedKernel> decode(const std::string& name);
    Result<void> set_variables_apart(MemoryImage& memory);
    /// Those that have a value from the start.
    Result<void> write_variables_apart(MemoryImage& memory) const;
    Result<void> patch_section(std::string_view section, std::vector<std::byte>& bytes) const;

    isa::Cubin cubin_;
    std::string origin_;
    Address zero_base_;
    Address initialised_base_;
    const MemoryImage* memory_ = nullptr;
    Address constant_base_;                  ///< of a copy of bank 3: pointers to __constant__ variables reach it
    std::map<std::string, Address> placed_;  ///< variables that are elsewhere, by name
    std::map<std::string, LoadedKernel> kernels_;
};

}  // namespace sassafras::sim
