#include "cudart/runtime.hpp"

#include <errno.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <system_error>
#include <thread>

#include <fmt/format.h>

#include "core/demangle.hpp"
#include "core/file_writer.hpp"
#include "core/printable.hpp"
#include "sim/device/launch_check.hpp"

namespace sassafras::cudart {

namespace {

constexpr int internal_error_status = 70;
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

/// What CUDA 13.0 says on an H200 of a launch that breaks the rule.
cudaError_t code_of(sim::LaunchRule rule) {
    switch (rule) {
        case sim::LaunchRule::extents:
        case sim::LaunchRule::shared_memory: return cudaErrorInvalidValue;
        case sim::LaunchRule::room: return cudaErrorLaunchOutOfResources;
        case sim::LaunchRule::cooperation: return cudaErrorCooperativeLaunchTooLarge;
        case sim::LaunchRule::required_block: return cudaSuccess;  // not known of hardware: the device ends the run
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
                       runtime.printed_.clear();   // the parent prints it
                       runtime.timeline_.clear();  // the same
                       runtime.under_way_.clear();
                       (void)runtime.streams_.take_host_spans();
                       runtime.forget_findings();  // the parent has them
                       runtime.mutex_.unlock();
                   });
    const char* path = std::getenv(settings_variable);
    if (path == nullptr) return;
    std::ifstream file(path, std::ios::binary);
    if (!file.is_open())
        end_run({ErrorKind::bad_input, "this process outlives the program that sassafras exec has run", path,
                 "let the program wait for its processes: nobody is left to report to"});
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    auto settings = parse_settings(text, path);
    if (!settings) end_run(settings.error());
    settings_ = std::move(*settings);
    if (!settings_.selection.takes_all()) {
        auto selector = sim::LaunchSelector::make(settings_.selection);
        if (!selector) end_run(selector.error());
        selector_ = std::move(*selector);
    }
    if (settings_.check) host_memory_.keep_freed();
    append_record(start_line(getpid()));
    std::atexit([] { instance().at_exit(); });
}

void Runtime::end_run(const Error& error) {
    flush_printed();
    flush_streams();
    std::fprintf(stderr, "sassafras: error: %s\n", for_terminal(error.message()).c_str());
    end_timeline();
    append_record(trouble_line({error.message(), error.exit_status(), true}));
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

cudaError_t Runtime::check_launch(const LaunchCall& call, const Kernel& kernel, const isa::Kernel& properties) {
    sim::Launch launch;
    launch.kernel = kernel.name;
    launch.grid = extents(call.grid);
    launch.block = extents(call.block);
    launch.dynamic_shared = Bytes{call.dynamic_shared};
    launch.cooperative = call.cooperative;
    const auto refusal =
        sim::find_launch_refusal(platform(), properties, launch, kernel.name, most_dynamic(kernel, properties));
    return refusal ? code_of(refusal->rule) : cudaSuccess;
}

Bytes Runtime::most_dynamic(const Kernel& kernel, const isa::Kernel& properties) {
    return kernel.most_dynamic_shared ? Bytes{*kernel.most_dynamic_shared}
                                      : sim::standard_dynamic_shared(platform(), properties);
}

cudaError_t Runtime::launch_now(const LaunchCall& call) {
    flush_printed();
    Kernel* kernel = nullptr;
    const isa::Kernel* properties = nullptr;
    if (const cudaError_t error = find_kernel(call.kernel, kernel, properties); error != cudaSuccess) return error;
    if (const cudaError_t error = check_launch(call, *kernel, *properties); error != cudaSuccess) return error;
    if (!properties->parameters.empty() && call.arguments == nullptr) return cudaErrorInvalidValue;
    if (properties->required_cluster.volume() > 1)
        unsupported("a kernel", "__cluster_dims__ of several blocks (" + demangled(kernel->name) + ")");
    if (pending_ != cudaSuccess) return cudaSuccess;  // a kernel before it failed: hardware never begins this one
    sim::Launch launch;
    launch.module = *kernel->module->loaded;
    launch.kernel = kernel->name;
    launch.grid = extents(call.grid);
    launch.block = extents(call.block);
    launch.dynamic_shared = Bytes{call.dynamic_shared};
    launch.cooperative = call.cooperative;
    launch.stack = Bytes{limit(cudaLimitStackSize)};
    launch.stream = call.stream->number();
    for (std::size_t i = 0; i < properties->parameters.size(); ++i) {
        const auto* begin = static_cast<const std::byte*>(call.arguments[i]);
        launch.arguments.add_bytes({begin, begin + properties->parameters[i].size});
    }
    device().clear_results();
    if (has_time()) {
        const KernelLoad places =
            load_of_places(launch.grid.volume(), sim::resources_of(*properties, launch), platform());
        look_ahead(*call.stream, timed({Engine::kernels, 0, places}), launch);
    }
    auto done = device().launch(launch);
    ++launches_;
    record_findings();
    if (!done) {
        if (done.error().fault == FaultKind::none) end_run(done.error());
        append_record(failed_line({launch.kernel, launch.grid, launch.block, done.error().message(), 0}));
        fault(done.error());
        return cudaSuccess;
    }
    for (const sim::KernelResult& result : device().results()) {
        append_record(launch_line(result, settings_.source, getpid()));
        const CommandId command =
            put(*call.stream,
                timed({Engine::kernels, result.metric("gpu__time_duration.sum"_metric), load_of(result, platform())}),
                {.kind = TimelineEntry::Kind::kernel, .number = recorded_launches_++});
        if (dealt_) dealt_->put(command, streams_.oldest());
        write_timeline();
    }
    record_traces();
    record_conflicts(*kernel->module);
    return cudaSuccess;
}

void Runtime::note_failed_call(const char* function, cudaError_t error) {
    if (!settings_.check || is_of_parent_) return;
    failed_calls_.add(function, error);
    record_findings();
}

void Runtime::fault(const Error& error) {
    pending_ = code_of(error.fault);
    std::fprintf(stderr, "sassafras: error: %s\n", for_terminal(error.message()).c_str());
    append_record(trouble_line({error.message(), error.exit_status(), error.fault == FaultKind::runaway}));
}

void Runtime::flush_printed() {
    if (printed_.empty()) return;
    std::fwrite(printed_.data(), 1, printed_.size(), stdout);
    printed_.clear();
}

cudaError_t Runtime::synchronize() {
    flush_printed();
    write_launch_times();
    if (pending_ != cudaSuccess) sticky_ = pending_;
    return sticky_;
}

}  // namespace sassafras::cudart
