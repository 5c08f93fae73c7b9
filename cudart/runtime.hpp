// The state of the CUDA runtime in one process. The API is a set of C functions without a handle, so there is one
// Runtime a process; everything else here is passed by reference.
#pragma once

#include <driver_types.h>
#include <vector_types.h>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "cudart/dealt_launches.hpp"
#include "cudart/failed_calls.hpp"
#include "cudart/host_memory.hpp"
#include "cudart/open_ranges.hpp"
#include "cudart/protocol/exec_settings.hpp"
#include "cudart/protocol/launch_record.hpp"
#include "cudart/registry.hpp"
#include "cudart/streams.hpp"
#include "sim/device/launch_selection.hpp"
#include "sim/device/modelled_device.hpp"
#include "sim/formats/trace_file/traced_launch.hpp"

namespace sassafras::cudart {

/// Another for each thread there ever is, by their first calls from 0: std::thread::id and its like come again.
[[nodiscard]] std::uint64_t number_of_this_thread();

struct LaunchCall {
    const void* kernel = nullptr;  ///< host pointer or handle
    dim3 grid;
    dim3 block;
    void** arguments = nullptr;
    std::size_t dynamic_shared = 0;
    Stream* stream = nullptr;
    bool cooperative = false;
};

class Runtime {
  public:
    /// The process's runtime; made at the first call, never destroyed: programs call the API from their destructors.
    [[nodiscard]] static Runtime& instance();

    /// Held during every call of the API.
    [[nodiscard]] std::mutex& mutex() { return mutex_; }

    /// The modelled GPU; made at first use. A platform or a setting that is wrong ends the run.
    [[nodiscard]] sim::ModelledDevice& device();
    /// Of that GPU; read at first use.
    [[nodiscard]] const sim::Platform& platform();
    [[nodiscard]] int compute_capability();  ///< 90 for 9.0

    [[nodiscard]] Registry& registry() { return registry_; }
    [[nodiscard]] HostMemory& host_memory() { return host_memory_; }

    /// The kernel behind a host pointer or handle, its module loaded. Errors: cudaErrorInvalidDeviceFunction,
    /// cudaErrorNoKernelImageForDevice; PTX alone ends the run.
    [[nodiscard]] cudaError_t find_kernel(const void* host, Kernel*& kernel, const isa::Kernel*& properties);
    [[nodiscard]] cudaError_t find_variable(const void* host, sim::DeviceSymbol& symbol);
    /// Loads the module's code unless that has been done, and tells the program where its managed variables are.
    [[nodiscard]] cudaError_t load(Module& module);

    /// In a process forked after the first use of the GPU: no call works there, as in CUDA.
    [[nodiscard]] bool is_of_parent() const { return is_of_parent_; }

    /// Executes the launch at once. A fault of the kernel shows at the next synchronisation, as on hardware.
    [[nodiscard]] cudaError_t launch(const LaunchCall& call);
    /// Dynamic shared memory that a block of the kernel may have: what the program asked for, or what all may have.
    [[nodiscard]] Bytes most_dynamic(const Kernel& kernel, const isa::Kernel& properties);
    /// Waits for all work: prints what kernels printed, and gives the error of a kernel that failed.
    [[nodiscard]] cudaError_t synchronize();

    /// Default stream for nullptr and the special handles; nullptr if the handle is not known.
    [[nodiscard]] Stream* stream(cudaStream_t handle);
    [[nodiscard]] cudaStream_t add_stream(Stream::Kind kind, int priority);
    [[nodiscard]] bool remove_stream(cudaStream_t handle);
    [[nodiscard]] Event* event(cudaEvent_t handle);
    [[nodiscard]] cudaEvent_t add_event(unsigned flags);
    [[nodiscard]] bool remove_event(cudaEvent_t handle);
    [[nodiscard]] Streams& streams() { return streams_; }
    /// What takes time on the simulated device, and none on others, which have no time.
    [[nodiscard]] Work timed(Work work) {
        work.nanoseconds = has_time() ? work.nanoseconds : 0;
        if (has_time() && work.engine == Engine::kernels)
            work.launch = {static_cast<double>(platform().copies.launch_turn_ns),
                           static_cast<double>(platform().copies.launch_back_ns)};
        return work;
    }
    /// As Streams::wait, in the platform's time.
    void wait(Stream& stream, const Event& event);
    /// Work, which is not yet `timed`, of recording an event: the GPU writes a time down only for those for timing.
    [[nodiscard]] Work recording(const Event& event);
    /// Puts work, which is `timed`, into a stream, and on the timeline once it has ended: `entry` says what it is.
    CommandId put(Stream& stream, const Work& work, TimelineEntry entry);
    void record(Stream& stream, Event& event);
    /// NVTX: something happens now, in the host's time.
    void note_range(TimelineEntry::Kind kind, std::string domain, std::string message, std::uint64_t number);

    /// Error of an earlier kernel that has shown; every call returns it until the device is reset.
    [[nodiscard]] cudaError_t sticky() const { return sticky_; }
    /// cudaDeviceReset: faults, printed text and streams go; memory too.
    void reset();

    /// The limits that cudaDeviceSetLimit sets; by cudaLimit.
    [[nodiscard]] std::size_t& limit(cudaLimit which);

    /// Says why on standard error and in the records, flushes what the program printed, and ends the process.
    [[noreturn]] void end_run(const Error& error);
    /// A function of the runtime API that is not there: status 3 and its name.
    [[noreturn]] void unsupported(std::string_view function, std::string_view what = {});
    /// With --check: whether the first or the last of these bytes lie in memory that was freed. The finding of the call
    /// that fails for it says so.
    [[nodiscard]] bool is_freed(const void* address, std::uint64_t size);
    /// With --check, a call that returned an error is among the findings.
    void note_failed_call(const char* function, cudaError_t error);
    /// A note for the person who started the program: once a text.
    void note(const std::string& text);
    /// Notes, once, that the program was refused memory that the modelled GPU has and this process could not have:
    /// where that was so, or without `only_if_refused` as the caller knows.
    void note_want_of_memory(bool only_if_refused) noexcept;

  private:
    Runtime();
    /// Of this process to the GPU: CUDA_DEVICE_MAX_CONNECTIONS.
    [[nodiscard]] static std::size_t connections();
    [[nodiscard]] bool has_time() const { return settings_.device == ExecSettings::Device::simulated; }
    void expect(CommandId command, const Stream& stream, TimelineEntry entry);
    void note_ended();
    void add_to_timeline(TimelineEntry entry);
    void write_timeline();
    void write_launch_times();
    void end_timeline();
    void at_exit();
    cudaError_t launch_now(const LaunchCall& call);
    void look_ahead(const Stream& stream, const Work& work, sim::Launch& launch);
    void append_record(const std::string& line);
    void fault(const Error& error);
    void flush_printed();
    cudaError_t check_launch(const LaunchCall& call, const Kernel& kernel, const isa::Kernel& properties);
    [[nodiscard]] cudaError_t place_managed_variables(const Module& module);
    void record_traces();
    void record_conflicts(const Module& module);
    void record_findings();
    void forget_findings();
    void keep_former_memory(const std::vector<HostAllocation>& freed);

    /// Of device memory: away from where the kernel of this machine puts mappings, so that a host address is never a
    /// device address.
    static constexpr std::uint64_t first_device_address = 0x7000'0000'0000;

    std::mutex mutex_;
    ExecSettings settings_;
    bool records_lost_ = false;
    bool is_of_parent_ = false;
    std::unique_ptr<const sim::Platform> platform_;
    std::unique_ptr<sim::ModelledDevice> device_;
    std::vector<sim::LaunchConflicts> conflicts_;            ///< of the launch that ends
    std::map<std::size_t, std::uint64_t> recorded_modules_;  ///< number here -> number in the records
    std::uint64_t next_device_address_ = first_device_address;
    std::map<std::uint64_t, std::uint64_t> former_memory_;  ///< with --check, of before a reset: address -> bytes
    std::uint64_t launches_ = 0;                            ///< of all devices so far
    std::uint64_t recorded_launches_ = 0;                   ///< by launch_line()
    std::vector<sim::TracedLaunch> traced_;
    std::size_t recorded_traces_ = 0;  ///< of these, how many are in the records
    Registry registry_;
    HostMemory host_memory_;
    Streams streams_{connections()};
    std::optional<DealtLaunches> dealt_;            ///< none before the first launch
    std::map<CommandId, TimelineEntry> under_way_;  ///< that have no time yet
    std::uint64_t timed_calls_ = 0;                 ///< that are on the timeline, or will be
    std::vector<TimelineEntry> timeline_;           ///< that is not written down yet
    bool is_exiting_ = false;
    std::optional<sim::LaunchSelector> selector_;  ///< none: all launches
    OpenRanges open_ranges_;
    std::set<Event*> events_;
    std::uint64_t events_made_ = 0;
    cudaError_t pending_ = cudaSuccess;
    cudaError_t sticky_ = cudaSuccess;
    std::string printed_;
    std::vector<std::size_t> limits_;  ///< empty until one is asked for or set
    std::set<std::string> notes_;
    bool has_noted_want_of_memory_ = false;
    std::vector<sim::Finding> earlier_findings_;  ///< of devices before a reset
    FailedCalls failed_calls_;
    std::string findings_;  ///< the line written last
};

}  // namespace sassafras::cudart
