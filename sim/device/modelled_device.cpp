#include "sim/device/modelled_device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "sim/device/parameter_area.hpp"

namespace sassafras::sim {

namespace {

constexpr double bytes_per_gb = 1e9;

Error no_module(ModuleId module) {
    return {ErrorKind::bad_input,
            "there is no module of number " + std::to_string(module.index),
            {},
            "load the cubin first"};
}

void locate(const std::map<std::string, isa::LineTable>& lines, KernelResult& result) {
    const auto table = lines.find(result.name);
    if (table == lines.end()) return;
    for (SourceRow& row : result.source)
        if (const isa::SourceLocation* location = table->second.find(row.pc))
            row.location = fmt::format("{}:{}", location->file, location->line);
}

}  // namespace

KernelResult describe_launch(const isa::Kernel& kernel, const Launch& launch, const Platform& platform) {
    KernelResult result;
    result.name = launch.kernel;
    result.grid = launch.grid;
    result.block = launch.block;
    result.registers_per_thread = kernel.registers_per_thread;
    result.most_registers_per_thread = platform.sm.max_registers_per_thread;
    result.static_shared = kernel.static_shared;
    result.dynamic_shared = launch.dynamic_shared;
    result.stream = launch.stream;
    return result;
}

ModelledDevice::ModelledDevice(const Platform& platform, ModelOptions options)
    : platform_(platform),
      options_(std::move(options)),
      memory_(Bytes{static_cast<std::uint64_t>(platform.dram.capacity_gb * bytes_per_gb)}, options_.first_address,
              options_.check
                  ? MemoryImage::Mapping{}
                  : MemoryImage::Mapping{Bytes{platform.dram.page_bytes}, Bytes{platform.dram.driver_bytes}}),
      heap_(memory_, options_.malloc_heap) {
    if (options_.threads > 1) concurrent_ = make_concurrent_memory(memory_);
    if (options_.check) checker_ = std::make_unique<Checker>(memory_, heap_);
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
    if (data.empty()) return {};
    auto done = memory_.write(to, data);
    if (done) copied_.push_back({.address = to.value, .bytes = data.size()});
    return done;
}

Result<void> ModelledDevice::copy_from_device(std::span<std::byte> to, Address from) {
    return to.empty() ? Result<void>() : memory_.read(to, from);
}

Result<void> ModelledDevice::fill(Address to, std::byte value, Bytes size) {
    return size.count == 0 ? Result<void>() : memory_.fill(to, value, size);
}

Bytes ModelledDevice::known_zeros(Address from, Bytes size) const { return memory_.untouched(from, size); }

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
    if (checker_ || options_.source_lines) {
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

    KernelResult result = describe_launch(properties, launch, platform_);
    result.left_out = options_.selects && !options_.selects(launch);
    LaunchRequest request;
    request.kernel = std::move(*kernel);
    request.shape = {launch.grid, launch.block, launch.dynamic_shared};
    request.parameters = std::move(*parameters);
    request.sm_count = platform_.gpu.sm_count;
    request.banks = {.banks = platform_.sm.shared_banks, .bank_bytes = platform_.sm.shared_bank_bytes};
    request.instruction_limit = options_.instruction_limit;
    request.print = options_.print;
    request.heap = &heap_;
    request.concurrent = concurrent_.get();
    request.stack = launch.stack;
    // As on an H200: none before the first cooperative launch, then every launch has it.
    const bool has_workspace = launch.cooperative || grid_workspace_.value != 0;
    if (has_workspace && names_grid_workspace(*request.kernel.program)) {
        auto workspace = clear_grid_workspace();
        if (!workspace) return workspace.error();
        request.grid_workspace = workspace->value;
    }
    if (checker_) {
        const auto [lines, is_new] = code_lines_.try_emplace({launch.module.index, launch.kernel});
        if (is_new) lines->second = isa::lines_of_code(properties, lines_[launch.module.index]);
        checker_->begin(*request.kernel.program, request.shape, &lines->second, request.grid_workspace);
        request.observer = checker_.get();
    }
    const auto begin = std::exchange(begin_of_next_, nullptr);
    if (begin && reads_global_timer(*request.kernel.program)) nanoseconds_ = begin();
    request.clock_begin = clock_;
    request.nanoseconds_begin = nanoseconds_;
    request.in_time_order = has_time();
    request.global_timer_step = platform_.clock.global_timer_step_ns;
    auto source = make_executor(std::move(request), memory_);
    if (!source) return source.error();
    auto done = consume(**source, launch, result);
    copied_.clear();
    if (done) advance_clocks(result);
    if (options_.source_lines) locate(lines_[launch.module.index], result);
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
