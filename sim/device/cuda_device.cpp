#include "sim/device/cuda_device.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "core/demangle.hpp"
#include "isa/cubin/cubin.hpp"
#include "sim/device/cache_eviction.hpp"
#include "sim/device/cuda_driver.hpp"
#include "sim/device/parameter_area.hpp"

namespace sassafras::sim {

namespace {

using cuda::Driver;
using cuda::Status;

class CudaDevice final : public Device {
  public:
    static Result<std::unique_ptr<Device>> make(const CudaOptions& options);
    ~CudaDevice() override;

    [[nodiscard]] std::string name() const override { return name_; }
    [[nodiscard]] std::uint32_t sm_count() const override { return sm_count_; }
    [[nodiscard]] Bytes most_shared_per_block() const override { return most_shared_per_block_; }
    [[nodiscard]] isa::ComputeCapability compute_capability() const override { return compute_capability_; }
    Result<Address> allocate(Bytes size) override;
    Result<void> free(Address address) override;
    Result<void> copy_to_device(Address to, std::span<const std::byte> data) override;
    Result<void> copy_from_device(std::span<std::byte> to, Address from) override;
    Result<void> fill(Address to, std::byte value, Bytes size) override;
    Result<ModuleId> load_module(std::span<const std::byte> cubin, std::string_view origin) override;
    Result<void> launch(const Launch& launch) override;
    Result<void> synchronize() override;
    [[nodiscard]] const std::vector<KernelResult>& results() const override { return results_; }
    void clear_results() override;

  private:
    struct LoadedModule {
        cuda::Module handle = nullptr;
        isa::Cubin cubin;
        std::string origin;
    };
    /// Events around a launch whose time is not read yet.
    struct PendingTime {
        std::size_t result = 0;
        cuda::Event begin = nullptr;
        cuda::Event end = nullptr;
    };

    explicit CudaDevice(std::unique_ptr<Driver> driver) : driver_(std::move(driver)) {}
    [[nodiscard]] Result<void> check_range(Address address, std::uint64_t size, const char* doing) const;
    void destroy_events(const PendingTime& pending);
    [[nodiscard]] Result<double> time_between_events();

    std::unique_ptr<Driver> driver_;
    cuda::DeviceOrdinal ordinal_ = 0;
    bool context_held_ = false;
    std::string name_;
    std::uint32_t sm_count_ = 0;
    Bytes most_shared_per_block_{};
    isa::ComputeCapability compute_capability_;
    std::unique_ptr<cuda::CacheEviction> eviction_;       ///< where caches are to be cold
    double event_ns_ = 0;                                 ///< from an event to one right behind it
    std::map<std::uint64_t, std::uint64_t> allocations_;  ///< address -> size in bytes
    std::vector<LoadedModule> modules_;
    std::vector<PendingTime> pending_;
    std::vector<KernelResult> results_;
};

Result<std::unique_ptr<Device>> CudaDevice::make(const CudaOptions& options) {
    auto driver = Driver::open();
    if (!driver) return driver.error();
    std::unique_ptr<CudaDevice> device(new CudaDevice(std::move(*driver)));
    const Driver& cu = *device->driver_;
    int count = 0;
    if (const Status code = cu.device_count(&count); code != 0) return cu.error(code, "cannot count the GPUs");
    if (options.ordinal < 0 || options.ordinal >= count)
        return Error{ErrorKind::bad_input, "there is no GPU number " + std::to_string(options.ordinal),
                     std::to_string(count) + " GPUs found", "choose a smaller number, or use --device simulated"};
    if (const Status code = cu.device_get(&device->ordinal_, options.ordinal); code != 0)
        return cu.error(code, "cannot open the GPU");
    char name[256] = {};
    if (cu.device_name(name, sizeof name - 1, device->ordinal_) == 0) device->name_ = name;
    const auto attribute = [&](int which) {
        int value = 0;
        return cu.device_attribute(&value, which, device->ordinal_) == 0 ? value : 0;
    };
    const int major = attribute(cuda::attribute::compute_capability_major);
    const int minor = attribute(cuda::attribute::compute_capability_minor);
    device->compute_capability_ = {static_cast<std::uint32_t>(major), static_cast<std::uint32_t>(minor)};
    if (!isa::has_code_for(device->compute_capability_))
        return Error{ErrorKind::bad_input, "the GPU cannot run the code of any workload",
                     device->name_ + ", compute capability " + std::to_string(major) + "." + std::to_string(minor),
                     "use a GPU of compute capability 7.5, 8.0 to 8.9 or 9.0, or --device simulated"};
    device->sm_count_ = static_cast<std::uint32_t>(attribute(cuda::attribute::multiprocessor_count));
    device->most_shared_per_block_ =
        Bytes{static_cast<std::uint64_t>(attribute(cuda::attribute::max_shared_per_block_optin))};
    cuda::Context context = nullptr;
    if (const Status code = cu.context_retain(&context, device->ordinal_); code != 0)
        return cu.error(code, "cannot make a context on the GPU", device->name_);
    device->context_held_ = true;
    if (const Status code = cu.context_set_current(context); code != 0)
        return cu.error(code, "cannot use the GPU's context", device->name_);
    if (options.cold_caches) {
        auto eviction =
            cuda::CacheEviction::make(cu, static_cast<std::uint64_t>(attribute(cuda::attribute::l2_cache_bytes)),
                                      device->sm_count_, device->name_);
        if (!eviction) return eviction.error();
        device->eviction_ = std::move(*eviction);
    }
    auto between = device->time_between_events();
    if (!between) return between.error();
    device->event_ns_ = *between;
    return std::unique_ptr<Device>(std::move(device));
}

/// Each pair is behind what goes before a launch, so that the GPU finds both in its queue. The least of many, as a GPU
/// that was idle takes a while to raise its clocks.
Result<double> CudaDevice::time_between_events() {
    constexpr int pairs = 2000;  // a tenth of a second with cold caches
    constexpr double nanoseconds_per_millisecond = 1e6;
    PendingTime pair;
    Status code = driver_->event_create(&pair.begin, 0);
    if (code == 0) code = driver_->event_create(&pair.end, 0);
    float least = std::numeric_limits<float>::max();
    for (int i = 0; i < pairs && code == 0; ++i) {
        if (eviction_ != nullptr) {
            if (auto evicted = eviction_->begin(); !evicted) {
                destroy_events(pair);
                return evicted.error();
            }
        }
        code = driver_->event_record(pair.begin, nullptr);
        if (code == 0) code = driver_->event_record(pair.end, nullptr);
        if (code == 0) code = driver_->context_synchronize();
        float milliseconds = 0;
        if (code == 0) code = driver_->event_elapsed(&milliseconds, pair.begin, pair.end);
        least = std::min(least, milliseconds);
    }
    destroy_events(pair);
    if (code != 0) return driver_->error(code, "cannot time events", name_);
    return static_cast<double>(least) * nanoseconds_per_millisecond;
}

// A context that a fault has broken answers every call with an error; there is nobody left to tell.
CudaDevice::~CudaDevice() {
    if (!context_held_) return;
    driver_->context_synchronize();
    for (const PendingTime& pending : pending_) destroy_events(pending);
    for (const LoadedModule& module : modules_) driver_->module_unload(module.handle);
    for (const auto& [address, size] : allocations_) driver_->memory_free(address);
    eviction_.reset();
    driver_->context_set_current(nullptr);
    driver_->context_release(ordinal_);
}

void CudaDevice::destroy_events(const PendingTime& pending) {
    if (pending.begin != nullptr) driver_->event_destroy(pending.begin);
    if (pending.end != nullptr) driver_->event_destroy(pending.end);
}

Result<Address> CudaDevice::allocate(Bytes size) {
    // The driver refuses 0 bytes; a buffer of no elements is no mistake.
    cuda::Pointer pointer = 0;
    if (const Status code = driver_->memory_allocate(&pointer, size.count == 0 ? 1 : size.count); code != 0)
        return driver_->error(code, "cannot allocate " + std::to_string(size.count) + " bytes", name_);
    allocations_[pointer] = size.count;
    return Address{pointer};
}

Result<void> CudaDevice::free(Address address) {
    if (allocations_.erase(address.value) == 0)
        return Error{ErrorKind::bad_input,
                     "free of an address that no live allocation starts at",
                     std::to_string(address.value),
                     {}};
    if (const Status code = driver_->memory_free(address.value); code != 0)
        return driver_->error(code, "cannot free memory", name_);
    return {};
}

Result<void> CudaDevice::check_range(Address address, std::uint64_t size, const char* doing) const {
    auto after = allocations_.upper_bound(address.value);
    if (after != allocations_.begin()) {
        const auto& [begin, bytes] = *std::prev(after);
        const std::uint64_t offset = address.value - begin;
        if (offset <= bytes && size <= bytes - offset) return {};
    }
    return Error{ErrorKind::bad_input, std::string(doing) + " outside of any allocation",
                 std::to_string(size) + " bytes at address " + std::to_string(address.value),
                 "allocate the memory first"};
}

Result<void> CudaDevice::copy_to_device(Address to, std::span<const std::byte> data) {
    if (data.empty()) return {};
    if (auto range = check_range(to, data.size(), "copy to the device"); !range) return range;
    if (const Status code = driver_->copy_to_device(to.value, data.data(), data.size()); code != 0)
        return driver_->error(code, "copy to the device", name_);
    return {};
}

Result<void> CudaDevice::copy_from_device(std::span<std::byte> to, Address from) {
    if (to.empty()) return {};
    if (auto range = check_range(from, to.size(), "copy from the device"); !range) return range;
    if (const Status code = driver_->copy_from_device(to.data(), from.value, to.size()); code != 0)
        return driver_->error(code, "copy from the device", name_);
    return {};
}

Result<void> CudaDevice::fill(Address to, std::byte value, Bytes size) {
    if (size.count == 0) return {};
    if (auto range = check_range(to, size.count, "fill"); !range) return range;
    if (const Status code = driver_->memory_set(to.value, std::to_integer<unsigned char>(value), size.count); code != 0)
        return driver_->error(code, "fill", name_);
    return {};
}

Result<ModuleId> CudaDevice::load_module(std::span<const std::byte> cubin, std::string_view origin) {
    // cuModuleLoadData takes no size and trusts what it reads, so only what our own reader accepts reaches it.
    auto read = isa::read_cubin(cubin, origin);
    if (!read) return read.error();
    cuda::Module module = nullptr;
    if (const Status code = driver_->module_load(&module, cubin.data()); code != 0)
        return driver_->error(code, "cannot load the cubin", std::string(origin));
    modules_.push_back({module, std::move(*read), std::string(origin)});
    return ModuleId{static_cast<std::uint32_t>(modules_.size() - 1)};
}

Result<void> CudaDevice::launch(const Launch& launch) {
    if (launch.module.index >= modules_.size())
        return Error{ErrorKind::bad_input,
                     "there is no module of number " + std::to_string(launch.module.index),
                     {},
                     "load the cubin first"};
    const LoadedModule& module = modules_[launch.module.index];
    const std::string where = module.origin + ", kernel " + demangled(launch.kernel);
    const isa::Kernel* kernel = module.cubin.find(launch.kernel);
    if (kernel == nullptr) return unknown_kernel(module.cubin, launch.kernel, module.origin);
    if (auto checked = check_arguments(*kernel, launch.arguments, where); !checked) return checked;
    cuda::Function function = nullptr;
    if (const Status code = driver_->module_function(&function, module.handle, launch.kernel.c_str()); code != 0)
        return driver_->error(code, "cannot find the kernel", where);
    if (const Status code = driver_->function_set(function, cuda::function_attribute::max_dynamic_shared_bytes,
                                                  static_cast<int>(launch.dynamic_shared.count));
        code != 0)
        return driver_->error(
            code,
            "cannot give the kernel " + std::to_string(launch.dynamic_shared.count) + " bytes of dynamic shared memory",
            where);

    KernelResult result;
    result.name = launch.kernel;
    result.grid = launch.grid;
    result.block = launch.block;
    result.dynamic_shared = launch.dynamic_shared;
    int value = 0;
    if (driver_->function_get(&value, cuda::function_attribute::registers, function) == 0)
        result.registers_per_thread = static_cast<std::uint32_t>(value);
    if (driver_->function_get(&value, cuda::function_attribute::shared_bytes, function) == 0)
        result.static_shared = Bytes{static_cast<std::uint64_t>(value)};

    if (eviction_ != nullptr) {
        // One launch at a time: where others wait behind it, up to 2 us pass between the event and the kernel (of
        // sorts' 9 to 17 launches all but the first and the last few took 500 to 1,500 ns longer than under Nsight
        // Compute).
        if (auto done = synchronize(); !done) return done;
        if (auto evicted = eviction_->begin(); !evicted) return evicted;
    }
    PendingTime pending{results_.size(), nullptr, nullptr};
    if (const Status code = driver_->event_create(&pending.begin, 0); code != 0)
        return driver_->error(code, "cannot create an event", name_);
    if (const Status code = driver_->event_create(&pending.end, 0); code != 0) {
        destroy_events(pending);
        return driver_->error(code, "cannot create an event", name_);
    }
    std::vector<void*> parameters;
    for (const auto& bytes : launch.arguments.values()) parameters.push_back(const_cast<std::byte*>(bytes.data()));
    Status code = driver_->event_record(pending.begin, nullptr);
    if (code == 0 && launch.cooperative)
        code = driver_->launch_cooperative(
            function, launch.grid.x, launch.grid.y, launch.grid.z, launch.block.x, launch.block.y, launch.block.z,
            static_cast<unsigned>(launch.dynamic_shared.count), nullptr, parameters.data());
    else if (code == 0)
        code = driver_->launch(function, launch.grid.x, launch.grid.y, launch.grid.z, launch.block.x, launch.block.y,
                               launch.block.z, static_cast<unsigned>(launch.dynamic_shared.count), nullptr,
                               parameters.data(), nullptr);
    if (code == 0) code = driver_->event_record(pending.end, nullptr);
    if (code != 0) {
        destroy_events(pending);
        return driver_->error(code, "the launch failed", where);
    }
    pending_.push_back(pending);
    results_.push_back(std::move(result));
    return {};
}

Result<void> CudaDevice::synchronize() {
    if (const Status code = driver_->context_synchronize(); code != 0) {
        const std::string where = results_.empty() ? name_ : "kernel " + demangled(results_.back().name);
        return driver_->error(code, "the GPU reports a failed launch", where);
    }
    for (const PendingTime& pending : pending_) {
        float milliseconds = 0;
        const Status code = driver_->event_elapsed(&milliseconds, pending.begin, pending.end);
        destroy_events(pending);
        if (code == 0)
            results_[pending.result].metrics = {
                {"gpu__time_duration.sum"_metric, std::max(0.0, static_cast<double>(milliseconds) * 1e6 - event_ns_)}};
    }
    pending_.clear();
    return {};
}

void CudaDevice::clear_results() {
    for (const PendingTime& pending : pending_) destroy_events(pending);
    pending_.clear();
    results_.clear();
}

}  // namespace

Result<std::unique_ptr<Device>> make_cuda_device(const CudaOptions& options) { return CudaDevice::make(options); }

}  // namespace sassafras::sim
