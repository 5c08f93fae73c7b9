#include <unistd.h>

#include <cstdio>
#include <utility>

#include "cli/options.hpp"
#include "sim/device/cuda_device.hpp"
#include "sim/device/modelled_devices.hpp"
#include "sim/platform/platform_json.hpp"
#include "sim/platform/platform_reader.hpp"

namespace sassafras::cli {

namespace {

/// A line on the terminal that is overwritten; nothing where standard error is no terminal.
void show_progress(const std::string& kernel, std::uint64_t done, std::uint64_t blocks) {
    if (done >= blocks) {
        std::fprintf(stderr, "\r\033[K");
    } else {
        std::fprintf(stderr, "\r\033[K%s: %llu of %llu blocks", kernel.c_str(), static_cast<unsigned long long>(done),
                     static_cast<unsigned long long>(blocks));
    }
    std::fflush(stderr);
}

}  // namespace

Result<ChosenDevice> choose_device(const MeasureOptions& options) {
    if (options.device == "cuda") {
        auto device = sim::make_cuda_device({0, options.cache_control == "all"});
        if (!device) return device.error();
        const std::string name = (*device)->name();
        return ChosenDevice{std::move(*device), {{"name", name}, {"hash", nullptr}, {"resolved", nullptr}}};
    }
    auto resolved = sim::load_platform(options.platform);
    if (!resolved) return resolved.error();
    sim::ModelOptions model;
    model.instruction_limit = options.instruction_limit;
    model.threads = options.threads;
    model.cold_caches = options.cache_control == "all";
    if (isatty(STDERR_FILENO) == 1) model.progress = show_progress;
    auto device = options.device == "functional" ? sim::make_functional_device(resolved->platform, std::move(model))
                                                 : sim::make_simulated_device(resolved->platform, std::move(model));
    return ChosenDevice{
        std::move(device),
        {{"name", resolved->platform.name}, {"hash", resolved->hash}, {"resolved", sim::platform_json(*resolved)}}};
}

}  // namespace sassafras::cli
