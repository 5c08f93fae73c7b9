#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "cli/commands/commands.hpp"
#include "cli/commands/validate_claims.hpp"
#include "cli/html/html_reports.hpp"
#include "cli/options/choose_instance.hpp"
#include "cli/options/option_values.hpp"
#include "cli/options/options.hpp"
#include "cli/options/workload_options.hpp"
#include "cli/reports/validate_report.hpp"
#include "sim/platform/platform_settings.hpp"
#include "validate/compare/cases.hpp"
#include "validate/compare/platform_comparison.hpp"

namespace sassafras::cli {

namespace {

using namespace validate;

struct ValidateOptions {
    MeasureOptions measure;
    CaseChoice choice;
    std::vector<std::string> platforms{"h200"};
    std::vector<std::string> instances;  ///< of a platform that none of them is for: the one of the platform's name
    std::string sizes = "medium";
    std::optional<std::uint32_t> repetitions;
    bool quick = false;
    bool full = false;
    bool claims = false;
    std::vector<std::string> only;  ///< ids of claims
};

/// A platform that was named twice is compared once.
void drop_repeated(std::vector<std::string>& names) {
    std::vector<std::string> once;
    for (std::string& name : names)
        if (std::find(once.begin(), once.end(), name) == once.end()) once.push_back(std::move(name));
    names = std::move(once);
}

Sizes sizes_of(const ValidateOptions& options) {
    if (options.quick || options.sizes == "smallest") return Sizes::smallest;
    return options.sizes == "all" ? Sizes::all : Sizes::medium;
}

/// The instances that were given. Error bad_input if two have one name.
Result<std::vector<spt::Instance>> given_instances(const ValidateOptions& options) {
    std::vector<spt::Instance> instances;
    for (const std::string& name : options.instances) {
        auto instance = choose_instance(name);
        if (!instance) return instance.error();
        if (std::any_of(instances.begin(), instances.end(),
                        [&](const spt::Instance& known) { return known.name == instance->name; }))
            return Error{ErrorKind::bad_input, fmt::format("a second instance of the name \"{}\"", instance->name),
                         "--instance " + name, "give one for each platform"};
        instances.push_back(std::move(instance).value());
    }
    return instances;
}

/// Each instance must be the one of a platform's name; a single one serves a single platform whatever it is called.
Result<void> check_instances(const ValidateOptions& options, const std::vector<spt::Instance>& instances) {
    if (options.platforms.size() == 1 && instances.size() == 1) return {};
    std::vector<std::string> names;
    for (const std::string& platform : options.platforms) {
        const auto resolved = sim::load_platform(platform);
        if (!resolved) return resolved.error();
        names.push_back(resolved->platform.name);
    }
    for (std::size_t i = 0; i < instances.size(); ++i)
        if (std::find(names.begin(), names.end(), instances[i].name) == names.end())
            return Error{ErrorKind::bad_input,
                         fmt::format("none of the platforms has the name of the instance \"{}\"", instances[i].name),
                         "--instance " + options.instances[i],
                         "of several platforms or instances each belongs to the other of its name; change \"name\" in "
                         "the file, or compare one platform at a time"};
    return {};
}

/// `name` is that of the modelled GPU, `platform` how it was given.
Result<spt::Instance> instance_of(const ValidateOptions& options, const std::vector<spt::Instance>& instances,
                                  const std::string& platform, const std::string& name) {
    if (options.platforms.size() == 1 && instances.size() == 1) return instances.front();
    for (const spt::Instance& instance : instances)
        if (instance.name == name) return instance;
    auto known = choose_instance(platform);
    if (known) return known;
    return Error{
        ErrorKind::bad_input, fmt::format("there is no SPT instance of the platform {}", platform), "--platform",
        fmt::format("sassafras microbench --spt --platform {0} --instance {0}-spt.json measures one on the model, "
                    "then give --instance ./{0}-spt.json",
                    platform)};
}

Result<PlatformOutcome> compare(const ValidateOptions& options, const std::vector<spt::Instance>& instances,
                                const std::string& platform) {
    const auto resolved = sim::load_platform(platform, options.measure.settings);
    if (!resolved) return resolved.error();
    auto instance = instance_of(options, instances, platform, resolved->platform.name);
    if (!instance) return instance.error();
    PlatformRequest request{platform, options.measure.settings, std::move(instance).value(), options.choice,
                            model_options(options.measure)};
    request.choice.sizes = sizes_of(options);
    if (options.repetitions) request.repetitions = *options.repetitions;
    std::unique_ptr<sim::Device> gpu;
    if (options.measure.device == "cuda") {
        auto chosen = choose_device(options.measure);
        if (!chosen) return chosen.error();
        gpu = std::move(chosen->device);
    }
    request.gpu = gpu.get();
    return compare_platform(request);
}

Result<int> run_validate(const ValidateOptions& options, const std::vector<std::string>& command) {
    if (auto checked = check_outputs(options.measure); !checked) return checked.error();
    if (options.claims && options.measure.html.is_asked())
        return Error{ErrorKind::bad_input, "claims are a table: there is no page of them", "--claims",
                     "leave out --html and --svg"};
    if (options.claims)
        return run_claims({options.measure,
                           options.quick  ? claims::Extent::quick
                           : options.full ? claims::Extent::full
                                          : claims::Extent::usual,
                           options.only},
                          command);
    if (options.full)
        return Error{ErrorKind::bad_input, "--full is about claims, but none are asked for", {}, "add --claims"};
    if (!options.only.empty())
        return Error{ErrorKind::bad_input, "--claim chooses among claims, but none are asked for", {}, "add --claims"};
    if (options.measure.device == "cuda" && options.platforms.size() > 1)
        return Error{ErrorKind::bad_input, "the GPU of this machine is one platform, but there are several",
                     "--device cuda", "give only the --platform that models it"};
    if (options.repetitions && options.measure.device != "cuda")
        return Error{ErrorKind::bad_input, "a simulated run takes the same cycles each time", "--repeat",
                     "leave it out, or measure with --device cuda"};
    const auto instances = given_instances(options);
    if (!instances) return instances.error();
    if (auto checked = check_instances(options, *instances); !checked) return checked.error();
    ValidateReport report;
    report.command = recorded_command(command);
    bool failed = false;
    for (const std::string& platform : options.platforms) {
        auto outcome = compare(options, *instances, platform);
        if (!outcome) return outcome.error();
        failed = failed || outcome->failed;
        report.platforms.push_back(std::move(outcome->comparison));
    }
    const auto text = [&] { return options.measure.csv ? to_csv(report) : to_table(report); };
    const auto drawn = deliver_html_of(report, options.measure.html);
    if (auto delivered = deliver([&] { return to_json(report); }, text, options.measure); !delivered)
        return delivered.error();
    if (!drawn) return drawn.error();
    return failed ? 1 : 0;
}

/// Options that say which runs are compared; the claims have runs of their own.
std::vector<CLI::Option*> add_choice(CLI::App& command, ValidateOptions& options) {
    CLI::Option* n = command.add_option("--n", options.choice.n, "sizes, in place of the recorded ones");
    n->transform(whole_number(1));
    CLI::Option* sizes =
        command.add_option("--sizes", options.sizes, "which recorded sizes of each variant: smallest, medium or all")
            ->check(one_of({"smallest", "medium", "all"}))
            ->capture_default_str();
    sizes->excludes(n);
    CLI::Option* repeat =
        command
            .add_option("--repeat", options.repetitions,
                        "with --device cuda: measurements of each run, of which the median counts; 3 if not given")
            ->transform(whole_number(1, 1000));
    CLI::Option* device =
        command
            .add_option(
                "--device", options.measure.device,
                "simulated: beside what was recorded of the hardware; cuda: measure the GPU of this machine now, which "
                "--platform describes")
            ->check(one_of({"simulated", "cuda"}))
            ->capture_default_str();
    return {
        command.add_option("workload", options.choice.workloads,
                           "names that `sassafras list` shows; all but micro if not given, as instances come from it"),
        command.add_option("--variant", options.choice.variants, "only these variants"),
        n,
        sizes,
        command.add_flag("--theses", options.choice.theses_only,
                         "only the theses' algorithms: GEMM, six searches, three sorts, three merges"),
        command.add_option("--platform", options.platforms, "modelled GPUs, or JSON files")->capture_default_str(),
        add_setting_option(command, options.measure.settings),
        command
            .add_option("--instance", options.instances,
                        "the machine as SPT knows it, a name or a JSON file; the platform's own if not given. May be "
                        "given again: each for the platform of its name")
            ->allow_extra_args(false),
        repeat,
        device};
}

}  // namespace

void add_validate(CLI::App& app, Program& program) {
    auto options = std::make_shared<ValidateOptions>();
    options->measure.console = program.console;
    CLI::App* command = app.add_subcommand(
        "validate", "Set estimates, simulation and hardware side by side; or check what the sources claim");
    const std::vector<CLI::Option*> choice = add_choice(*command, *options);
    CLI::Option* quick =
        command->add_flag("--quick", options->quick, "the smallest sizes only, or of the claims the quick ones");
    quick->excludes(command->get_option("--sizes"))->excludes(command->get_option("--n"));
    CLI::Option* claims =
        command->add_flag("--claims", options->claims,
                          "the quantitative claims of the sources instead: what they say, what we get, a verdict");
    for (CLI::Option* option : choice) claims->excludes(option);
    command->add_flag("--full", options->full, "with --claims: also what takes minutes and gigabytes")->excludes(quick);
    command->add_option("--claim", options->only, "with --claims: only the claim of this id; may be given again");
    command
        ->add_option("--json", options->measure.json,
                     "write the result as JSON to this file; - is standard output, in place of the table")
        ->check(CLI::Validator(
            [](const std::string& file) { return file.empty() ? std::string("give a file, or -") : std::string(); },
            ""));
    command->add_flag("--csv", options->measure.csv, "print CSV instead of a table");
    add_html_options(*command, options->measure.html);
    command
        ->add_option("--threads", options->measure.threads, "threads that simulate; the result does not depend on it")
        ->transform(whole_number(1, 1024))
        ->capture_default_str();
    command->callback([options, &program] {
        drop_repeated(options->platforms);
        program.chosen = [options, &program] { return run_validate(*options, program.arguments); };
    });
}

}  // namespace sassafras::cli
