// What the functional and the simulated device share: memory, modules, checks of a launch. They differ in who consumes
// the records.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "isa/cubin/line_info.hpp"
#include "sim/check/checker.hpp"
#include "sim/device/device.hpp"
#include "sim/device/launch_check.hpp"
#include "sim/device/loaded_module.hpp"
#include "sim/device/model_options.hpp"
#include "sim/execute/device_heap.hpp"
#include "sim/execute/memory_image.hpp"
#include "sim/formats/trace_file/traced_launch.hpp"
#include "sim/platform/platform.hpp"

namespace sassafras::sim {

/// A result that says what was launched, and nothing yet of what it did.
[[nodiscard]] KernelResult describe_launch(const isa::Kernel& kernel, const Launch& launch, const Platform& platform);

class ModelledDevice : public Device {
  public:
    ModelledDevice(const Platform& platform, ModelOptions options);

    /// Device memory, also for host memory that the GPU is to see.
    [[nodiscard]] MemoryImage& memory() { return memory_; }
    /// Error bad_input if the module has no such kernel. The pointer lives as long as the device.
    [[nodiscard]] Result<const isa::Kernel*> kernel_properties(ModuleId module, const std::string& kernel) const;
    /// Of the module's __constant__ variables. Error bad_input if there is no such module.
    [[nodiscard]] Result<Bytes> constant_size(ModuleId module) const;
    /// Error bad_input if the module has no such variable.
    [[nodiscard]] Result<DeviceSymbol> symbol(ModuleId module, const std::string& variable) const;
    /// Moves a variable with its value to attached host memory at this address (`__managed__`), before any kernel of
    /// the module runs. Error bad_input if there is no such variable or no room there.
    Result<void> place_variable(ModuleId module, const std::string& variable, Address place);
    [[nodiscard]] const Platform& platform() const { return platform_; }

    [[nodiscard]] std::uint32_t sm_count() const override { return platform_.gpu.sm_count; }
    [[nodiscard]] Bytes most_shared_per_block() const override {
        return Bytes{platform_.sm.max_shared_per_block_bytes};
    }
    [[nodiscard]] isa::ComputeCapability compute_capability() const override {
        return {platform_.gpu.compute_capability_major, platform_.gpu.compute_capability_minor};
    }
    /// What the global timer shows when the next launch begins, asked for if its kernel reads it; else the launches so
    /// far, one behind the other.
    void set_global_timer(std::function<double()> nanoseconds) { begin_of_next_ = std::move(nanoseconds); }
    Result<Address> allocate(Bytes size) override { return memory_.allocate(size); }
    Result<void> free(Address address) override { return memory_.free(address); }
    Result<void> copy_to_device(Address to, std::span<const std::byte> data) override;
    Result<void> copy_from_device(std::span<std::byte> to, Address from) override;
    Result<void> fill(Address to, std::byte value, Bytes size) override;
    [[nodiscard]] Bytes known_zeros(Address from, Bytes size) const override;
    Result<ModuleId> load_module(std::span<const std::byte> cubin, std::string_view origin) override;
    /// Runs to the end before it returns.
    Result<void> launch(const Launch& launch) override;
    Result<void> synchronize() override { return {}; }
    [[nodiscard]] const std::vector<KernelResult>& results() const override { return results_; }
    void clear_results() override { results_.clear(); }
    [[nodiscard]] const std::vector<Finding>& findings() const override {
        return checker_ ? checker_->findings() : Device::findings();
    }

    /// cudaLimitMallocHeapSize. Error bad_input once a kernel has allocated.
    Result<void> set_malloc_heap(Bytes size);
    [[nodiscard]] Bytes malloc_heap() const { return heap_.size(); }

  protected:
    /// Runs all blocks of `source` and adds metrics and source rows to `result`.
    virtual Result<void> consume(TraceSource& source, const Launch& launch, KernelResult& result) = 0;
    /// consume() has a time, in whose order it gives contended instructions their turns.
    [[nodiscard]] virtual bool has_time() const { return false; }

    [[nodiscard]] const ModelOptions& options() const { return options_; }
    /// What the host has written with copy_to_device since the launch before.
    [[nodiscard]] const std::vector<CopiedRange>& copied() const { return copied_; }
    /// What the global timer shows between launches.
    [[nodiscard]] double nanoseconds() const { return nanoseconds_; }

  private:
    /// LaunchRequest::grid_workspace with its barrier at zero.
    Result<Address> clear_grid_workspace();
    void advance_clocks(const KernelResult& result);

    Platform platform_;
    ModelOptions options_;
    MemoryImage memory_;
    std::deque<LoadedModule> modules_;
    DeviceHeap heap_;
    std::shared_ptr<ConcurrentMemory> concurrent_;              ///< with several threads
    Address grid_workspace_;                                    ///< 0 before the first launch that has use for it
    std::unique_ptr<Checker> checker_;                          ///< with ModelOptions::check
    std::vector<std::map<std::string, isa::LineTable>> lines_;  ///< by module and kernel, if asked for
    std::map<std::pair<std::uint32_t, std::string>, isa::LineTable> code_lines_;  ///< of kernels that were launched
    std::vector<KernelResult> results_;
    std::vector<CopiedRange> copied_;
    Cycle clock_{};                            ///< of all launches so far
    double nanoseconds_ = 0;                   ///< the same
    std::function<double()> begin_of_next_{};  ///< if that is known otherwise
};

}  // namespace sassafras::sim
