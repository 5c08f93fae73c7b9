#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "cli/commands/commands.hpp"
#include "cli/options/option_values.hpp"
#include "cli/options/options.hpp"
#include "cli/reports/calibration_report.hpp"
#include "core/whole_file.hpp"
#include "sim/device/cuda_device.hpp"
#include "sim/device/modelled_devices.hpp"
#include "validate/calibrate/calibration.hpp"
#include "validate/calibrate/nearest_platform.hpp"
#include "validate/calibrate/platform_file.hpp"
#include "workloads/micro/micro.hpp"

namespace sassafras::cli {

namespace {

using namespace validate;

struct CalibrateOptions {
    MeasureOptions measure;
    std::string base;
    std::string check;
    std::string name;
    std::string output;
    std::string only;
    std::string measurements;  ///< file to read them from; empty: the device measures
    std::string save;          ///< file to write them to; empty: none
    bool only_measure = false;
    std::uint32_t repetitions = 5;
};

/// The GPU whose numbers are wanted.
struct Target {
    calibrate::Measurements measurements;  ///< no rows yet
    calibrate::MeasureRows measure;
};

/// Each measurement on a GPU of its own, as it was before anything ran on it: what it gives depends on nothing else.
calibrate::SimulateRows simulator(const MeasureOptions& options) {
    return [model = model_options(options)](const sim::Platform& platform, const std::vector<std::string>& rows) {
        return workloads::micro::run_rows(*sim::make_simulated_device(platform, model), rows);
    };
}

Result<Target> target_of(const CalibrateOptions& options) {
    if (options.measure.device == "cuda") {
        if (auto checked = options.measure.given.refuse({"--platform"}, "a real GPU is not modelled",
                                                        "give --base, or choose --device simulated");
            !checked)
            return checked.error();
        auto attributes = validate::calibrate::driver_attributes();
        if (!attributes) return attributes.error();
        auto made = sim::make_cuda_device();
        if (!made) return made.error();
        const std::shared_ptr<sim::Device> device = std::move(*made);
        return Target{{std::move(*attributes), device->compute_capability(), {}, {}},
                      [device](const std::vector<std::string>& rows) {
                          device->clear_results();
                          return workloads::micro::run_rows(*device, rows);
                      }};
    }
    auto modelled = chosen_platform(options.measure);
    if (!modelled) return modelled.error();
    const sim::Platform& platform = modelled->platform;
    const isa::ComputeCapability capability{platform.gpu.compute_capability_major,
                                            platform.gpu.compute_capability_minor};
    return Target{{validate::calibrate::modelled_attributes(platform), capability, platform.name, {}},
                  [platform, simulate = simulator(options.measure)](const std::vector<std::string>& rows) {
                      return simulate(platform, rows);
                  }};
}

/// A line on the terminal that says what is measured or solved; empty where standard error is no terminal.
std::function<void(const std::string&)> progress(const Console& console) {
    if (!console.shows_progress || isatty(STDERR_FILENO) != 1) return {};
    return [](const std::string& line) {
        const std::string text = "\r\033[K" + line;
        std::fwrite(text.data(), 1, text.size(), stderr);
        std::fflush(stderr);
    };
}

Result<std::vector<calibrate::Rule>> rules_of(const CalibrateOptions& options) {
    std::vector<calibrate::Rule> rules = calibrate::all_rules();
    std::erase_if(
        rules, [&](const calibrate::Rule& rule) { return rule.pointer.find(options.only) == std::string_view::npos; });
    if (rules.empty())
        return Error{ErrorKind::bad_input, "no number that has a rule has this text in its pointer",
                     "--only " + options.only, "give a part of a pointer, such as /l2/"};
    return rules;
}

/// "NVIDIA H100 80GB HBM3" -> "nvidia-h100-80gb-hbm3"
std::string name_from(const std::string& gpu) {
    std::string name;
    for (const char letter : gpu)
        name += std::isalnum(static_cast<unsigned char>(letter)) != 0 ? static_cast<char>(std::tolower(letter)) : '-';
    return name;
}

OutputName platform_file_of(const CalibrateOptions& options) { return {options.output, "the platform", "--output"}; }
OutputName measurements_file_of(const CalibrateOptions& options) {
    return {options.save, "the measurements", "--save-measurements"};
}

/// A place for each file that is asked for, before minutes are spent on what goes there.
Result<std::vector<ReservedOutput>> reserve(const CalibrateOptions& options) {
    std::vector<ReservedOutput> places;
    for (const OutputName& name : {platform_file_of(options), measurements_file_of(options)}) {
        if (name.path.empty()) continue;
        auto reserved = reserve_output_file(name);
        if (!reserved) return reserved.error();
        places.push_back(std::move(*reserved));
    }
    return places;
}

/// Options that would have no effect beside others.
Result<void> check_options(const CalibrateOptions& options) {
    const GivenOptions& given = options.measure.given;
    if (!options.measurements.empty())
        if (auto checked = given.refuse({"--device", "--platform", "--repeat"}, "--measurements were made before");
            !checked)
            return checked;
    if (options.only_measure)
        return given.refuse({"--output", "--name", "--base", "--check", "--json", "--csv"},
                            "--only-measure solves for nothing", "solve later, with --measurements");
    return {};
}

/// Read from the file, or measured on the device.
Result<calibrate::Measurements> measurements_of(const CalibrateOptions& options,
                                                const std::vector<calibrate::Rule>& rules,
                                                const std::function<void(const std::string&)>& say) {
    if (!options.measurements.empty()) {
        const auto text = read_whole_text(options.measurements, most_json_bytes);
        if (!text) return text.error();
        return calibrate::read_measurements(*text, options.measurements);
    }
    auto target = target_of(options);
    if (!target) return target.error();
    if (auto done = calibrate::measure(target->measurements, rules, options.repetitions, target->measure, say); !done)
        return done.error();
    return std::move(target->measurements);
}

/// The base as the platform's file has to name it: a file's path from that file's folder.
std::string base_beside(const std::string& base, const std::string& output) {
    const auto names = sim::platform_names();
    if (std::find(names.begin(), names.end(), base) != names.end()) return base;
    const std::filesystem::path folder = std::filesystem::absolute(output).parent_path();
    const std::filesystem::path beside = std::filesystem::absolute(base).lexically_proximate(folder);
    return beside.has_parent_path() ? beside.string() : "./" + beside.string();
}

/// Writes the platform, once it can be read back.
Result<void> write_platform(const CalibrateOptions& options, const CalibrationReport& report) {
    const std::string name = options.name.empty() ? name_from(report.attributes.name) : options.name;
    const std::string text =
        calibrate::platform_file(report.calibration, report.attributes, name, base_beside(report.base, options.output));
    if (const auto read = sim::parse_platform(text, options.output); !read) return read.error();
    return write_output_file(platform_file_of(options), text);
}

Result<int> run_calibrate(const CalibrateOptions& options, const std::vector<std::string>& command) {
    if (auto checked = check_outputs(options.measure); !checked) return checked.error();
    if (auto checked = check_options(options); !checked) return checked.error();
    auto rules = rules_of(options);
    if (!rules) return rules.error();
    const auto places = reserve(options);
    if (!places) return places.error();
    const auto say = progress(*options.measure.console);
    auto measured = measurements_of(options, *rules, say);
    if (!measured) return measured.error();
    if (!options.save.empty())
        if (auto written = write_output_file(measurements_file_of(options), calibrate::measurements_json(*measured));
            !written)
            return written.error();
    if (options.only_measure) return 0;
    Result<std::string> base_name = options.check.empty() ? options.base : options.check;
    if (base_name->empty()) base_name = calibrate::nearest_platform(measured->capability, measured->platform);
    if (!base_name) return base_name.error();
    auto base = sim::load_platform(*base_name);
    if (!base) return base.error();
    const std::string base_hash = base->hash;

    auto attributes = measured->attributes;
    auto calibration = calibrate::calibrate({.measurements = std::move(*measured),
                                             .base = std::move(*base),
                                             .rules = std::move(*rules),
                                             .simulate = simulator(options.measure),
                                             .progress = say});
    if (say) std::fputs("\r\033[K", stderr);
    if (!calibration) return calibration.error();
    const CalibrationReport report{recorded_command(command), std::move(attributes), *base_name, base_hash,
                                   std::move(*calibration)};
    if (!options.output.empty())
        if (auto written = write_platform(options, report); !written) return written.error();
    const auto text = [&] { return options.measure.csv ? to_csv(report) : to_table(report); };
    if (auto delivered = deliver([&] { return to_json(report); }, text, options.measure); !delivered)
        return delivered.error();
    const auto& numbers = report.calibration.numbers;
    return !options.check.empty() && std::any_of(numbers.begin(), numbers.end(), calibrate::differs) ? 1 : 0;
}

}  // namespace

void add_calibrate(CLI::App& app, Program& program) {
    auto options = std::make_shared<CalibrateOptions>();
    options->measure.console = program.console;
    options->measure.device = "cuda";
    CLI::App* command = app.add_subcommand("calibrate", "Make a platform of a GPU, by its driver and microbenchmarks");
    command
        ->add_option("--device", options->measure.device,
                     "cuda: the GPU of this machine; simulated: a modelled GPU, whose platform should come back")
        ->check(one_of({"cuda", "simulated"}))
        ->capture_default_str();
    command
        ->add_option("--platform", options->measure.platform,
                     "with --device simulated: the GPU to find, a name that `sassafras list` shows, or a JSON file")
        ->capture_default_str();
    add_setting_option(*command, options->measure.settings);
    CLI::Option* base =
        command
            ->add_option(
                "--base", options->base,
                "the platform whose numbers stay where nothing tells another; if not given, that of the nearest "
                "compute capability")
            ->check(not_empty("a platform"));
    command
        ->add_option(
            "--check", options->check,
            "compare this platform with the GPU: start from it, and end with status 1 if a number is another, or what "
            "was measured is beyond all of its values")
        ->check(not_empty("a platform"))
        ->excludes(base);
    CLI::Option* output =
        command->add_option("--output,-o", options->output, "write the platform to this file")->check(output_file());
    command->add_option("--name", options->name, "the platform's name; that of the GPU if not given")
        ->check(not_empty("a name"))
        ->needs(output);
    CLI::Option* saved = command
                             ->add_option("--save-measurements", options->save,
                                          "write what was measured to this file, for --measurements")
                             ->check(output_file());
    command->add_flag("--only-measure", options->only_measure, "solve for nothing, print nothing")->needs(saved);
    command
        ->add_option("--measurements", options->measurements,
                     "solve for what --save-measurements wrote, on whatever machine; nothing is measured")
        ->check(CLI::ExistingFile)
        ->excludes(saved);
    command
        ->add_option("--only", options->only,
                     "of the numbers that microbenchmarks tell, only those whose pointer contains this text: /l2/")
        ->check(not_empty("a text"));
    command->add_option("--repeat", options->repetitions, "runs of each microbenchmark on the GPU; their median counts")
        ->transform(whole_number(1, 1000))
        ->capture_default_str();
    command
        ->add_option("--threads", options->measure.threads, "threads that simulate; the result does not depend on it")
        ->transform(whole_number(1, 1024))
        ->capture_default_str();
    add_json_option(*command, options->measure);
    command->add_flag("--csv", options->measure.csv, "print CSV instead of a table");
    command->callback([options, command, &program] {
        options->measure.given = given_options(*command);
        program.chosen = [options, &program] { return run_calibrate(*options, program.arguments); };
    });
}

}  // namespace sassafras::cli
