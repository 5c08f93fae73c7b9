// A Device whose kernels do nothing, and whose operations fail on demand.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "sim/device/device.hpp"
#include "sim/execute/memory_image.hpp"

namespace sassafras::test {

class ScriptedDevice final : public sim::Device {
  public:
    enum class Failing { nothing, allocate, load_module, launch, synchronize, copy_from_device };
    explicit ScriptedDevice(Failing failing = Failing::nothing) : failing_(failing) {}

    std::vector<sim::Launch> launches;
    std::size_t allocations = 0;  ///< alive

    [[nodiscard]] std::string name() const override { return "scripted"; }
    [[nodiscard]] std::uint32_t sm_count() const override { return 4; }
    [[nodiscard]] Bytes most_shared_per_block() const override { return Bytes{232448}; }
    [[nodiscard]] isa::ComputeCapability compute_capability() const override { return {}; }
    Result<Address> allocate(Bytes size) override {
        if (failing_ == Failing::allocate) return failure("allocate");
        auto address = memory_.allocate(size);
        if (address) ++allocations;
        return address;
    }
    Result<void> free(Address address) override {
        --allocations;
        return memory_.free(address);
    }
    Result<void> copy_to_device(Address to, std::span<const std::byte> data) override {
        return memory_.write(to, data);
    }
    Result<void> copy_from_device(std::span<std::byte> to, Address from) override {
        if (failing_ == Failing::copy_from_device) return failure("copy_from_device");
        return memory_.read(to, from);
    }
    Result<void> fill(Address to, std::byte value, Bytes size) override { return memory_.fill(to, value, size); }
    Result<sim::ModuleId> load_module(std::span<const std::byte> cubin, std::string_view /*origin*/) override {
        if (failing_ == Failing::load_module || cubin.empty()) return failure("load_module");
        return sim::ModuleId{0};
    }
    Result<void> launch(const sim::Launch& launch) override {
        if (failing_ == Failing::launch) return failure("launch");
        launches.push_back(launch);
        results_.push_back({});
        return {};
    }
    Result<void> synchronize() override {
        if (failing_ == Failing::synchronize) return failure("synchronize");
        return {};
    }
    [[nodiscard]] const std::vector<sim::KernelResult>& results() const override { return results_; }
    void clear_results() override { results_.clear(); }

  private:
    static Error failure(const char* operation) {
        return Error{ErrorKind::check_failed, std::string(operation) + " was told to fail", {}, {}};
    }

    Failing failing_;
    sim::MemoryImage memory_{Bytes{std::uint64_t{1} << 30U}};
    std::vector<sim::KernelResult> results_;
};

}  // namespace sassafras::test
