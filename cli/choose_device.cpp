#include <utility>

#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "sim/device/cuda_device.hpp"
#include "sim/device/modelled_devices.hpp"
#include "sim/platform/platform_json.hpp"
#include "sim/platform/platform_reader.hpp"

namespace sassafras::cli {

sim::ModelOptions model_options(const MeasureOptions& options) {
    sim::ModelOptions model;
    model.instruction_limit = options.instruction_limit;
    model.threads = options.threads;
    model.cold_caches = options.cache_control == "all";
    model.progress = progress_on_terminal();
    return model;
}

Result<ChosenDevice> choose_device(const MeasureOptions& options) {
    if (auto checked = check_outputs(options); !checked) return checked.error();
    if (options.device == "cuda") {
        auto device = sim::make_cuda_device({0, options.cache_control == "all"});
        if (!device) return device.error();
        const std::string name = (*device)->name();
        return ChosenDevice{std::move(*device), {{"name", name}, {"hash", nullptr}, {"resolved", nullptr}}};
    }
    auto resolved = sim::load_platform(options.platform);
    if (!resolved) return resolved.error();
    auto device = options.device == "functional"
                      ? sim::make_functional_device(resolved->platform, model_options(options))
                      : sim::make_simulated_device(resolved->platform, model_options(options));
    return ChosenDevice{
        std::move(device),
        {{"name", resolved->platform.name}, {"hash", resolved->hash}, {"resolved", sim::platform_json(*resolved)}}};
}

}  // namespace sassafras::cli
