#include "sim/device/modelled_device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "sim/device/parameter_area.hpp"

namespace sassafras::sim {

namespace {

// CUDA C++ Programming Guide, table of technical specifications per compute capability, 9.0.
constexpr std::uint32_t max_grid_x = 0x7fffffffU;
constexpr std::uint32_t max_grid_yz = 65535;
constexpr std::uint32_t max_block_z = 64;

constexpr double bytes_per_gb = 1e9;

Error no_module(ModuleId module) {
    return {ErrorKind::bad_input,
            "there is no module of number " + std::to_string(module.index),
            {},
            "load the cubin first"};
}

std::string text(const Dim3& e) { return fmt::format("({}, {}, {})", e.x, e.y, e.z); }

}  // namespace

Result<void> check_launch(const Platform& platform, const isa::Kernel& kernel, const Launch& launch,
                          const std::string& where) {
    const auto refuse = [&](std::string what, std::string remedy) {
        return Error{ErrorKind::bad_input, std::move(what), where, std::move(remedy)};
    };
    const SmParameters& sm = platform.sm;
    const Dim3& grid = launch.grid;
    const Dim3& block = launch.block;
    if (grid.volume() == 0 || block.volume() == 0)
        return refuse("grid " + text(grid) + " of blocks " + text(block) + " is empty", "extents are at least 1");
    if (grid.x > max_grid_x || grid.y > max_grid_yz || grid.z > max_grid_yz)
        return refuse("grid " + text(grid) + " is too large",
                      "at most (" + std::to_string(max_grid_x) + ", 65535, 65535) blocks");
    const std::uint64_t threads = block.volume();
    const std::uint32_t most = std::min(sm.max_threads_per_block, kernel.max_threads);
    if (threads > most || block.z > max_block_z)
        return refuse("too many threads in a block: " + text(block) + " are " + std::to_string(threads) + ", at most " +
                          std::to_string(most) +
                          (kernel.max_threads < sm.max_threads_per_block ? " (the kernel's launch bound)" : "") +
                          ", 64 of them in z",
                      "choose a smaller block");
    if (kernel.required_block.volume() != 0 && block != kernel.required_block)
        return refuse("the kernel is compiled for blocks of " + text(kernel.required_block) + ", not " + text(block),
                      "launch it with that block");
    const std::uint64_t shared = kernel.static_shared.count + launch.dynamic_shared.count;
    if (shared > sm.max_shared_per_block_bytes)
        return refuse("too much shared memory: " + std::to_string(kernel.static_shared.count) + " bytes static and " +
                          std::to_string(launch.dynamic_shared.count) + " dynamic, at most " +
                          std::to_string(sm.max_shared_per_block_bytes) + " together",
                      "use less of it");
    const Occupancy fits = occupancy(resources_of(kernel, launch), platform);
    if (fits.blocks == 0)
        return refuse("a block does not fit into an SM: " + std::to_string(fits.warps_per_block) + " warps of " +
                          std::to_string(kernel.registers_per_thread) + " registers a thread and " +
                          std::to_string(shared) + " bytes of shared memory; an SM has " +
                          std::to_string(sm.max_warps) + " warps, " + std::to_string(sm.registers) + " registers and " +
                          std::to_string(sm.shared_bytes) + " bytes",
                      "choose a smaller block, or compile with fewer registers");
    if (const std::uint64_t resident = std::uint64_t{platform.gpu.sm_count} * fits.blocks;
        launch.cooperative && grid.volume() > resident)
        return refuse("a cooperative launch of " + std::to_string(grid.volume()) + " blocks; " +
                          std::to_string(resident) + " are on the GPU at a time",
                      "launch at most as many blocks as fit");
    return {};
}

KernelResources resources_of(const isa::Kernel& kernel, const Launch& launch) {
    return {static_cast<std::uint32_t>(launch.block.volume()), kernel.registers_per_thread,
            kernel.static_shared.count + launch.dynamic_shared.count};
}

KernelResult describe_launch(const isa::Kernel& kernel, const Launch& launch) {
    KernelResult result;
    result.name = launch.kernel;
    result.grid = launch.grid;
    result.block = launch.block;
    result.registers_per_thread = kernel.registers_per_thread;
    result.static_shared = kernel.static_shared;
    result.dynamic_shared = launch.dynamic_shared;
    return result;
}

ModelledDevice::ModelledDevice(const Platform& platform, ModelOptions options)
    : platform_(platform),
      options_(std::move(options)),
      memory_(Bytes{static_cast<std::uint64_t>(platform.dram.capacity_gb * bytes_per_gb)}, options_.first_address),
      heap_(memory_, options_.malloc_heap) {
    if (options_.check) checker_ = std::make_unique<Checker>(memory_);
}

Result<void> ModelledDevice::set_malloc_heap(Bytes size) {
    if (heap_.resize(size)) return {};
    return Error{ErrorKind::bad_input,
                 "the size of the heap of malloc() cannot change once a kernel has allocated",
                 {},
                 "set it before the first kernel that calls malloc()"};
}

Result<Address> ModelledDevice::clear_grid_workspace() {
    constexpr Bytes size{16};  // as an H200's says of itself
    if (grid_workspace_.value == 0) {
        auto allocated = memory_.allocate(size);
        if (!allocated) return allocated;
        grid_workspace_ = *allocated;
    }
    const std::array<std::uint32_t, 4> content{size.count, 0, 0, 0};
    if (auto done = memory_.write(grid_workspace_, std::as_bytes(std::span(content))); !done) return done.error();
    return grid_workspace_;
}

Result<const isa::Kernel*> ModelledDevice::kernel_properties(ModuleId module, const std::string& kernel) const {
    if (module.index >= modules_.size()) return no_module(module);
    return modules_[module.index].properties(kernel);
}

Result<Bytes> ModelledDevice::constant_size(ModuleId module) const {
    if (module.index >= modules_.size()) return no_module(module);
    return modules_[module.index].constant_size();
}

Result<void> ModelledDevice::place_variable(ModuleId module, const std::string& variable, Address place) {
    if (module.index >= modules_.size()) return no_module(module);
    return modules_[module.index].place(variable, place, memory_);
}

Result<DeviceSymbol> ModelledDevice::symbol(ModuleId module, const std::string& variable) const {
    if (module.index >= modules_.size()) return no_module(module);
    return modules_[module.index].symbol(variable);
}

Result<void> ModelledDevice::copy_to_device(Address to, std::span<const std::byte> data) {
    return data.empty() ? Result<void>() : memory_.write(to, data);
}

Result<void> ModelledDevice::copy_from_device(std::span<std::byte> to, Address from) {
    return to.empty() ? Result<void>() : memory_.read(to, from);
}

Result<void> ModelledDevice::fill(Address to, std::byte value, Bytes size) {
    return size.count == 0 ? Result<void>() : memory_.fill(to, value, size);
}

Result<ModuleId> ModelledDevice::load_module(std::span<const std::byte> cubin, std::string_view origin) {
    auto module = LoadedModule::load(cubin, origin, memory_);
    if (!module) return module.error();
    if (!isa::runs_on(module->architecture(), compute_capability())) {
        const auto [major, minor] = compute_capability();
        return Error{ErrorKind::bad_input,
                     fmt::format("platform {} has compute capability {}.{} and cannot run code for {}", platform_.name,
                                 major, minor, isa::name_of(module->architecture())),
                     std::string(origin),
                     fmt::format("compile with nvcc -arch=sm_{}{} -cubin, or choose another --platform", major, minor)};
    }
    if (checker_) {
        auto lines = isa::read_line_info(cubin, origin);
        if (!lines) return lines.error();
        lines_.push_back(std::move(*lines));
    }
    modules_.push_back(std::move(*module));
    return ModuleId{static_cast<std::uint32_t>(modules_.size() - 1)};
}

Result<void> ModelledDevice::launch(const Launch& launch) {
    if (launch.module.index >= modules_.size()) return no_module(launch.module);
    LoadedModule& module = modules_[launch.module.index];
    auto kernel = module.kernel(launch.kernel);
    if (!kernel) return kernel.error();
    const isa::Kernel& properties = kernel->program->kernel;
    const std::string where = module.where(launch.kernel);
    if (auto checked = check_launch(platform_, properties, launch, where); !checked) return checked;
    auto parameters = pack_parameters(properties, launch.arguments, where);
    if (!parameters) return parameters.error();

    KernelResult result = describe_launch(properties, launch);
    LaunchRequest request;
    request.kernel = std::move(*kernel);
    request.shape = {launch.grid, launch.block, launch.dynamic_shared};
    request.parameters = std::move(*parameters);
    request.sm_count = platform_.gpu.sm_count;
    request.instruction_limit = options_.instruction_limit;
    request.print = options_.print;
    request.heap = &heap_;
    request.stack = launch.stack;
    // As on an H200: none before the first cooperative launch, then every launch has it.
    const bool has_workspace = launch.cooperative || grid_workspace_.value != 0;
    if (has_workspace && names_grid_workspace(*request.kernel.program)) {
        auto workspace = clear_grid_workspace();
        if (!workspace) return workspace.error();
        request.grid_workspace = workspace->value;
    }
    if (checker_) {
        const auto& lines = lines_[launch.module.index];
        const auto found = lines.find(launch.kernel);
        checker_->begin(*request.kernel.program, request.shape, found == lines.end() ? nullptr : &found->second);
        request.observer = checker_.get();
    }
    request.clock_begin = clock_;
    request.nanoseconds_begin = nanoseconds_;
    request.global_timer_step = platform_.clock.global_timer_step_ns;
    auto source = make_executor(std::move(request), memory_);
    if (!source) return source.error();
    auto done = consume(**source, launch, result);
    if (done) advance_clocks(result);
    if (options_.progress) {
        const std::uint64_t blocks = launch.grid.volume();
        options_.progress(
            {.kernel = launch.kernel, .blocks_done = done ? blocks : 0, .blocks = blocks, .cycles = {}, .ended = true});
    }
    if (!done) return done;
    results_.push_back(std::move(result));
    return {};
}

void ModelledDevice::advance_clocks(const KernelResult& result) {
    // Where there is no time, instructions are counted in its place, as during a launch.
    const double instructions = result.metric("smsp__inst_executed.sum"_metric);
    clock_.count += static_cast<std::uint64_t>(result.metric("sm__cycles_elapsed.max"_metric, instructions));
    nanoseconds_ += result.metric("gpu__time_duration.sum"_metric, instructions);
}

}  // namespace sassafras::sim
