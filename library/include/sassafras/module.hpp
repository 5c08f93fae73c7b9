// A cubin: the machine code that a GPU runs, as nvcc -cubin makes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sassafras/namespace.hpp>
#include <sassafras/result.hpp>

namespace sassafras::SASSAFRAS_VERSIONED {
class Device;

namespace internal {
struct ModuleData;
}

struct KernelInfo {
    std::string name;       ///< as in the cubin, mangled; what Launch::kernel names
    std::string demangled;  ///< as people read it; the same for extern "C"
    std::uint32_t registers_per_thread = 0;
    std::uint64_t static_shared_bytes = 0;
    std::uint32_t most_threads_per_block = 0;    ///< by __launch_bounds__, else 1024
    std::vector<std::uint32_t> parameter_bytes;  ///< the size of each parameter, in order
};

/// A value: copies share what cannot change.
class Module {
  public:
    /// Error bad_input: the file cannot be read, or is no cubin of an architecture that is read (sm_75 to sm_90).
    /// Error not_modelled: it holds what the loader does not know.
    [[nodiscard]] static Result<Module> load(const std::string& path);
    /// The same for bytes in memory, which are copied; `origin` names them in errors. Any bytes are safe input.
    [[nodiscard]] static Result<Module> parse(std::span<const std::byte> cubin, std::string_view origin);

    /// By name.
    [[nodiscard]] const std::vector<KernelInfo>& kernels() const;

  private:
    friend class Device;
    explicit Module(std::shared_ptr<const internal::ModuleData> data);

    std::shared_ptr<const internal::ModuleData> data_;
};

}  // namespace sassafras::SASSAFRAS_VERSIONED
