// The modelled GPU: made when it is first used, and given up at a reset.
#include "cudart/device_facts.hpp"
#include "cudart/protocol/progress.hpp"
#include "cudart/runtime.hpp"
#include "sim/device/capturing_device.hpp"
#include "sim/device/conflict_device.hpp"
#include "sim/device/modelled_devices.hpp"
#include "sim/platform/platform_reader.hpp"

namespace sassafras::cudart {

const sim::Platform& Runtime::platform() {
    if (platform_) return *platform_;
    const bool text = settings_.platform.starts_with('{');
    auto resolved = text ? sim::parse_platform(settings_.platform, "the platform of sassafras exec")
                         : sim::load_platform(settings_.platform);
    if (!resolved) end_run(resolved.error());
    platform_ = std::make_unique<const sim::Platform>(std::move(resolved->platform));
    return *platform_;
}

sim::ModelledDevice& Runtime::device() {
    if (device_) return *device_;
    sim::ModelOptions options;
    options.instruction_limit = settings_.instruction_limit;
    options.threads = settings_.threads;
    options.cold_caches = settings_.cold_caches;
    options.new_process = true;
    options.check = settings_.check;
    options.sample = settings_.sample;
    options.narrow = settings_.narrow;
    options.timed_launches = settings_.timed_launches;
    options.first_launch = launches_;
    if (selector_)
        options.selects = [this](const sim::Launch& launch) {
            return selector_->takes(launch.kernel, launch.stream, open_ranges_.of_thread(number_of_this_thread()));
        };
    options.times_unselected = settings_.times_unselected;
    options.full_metrics = settings_.full_metrics;
    options.profile_interval = settings_.profile_interval;
    options.blocks_of_launch = settings_.blocks_of_launch;
    options.most_blocks = settings_.most_blocks;
    options.source_lines = settings_.source;
    options.first_address = next_device_address_;
    options.print = [this](sim::TextStream stream, std::string_view printed) {
        if (stream == sim::TextStream::output)
            printed_ += printed;
        else
            std::fwrite(printed.data(), 1, printed.size(), stderr);
    };
    options.progress = progress_on_terminal();
    options.malloc_heap = Bytes{limit(cudaLimitMallocHeapSize)};
    switch (settings_.device) {
        case ExecSettings::Device::simulated:
            device_ = settings_.trace_folder.empty()
                          ? sim::make_simulated_device(platform(), options)
                          : sim::make_recording_device(platform(), options, {settings_.trace_folder, &traced_});
            break;
        case ExecSettings::Device::functional: device_ = sim::make_functional_device(platform(), options); break;
        case ExecSettings::Device::capture:
            device_ = sim::make_capturing_device(platform(), options, settings_.trace_folder, traced_);
            break;
        case ExecSettings::Device::conflicts:
            device_ = sim::make_conflict_device(platform(), options, {.rounds = {}, .choice = settings_.explained},
                                                conflicts_);
            break;
    }
    for (const auto& [begin, size] : former_memory_) device_->memory().remember_freed(Address{begin}, Bytes{size});
    return *device_;
}

int Runtime::compute_capability() {
    const sim::GpuParameters& gpu = platform().gpu;
    return static_cast<int>(10 * gpu.compute_capability_major + gpu.compute_capability_minor);
}

std::size_t& Runtime::limit(cudaLimit which) {
    if (limits_.empty()) limits_ = initial_limits(platform());
    return limits_.at(static_cast<std::size_t>(which));
}

/// With --check the next device's memory begins behind this one's, so that an address from before the reset stays
/// known.
void Runtime::keep_former_memory(const std::vector<HostAllocation>& freed) {
    sim::MemoryImage& memory = device_->memory();
    for (const HostAllocation& allocation : freed)
        memory.remember_freed(Address{reinterpret_cast<std::uint64_t>(allocation.begin)}, Bytes{allocation.size});
    former_memory_ = memory.given_out();
    next_device_address_ = memory.end_of_given_out();
    if (next_device_address_ + memory.capacity().count <= HostMemory::first_address) return;
    former_memory_.clear();  // all addresses have been used: they begin again
    next_device_address_ = first_device_address;
}

void Runtime::reset() {
    flush_printed();
    pending_ = sticky_ = cudaSuccess;
    if (device_)
        earlier_findings_.insert(earlier_findings_.end(), device_->findings().begin(), device_->findings().end());
    registry_.unload_all();
    const std::vector<HostAllocation> gone = host_memory_.clear();
    if (device_ && settings_.check) keep_former_memory(gone);
    device_.reset();
    streams_.reset();
    for (Event* event : events_) {
        streams_.forget(*event);
        delete event;
    }
    events_.clear();
}

}  // namespace sassafras::cudart
