#include "python/module/gpu.hpp"

#include <utility>

#include "core/interrupted.hpp"
#include "sim/device/modelled_devices.hpp"

namespace sassafras::python {

Gpu::Gpu(sim::ResolvedPlatform platform, const GpuOptions& options)
    : platform_(std::move(platform)), options_(options) {
    make_device();
}

void Gpu::make_device() {
    sim::ModelOptions model;
    model.instruction_limit = options_.instruction_limit;
    model.threads = options_.threads;
    model.cold_caches = options_.cold_caches;
    model.check = options_.check;
    model.sample = options_.sample;
    model.progress = [this](const sim::LaunchProgress& /*progress*/) {
        if (poll_) poll_();
    };
    model.print = [this](sim::TextStream /*stream*/, std::string_view text) {
        const std::lock_guard lock(printing_);
        printed_ += text;
    };
    device_ = options_.has_time ? sim::make_simulated_device(platform_.platform, std::move(model))
                                : sim::make_functional_device(platform_.platform, std::move(model));
}

Result<void> Gpu::start_over() {
    if (device_ != nullptr) return {};
    make_device();
    for (const Module& module : modules_)
        if (auto loaded = device_->load_module(module.cubin, module.origin); !loaded) return loaded.error();
    return {};
}

Result<std::uint32_t> Gpu::load_module(std::vector<std::byte> cubin, std::string origin) {
    const std::lock_guard lock(mutex_);
    if (auto ready = start_over(); !ready) return ready.error();
    auto loaded = device_->load_module(cubin, origin);
    if (!loaded) return loaded.error();
    modules_.push_back({std::move(cubin), std::move(origin)});
    return loaded->index;
}

Result<void> Gpu::launch(const GpuLaunch& launch, const Poll& poll, GpuLaunched& launched) {
    const std::lock_guard lock(mutex_);
    if (auto ready = start_over(); !ready) return ready.error();
    poll_ = poll;
    printed_.clear();
    const std::size_t found_before = device_->findings().size();
    Result<void> done;
    try {
        LentArrays arrays(device_->memory());
        std::vector<HostRange> ranges;
        for (const LaunchValue& value : launch.values)
            if (const auto* range = std::get_if<HostRange>(&value)) ranges.push_back(*range);
        const auto addresses = arrays.lend(ranges);
        if (!addresses) return addresses.error();

        sim::Launch wanted;
        wanted.module = {launch.module};
        wanted.kernel = launch.kernel;
        wanted.grid = launch.grid;
        wanted.block = launch.block;
        wanted.dynamic_shared = Bytes{launch.dynamic_shared_bytes};
        wanted.cooperative = launch.cooperative;
        auto address = addresses->begin();
        for (const LaunchValue& value : launch.values) {
            if (const auto* bytes = std::get_if<std::vector<std::byte>>(&value))
                wanted.arguments.add_bytes(*bytes);
            else
                wanted.arguments.add(*address++);
        }
        done = device_->launch(wanted);
    } catch (const Interrupted&) {
        device_.reset();
        poll_ = {};
        throw;
    }
    poll_ = {};
    launched.printed = std::move(printed_);
    const auto& findings = device_->findings();
    launched.findings.assign(findings.begin() + static_cast<std::ptrdiff_t>(found_before), findings.end());
    if (done) launched.result = device_->results().back();
    device_->clear_results();
    return done;
}

}  // namespace sassafras::python
