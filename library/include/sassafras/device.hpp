// A modelled GPU as a host program sees it: memory, and launches that return what they did.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <sassafras/metrics.hpp>
#include <sassafras/module.hpp>
#include <sassafras/namespace.hpp>
#include <sassafras/platform.hpp>
#include <sassafras/result.hpp>

namespace sassafras::SASSAFRAS_VERSIONED {
/// Extents of a grid or a block: CUDA's dim3.
struct Extents {
    std::uint32_t x = 1;
    std::uint32_t y = 1;
    std::uint32_t z = 1;
};

/// An address in the device's memory, in bytes: what a kernel's pointer argument is.
struct DevicePointer {
    std::uint64_t address = 0;

    [[nodiscard]] DevicePointer operator+(std::uint64_t bytes) const { return {address + bytes}; }
};

/// A kernel's arguments in order, each copied with the size of its C++ type, which must be the parameter's.
class Arguments {
  public:
    Arguments() = default;
    template <class... T>
    explicit Arguments(const T&... values) {
        (add(values), ...);
    }
    template <class T>
    Arguments& add(const T& value) {
        static_assert(std::is_trivially_copyable_v<T>, "an argument is passed as its bytes");
        std::vector<std::byte> bytes(sizeof(T));
        std::memcpy(bytes.data(), &value, sizeof(T));
        values_.push_back(std::move(bytes));
        return *this;
    }
    [[nodiscard]] const std::vector<std::vector<std::byte>>& values() const { return values_; }

  private:
    std::vector<std::vector<std::byte>> values_;
};

struct Launch {
    std::string kernel;  ///< KernelInfo::name
    Extents grid;        ///< in blocks
    Extents block;       ///< in threads
    std::uint64_t dynamic_shared_bytes = 0;
    Arguments arguments;
};

/// What one launch did.
struct LaunchResult {
    std::string kernel;  ///< as in the cubin
    Extents grid;
    Extents block;
    Metrics metrics;

    /// Simulated, from the begin of the launch to its end; 0 on a functional device.
    [[nodiscard]] double cycles() const { return metrics.find("sm__cycles_elapsed.max").value_or(0); }
};

struct DeviceOptions {
    enum class Model : std::uint8_t {
        simulated,   ///< execution and timing
        functional,  ///< execution, and metrics that need no time; several times faster
    };
    Model model = Model::simulated;
    std::uint32_t threads = 1;  ///< that simulate, 1 to 1024; nothing in a result depends on it
    bool cold_caches = true;    ///< before every launch, as Nsight Compute has them
    /// Warp instructions that a warp may run before its kernel counts as a runaway; 0: no limit.
    std::uint64_t instruction_limit = 100'000'000;
    /// Takes what kernels print, while they execute, on the thread that launches. Empty: it is dropped.
    std::function<void(std::string_view text)> print = {};
};

/// Has its own memory and its own clock; devices know nothing of each other. To be used by one thread at a time.
class Device {
  public:
    /// Error bad_input: `options` are out of range.
    [[nodiscard]] static Result<Device> make(const Platform& platform, DeviceOptions options = {});
    Device(Device&& other) noexcept;
    Device& operator=(Device&& other) noexcept;
    ~Device();

    [[nodiscard]] const Platform& platform() const;

    /// Memory, aligned to 512 bytes; write it before a kernel reads it. Error bad_input: there is not so much.
    [[nodiscard]] Result<DevicePointer> allocate(std::uint64_t bytes);
    /// Error bad_input: it is no address that allocate gave, or freed already.
    Result<void> free(DevicePointer pointer);
    /// Error bad_input: not all of it lies in one allocation. So of read.
    Result<void> write(DevicePointer to, std::span<const std::byte> data);
    Result<void> read(DevicePointer from, std::span<std::byte> into) const;

    /// Numbers, as they lie in memory: write_values(p, std::vector<float>{...}). Errors as of write.
    template <class T>
    Result<void> write_values(DevicePointer to, const std::vector<T>& values) {
        static_assert(std::is_trivially_copyable_v<T> && !std::is_same_v<T, bool>);
        return write(to, std::as_bytes(std::span(values)));
    }
    /// `count` numbers. Errors as of read.
    template <class T>
    [[nodiscard]] Result<std::vector<T>> read_values(DevicePointer from, std::size_t count) const {
        static_assert(std::is_trivially_copyable_v<T> && !std::is_same_v<T, bool>);
        std::vector<T> values(count);
        if (auto done = read(from, std::as_writable_bytes(std::span(values))); !done) return done.error();
        return values;
    }

    /// Runs the kernel to its end. The first launch of a module places its variables in the device's memory, where
    /// they keep their values from launch to launch. Error bad_input: the module has no such kernel, no code for
    /// this GPU, or the launch breaks one of its limits. Error check_failed: the kernel failed; memory is as it
    /// left it. Error not_modelled: it needs what is not.
    [[nodiscard]] Result<LaunchResult> launch(const Module& module, const Launch& launch);

  private:
    struct State;
    explicit Device(std::unique_ptr<State> state);

    std::unique_ptr<State> state_;
};

}  // namespace sassafras::SASSAFRAS_VERSIONED
