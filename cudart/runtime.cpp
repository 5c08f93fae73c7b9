#include "cudart/runtime.hpp"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <span>
#include <system_error>
#include <thread>

#include <fmt/format.h>

#include "core/printable.hpp"
#include "cudart/protocol/progress.hpp"
#include "sim/device/capturing_device.hpp"
#include "sim/device/modelled_devices.hpp"
#include "sim/platform/platform_reader.hpp"

namespace sassafras::cudart {

namespace {

constexpr int internal_error_status = 70;
/// Of device memory under exec: away from where the kernel of this machine puts mappings, so that a host address is
/// never a device address.
constexpr std::uint64_t device_memory_address = 0x7000'0000'0000;

cudaError_t code_of(FaultKind fault) {
    switch (fault) {
        case FaultKind::none: return cudaErrorUnknown;
        case FaultKind::illegal_address: return cudaErrorIllegalAddress;
        case FaultKind::misaligned_address: return cudaErrorMisalignedAddress;
        case FaultKind::illegal_instruction: return cudaErrorIllegalInstruction;
        case FaultKind::assertion: return cudaErrorAssert;
        case FaultKind::trap: return cudaErrorLaunchFailure;
        case FaultKind::runaway: return cudaErrorLaunchTimeout;
    }
    return cudaErrorUnknown;
}

/// What the program has written into its streams goes out. That waits where another thread waits inside a stream, such
/// as for its next input: not for longer than this.
constexpr std::chrono::seconds longest_flush{1};

void flush_streams() {
    if (ftrylockfile(stdout) == 0) {
        std::fflush(stdout);
        funlockfile(stdout);
    }
    struct Flush {
        std::mutex mutex;
        std::condition_variable ended;
        bool has_ended = false;
    };
    const auto flush = std::make_shared<Flush>();
    try {
        std::thread([flush] {
            std::fflush(nullptr);
            const std::lock_guard lock(flush->mutex);
            flush->has_ended = true;
            flush->ended.notify_all();
        }).detach();
    } catch (const std::system_error&) {
        return;  // no thread is to be had
    }
    std::unique_lock lock(flush->mutex);
    flush->ended.wait_for(lock, longest_flush, [&] { return flush->has_ended; });
}

Dim3 extents(const dim3& from) { return {from.x, from.y, from.z}; }

}  // namespace

Runtime& Runtime::instance() {
    static auto* const runtime = new Runtime();  // see the declaration
    return *runtime;
}

Runtime::Runtime() {
    // No other thread is within a call while this one forks: the child would never see its end.
    pthread_atfork([] { instance().mutex_.lock(); }, [] { instance().mutex_.unlock(); },
                   [] {
                       Runtime& runtime = instance();
                       runtime.is_of_parent_ = runtime.device_ != nullptr;
                       runtime.printed_.clear();  // the parent prints it
                       runtime.mutex_.unlock();
                   });
    limits_ = {1024, 8'650'752, std::size_t{8} << 20U, 0, 2048, 64, 0};  // an H200's, by CUDA 13.0
    const char* path = std::getenv(settings_variable);
    if (path == nullptr) return;
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    auto settings = parse_settings(text, path);
    if (!settings) end_run(settings.error());
    settings_ = std::move(*settings);
    append_record(start_line());
}

void Runtime::append_record(const std::string& line) {
    if (settings_.records.empty() || records_lost_) return;
    // Opened each time: a program may close every descriptor that it does not know, and reuse the number.
    const int file = open(settings_.records.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    std::size_t written = 0;
    while (file >= 0 && written < line.size()) {
        const ssize_t step = write(file, line.data() + written, line.size() - written);
        if (step < 0 && errno == EINTR) continue;
        if (step <= 0) break;
        written += static_cast<std::size_t>(step);
    }
    const int why = errno;
    if (file >= 0) close(file);
    if (written == line.size()) return;
    // What is missing must not pass for nothing: without records, a run ends here.
    records_lost_ = true;
    end_run({ErrorKind::bad_input, fmt::format("a launch cannot be recorded: {}", std::strerror(why)),
             settings_.records, "make room where TMPDIR points to"});
}

void Runtime::end_run(const Error& error) {
    flush_printed();
    flush_streams();
    std::fprintf(stderr, "sassafras: error: %s\n", for_terminal(error.message()).c_str());
    append_record(trouble_line({error.message(), error.exit_status()}));
    std::_Exit(error.exit_status());
}

void Runtime::unsupported(std::string_view function, std::string_view what) {
    end_run({ErrorKind::not_modelled,
             what.empty() ? fmt::format("the program calls {}, which is not modelled", function)
                          : fmt::format("the program calls {} with {}, which is not modelled", function, what),
             program_invocation_name, "docs/exec.md lists what is"});
}

void Runtime::note(const std::string& text) {
    if (notes_.insert(text).second) std::fprintf(stderr, "sassafras: note: %s\n", for_terminal(text).c_str());
}

sim::ModelledDevice& Runtime::device() {
    if (device_) return *device_;
    const bool text = settings_.platform.starts_with('{');
    auto platform = text ? sim::parse_platform(settings_.platform, "the platform of sassafras exec")
                         : sim::load_platform(settings_.platform);
    if (!platform) end_run(platform.error());
    sim::ModelOptions options;
    options.instruction_limit = settings_.instruction_limit;
    options.threads = settings_.threads;
    options.cold_caches = settings_.cold_caches;
    options.check = settings_.check;
    options.first_address = device_memory_address;
    options.print = [this](sim::TextStream stream, std::string_view printed) {
        if (stream == sim::TextStream::output)
            printed_ += printed;
        else
            std::fwrite(printed.data(), 1, printed.size(), stderr);
    };
    options.progress = progress_on_terminal();
    options.malloc_heap = Bytes{limit(cudaLimitMallocHeapSize)};
    switch (settings_.device) {
        case ExecSettings::Device::simulated: device_ = sim::make_simulated_device(platform->platform, options); break;
        case ExecSettings::Device::functional:
            device_ = sim::make_functional_device(platform->platform, options);
            break;
        case ExecSettings::Device::capture:
            device_ = sim::make_capturing_device(platform->platform, options, settings_.trace_folder, traced_);
            break;
    }
    return *device_;
}

int Runtime::compute_capability() {
    const sim::GpuParameters& gpu = platform().gpu;
    return static_cast<int>(10 * gpu.compute_capability_major + gpu.compute_capability_minor);
}

cudaError_t Runtime::load(Module& module) {
    const bool is_new = !module.loaded;
    const auto loaded = Registry::load(module, device(), compute_capability());
    if (loaded) return is_new ? place_managed_variables(module) : cudaSuccess;
    const auto entries = isa::read_fat_binary(module.container, module.origin);
    const bool only_code = entries && std::none_of(entries->begin(), entries->end(), [](const isa::FatEntry& entry) {
                               return entry.kind == isa::FatEntry::Kind::ptx;
                           });
    // Without PTX a real GPU of this kind has nothing to run either, and says so to the program.
    if (only_code && isa::best_cubin(*entries, compute_capability()) == nullptr) {
        note(loaded.error().message());
        return cudaErrorNoKernelImageForDevice;
    }
    end_run(loaded.error());
}

cudaError_t Runtime::place_managed_variables(const Module& module) {
    for (Variable* variable : registry_.managed_variables(module)) {
        const auto symbol = device().symbol(*module.loaded, variable->name);
        if (!symbol) return cudaErrorInvalidSymbol;
        // A reset leaves address and contents as they are: what an H200 with CUDA 13.0 does.
        const auto held = host_memory_.find(*variable->managed);
        std::byte* const place =
            held ? held->begin
                 : host_memory_.allocate(symbol->size.count, HostMemoryKind::managed_variable, cudaMemAttachGlobal);
        if (place == nullptr) return cudaErrorMemoryAllocation;
        std::vector<std::byte> contents;
        if (held) contents.assign(place, place + symbol->size.count);
        if (auto attached = device().memory().attach(place, symbol->size); !attached) end_run(attached.error());
        const Address address{reinterpret_cast<std::uint64_t>(place)};
        if (auto placed = device().place_variable(*module.loaded, variable->name, address); !placed)
            end_run(placed.error());
        std::copy(contents.begin(), contents.end(), place);
        *variable->managed = place;
    }
    return cudaSuccess;
}

cudaError_t Runtime::find_kernel(const void* host, Kernel*& kernel, const isa::Kernel*& properties) {
    kernel = registry_.kernel(host);
    if (kernel == nullptr) return cudaErrorInvalidResourceHandle;
    if (const cudaError_t error = load(*kernel->module); error != cudaSuccess) return error;
    const auto found = device().kernel_properties(*kernel->module->loaded, kernel->name);
    if (!found) return cudaErrorInvalidDeviceFunction;
    properties = *found;
    return cudaSuccess;
}

cudaError_t Runtime::find_variable(const void* host, sim::DeviceSymbol& symbol) {
    Variable* variable = registry_.variable(host);
    if (variable == nullptr) return cudaErrorInvalidSymbol;
    if (const cudaError_t error = load(*variable->module); error != cudaSuccess) return error;
    const auto found = device().symbol(*variable->module->loaded, variable->name);
    if (!found) return cudaErrorInvalidSymbol;
    symbol = *found;
    if (variable->managed != nullptr) symbol.address = Address{reinterpret_cast<std::uint64_t>(*variable->managed)};
    return cudaSuccess;
}

cudaError_t Runtime::check_launch(const LaunchCall& call, const Kernel& kernel, const isa::Kernel& properties) {
    const sim::SmParameters& sm = platform().sm;
    const Dim3 grid = extents(call.grid);
    const Dim3 block = extents(call.block);
    if (grid.volume() == 0 || block.volume() == 0 || block.volume() > sm.max_threads_per_block || block.z > 64 ||
        block.x > 1024 || block.y > 1024 || grid.x > 0x7fffffffU || grid.y > 65535 || grid.z > 65535)
        return cudaErrorInvalidValue;  // what CUDA 13.0 says on an H200
    if (block.volume() > properties.max_threads) return cudaErrorInvalidValue;
    const std::uint64_t standard = std::min<std::uint64_t>(48U << 10U, sm.max_shared_per_block_bytes);
    const std::uint64_t most_dynamic =
        kernel.most_dynamic_shared ? *kernel.most_dynamic_shared
                                   : standard - std::min<std::uint64_t>(standard, properties.static_shared.count);
    if (call.dynamic_shared > most_dynamic) return cudaErrorInvalidValue;
    sim::Launch launch;
    launch.grid = grid;
    launch.block = block;
    launch.dynamic_shared = Bytes{call.dynamic_shared};
    const auto fits = sim::occupancy(sim::resources_of(properties, launch), platform());
    if (fits.blocks == 0) return cudaErrorLaunchOutOfResources;
    if (call.cooperative && grid.volume() > std::uint64_t{fits.blocks} * platform().gpu.sm_count)
        return cudaErrorCooperativeLaunchTooLarge;
    return cudaSuccess;
}

cudaError_t Runtime::launch(const LaunchCall& call) {
    flush_printed();
    Kernel* kernel = nullptr;
    const isa::Kernel* properties = nullptr;
    if (const cudaError_t error = find_kernel(call.kernel, kernel, properties); error != cudaSuccess) return error;
    if (const cudaError_t error = check_launch(call, *kernel, *properties); error != cudaSuccess) return error;
    if (!properties->parameters.empty() && call.arguments == nullptr) return cudaErrorInvalidValue;
    if (properties->required_cluster.volume() > 1)
        unsupported("a kernel", "__cluster_dims__ of several blocks (" + kernel->name + ")");
    if (pending_ != cudaSuccess) return cudaSuccess;  // a kernel before it failed: hardware never begins this one
    sim::Launch launch;
    launch.module = *kernel->module->loaded;
    launch.kernel = kernel->name;
    launch.grid = extents(call.grid);
    launch.block = extents(call.block);
    launch.dynamic_shared = Bytes{call.dynamic_shared};
    launch.cooperative = call.cooperative;
    launch.stack = Bytes{limit(cudaLimitStackSize)};
    for (std::size_t i = 0; i < properties->parameters.size(); ++i) {
        const auto* begin = static_cast<const std::byte*>(call.arguments[i]);
        launch.arguments.add_bytes({begin, begin + properties->parameters[i].size});
    }
    device().clear_results();
    auto done = device().launch(launch);
    record_findings();
    if (!done) {
        if (done.error().fault == FaultKind::none) end_run(done.error());
        append_record(failed_line({launch.kernel, launch.grid, launch.block, done.error().message(), 0}));
        fault(done.error());
        return cudaSuccess;
    }
    for (const sim::KernelResult& result : device().results()) {
        append_record(launch_line(result, settings_.source));
        streams_.put(*call.stream, timed({Engine::kernels, result.metric("gpu__time_duration.sum", 0)}));
    }
    record_traces();
    return cudaSuccess;
}

void Runtime::record_findings() {
    if (!settings_.check) return;
    std::vector<sim::Finding> all = earlier_findings_;
    all.insert(all.end(), device().findings().begin(), device().findings().end());
    std::string line = findings_line(all);
    if (line == findings_ || all.empty()) return;
    append_record(line);
    findings_ = std::move(line);
}

void Runtime::record_traces() {
    for (const sim::TracedLaunch& launch : std::span(traced_).subspan(recorded_traces_))
        append_record(traced_line(launch));
    recorded_traces_ = traced_.size();
}

void Runtime::fault(const Error& error) {
    pending_ = code_of(error.fault);
    std::fprintf(stderr, "sassafras: error: %s\n", for_terminal(error.message()).c_str());
    append_record(trouble_line({error.message(), error.exit_status()}));
}

void Runtime::flush_printed() {
    if (printed_.empty()) return;
    std::fwrite(printed_.data(), 1, printed_.size(), stdout);
    printed_.clear();
}

cudaError_t Runtime::synchronize() {
    flush_printed();
    if (pending_ != cudaSuccess) sticky_ = pending_;
    return sticky_;
}

namespace {

/// Another for each thread there ever is: std::thread::id and its like come again.
std::uint64_t number_of_this_thread() {
    static std::atomic<std::uint64_t> next{0};
    thread_local const std::uint64_t number = next++;
    return number;
}

}  // namespace

Stream* Runtime::stream(cudaStream_t handle) {
    if (handle == nullptr || handle == cudaStreamLegacy) return &streams_.legacy();
    if (handle == cudaStreamPerThread) return &streams_.of_thread(number_of_this_thread());
    auto* const stream = reinterpret_cast<Stream*>(handle);
    return streams_.contains(stream) ? stream : nullptr;
}

cudaStream_t Runtime::add_stream(Stream::Kind kind, int priority) {
    return reinterpret_cast<cudaStream_t>(&streams_.add(kind, priority));
}

bool Runtime::remove_stream(cudaStream_t handle) {
    const auto* const stream = reinterpret_cast<const Stream*>(handle);
    if (!streams_.contains(stream)) return false;
    streams_.remove(stream);
    return true;
}

Event* Runtime::event(cudaEvent_t handle) {
    auto* const event = reinterpret_cast<Event*>(handle);
    return events_.contains(event) ? event : nullptr;
}

cudaEvent_t Runtime::add_event(unsigned flags) {
    auto* const event = new Event{0, false, (flags & cudaEventDisableTiming) == 0};
    events_.insert(event);
    return reinterpret_cast<cudaEvent_t>(event);
}

bool Runtime::remove_event(cudaEvent_t handle) {
    auto* const event = reinterpret_cast<Event*>(handle);
    if (events_.erase(event) == 0) return false;
    delete event;
    return true;
}

std::size_t& Runtime::limit(cudaLimit which) { return limits_.at(static_cast<std::size_t>(which)); }

void Runtime::reset() {
    flush_printed();
    pending_ = sticky_ = cudaSuccess;
    if (device_)
        earlier_findings_.insert(earlier_findings_.end(), device_->findings().begin(), device_->findings().end());
    registry_.unload_all();
    host_memory_.clear();
    device_.reset();
    streams_.reset();
    for (Event* event : events_) delete event;
    events_.clear();
}

}  // namespace sassafras::cudart
