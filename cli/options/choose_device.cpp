#include <cstdio>
#include <string_view>
#include <utility>

#include "cli/options/options.hpp"
#include "cli/options/rule_options.hpp"
#include "sim/device/cuda_device.hpp"
#include "sim/device/modelled_devices.hpp"
#include "sim/platform/platform_json.hpp"
#include "sim/platform/platform_settings.hpp"

namespace sassafras::cli {

sim::ModelOptions model_options(const MeasureOptions& options) {
    sim::ModelOptions model;
    model.instruction_limit = options.instruction_limit;
    model.threads = options.threads;
    model.cold_caches = has_cold_caches(options);
    model.times_unselected = times_unselected(options);
    if (options.selection.selects())
        if (auto selector = sim::LaunchSelector::make(options.selection.selection()))
            model.selects = [of = std::make_shared<sim::LaunchSelector>(std::move(*selector))](
                                const sim::Launch& launch) { return of->takes(launch.kernel, launch.stream); };
    model.check = options.check;
    model.full_metrics = options.measures_full_set() || wants_rules(options);
    model.source_lines = wants_source_lines(options) || options.html.is_asked();
    model.sample = options.sample;
    model.narrow = options.narrow();
    put_profile_options(options.timeline, model);
    if (const auto what_if = sim::find_what_if(options.what_if)) model.what_if = *what_if;
    model.progress = options.console->progress();
    if (options.console->take_json) {
        model.print = [note = options.console->note](sim::TextStream /*stream*/, std::string_view text) { note(text); };
        return model;
    }
    // What kernels print goes beside a result that takes standard output.
    std::FILE* const output =
        options.json == "-" || (options.csv && options.selection.log_file.empty()) ? stderr : stdout;
    model.print = [output](sim::TextStream stream, std::string_view text) {
        std::fwrite(text.data(), 1, text.size(), stream == sim::TextStream::output ? output : stderr);
    };
    return model;
}

Result<sim::ResolvedPlatform> chosen_platform(const MeasureOptions& options) {
    return sim::load_platform(options.platform, options.platform_settings());
}

Result<ChosenDevice> choose_device(const MeasureOptions& options) {
    if (auto checked = check_sampling(options); !checked) return checked.error();
    if (auto checked = check_outputs(options); !checked) return checked.error();
    if (auto checked = check_what_if(options); !checked) return checked.error();
    if (auto checked = check_rules(options); !checked) return checked.error();
    if (auto checked = check_timeline(options); !checked) return checked.error();
    if (auto checked = check_selection(options); !checked) return checked.error();
    if (options.device == "cuda") {
        const GivenOptions& given = options.given;
        if (auto checked = given.refuse({"--platform", "--set", "--instruction-limit"}, "a real GPU is not modelled",
                                        "choose another --device");
            !checked)
            return checked.error();
        if (options.check)
            if (auto checked = given.refuse({"--check"}, "the simulator sees what its own GPUs do only",
                                            "choose another --device, or run compute-sanitizer on the real GPU");
                !checked)
                return checked.error();
        if (options.page == "source")
            if (auto checked = given.refuse({"--page"}, "a real GPU does not say what each instruction did",
                                            "choose another --device");
                !checked)
                return checked.error();
        auto device = sim::make_cuda_device({0, options.cache_control == "all"});
        if (!device) return device.error();
        const std::string name = (*device)->name();
        return ChosenDevice{std::move(*device), {{"name", name}, {"hash", nullptr}, {"resolved", nullptr}}, {}};
    }
    if (options.device == "functional")
        if (auto checked = options.given.refuse({"--cache-control"}, "the functional device has no caches",
                                                "choose another --device");
            !checked)
            return checked.error();
    auto resolved = chosen_platform(options);
    if (!resolved) return resolved.error();
    auto platform_json = sim::platform_json(*resolved);
    const auto make = [platform = resolved->platform, model = model_options(options),
                       functional = options.device == "functional"] {
        return functional ? sim::make_functional_device(platform, model) : sim::make_simulated_device(platform, model);
    };
    std::shared_ptr<RecordedRun> recorded;
    if (wants_estimates(options)) {
        auto begun = RecordedRun::begin();
        if (!begun) return begun.error();
        recorded = std::move(*begun);
    }
    auto device = recorded ? sim::make_recording_device(resolved->platform, model_options(options),
                                                        {recorded->traced.path, &recorded->traced.launches})
                           : make();
    return ChosenDevice{
        std::move(device),
        {{"name", resolved->platform.name}, {"hash", resolved->hash}, {"resolved", std::move(platform_json)}},
        make,
        resolved->platform,
        std::move(recorded)};
}

}  // namespace sassafras::cli
