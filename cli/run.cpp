#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <utility>

#include "cli/commands.hpp"
#include "cli/option_values.hpp"
#include "cli/options.hpp"
#include "cli/usage.hpp"
#include "core/spelling.hpp"
#include "workloads/workload.hpp"

namespace sassafras::cli {

namespace {

struct RunOptions {
    MeasureOptions measure;
    std::string workload;
    std::string variant;
    std::optional<std::uint64_t> n;
    std::string input;
    std::uint32_t repeat = 1;
    std::vector<std::string> parameters;  ///< as given: --E 15 --b=128
    std::vector<std::string> known;       ///< this command's own options
};

/// Error bad_input unless `option` names a parameter of the workload.
Result<void> check_parameter(const std::string& option, const workloads::WorkloadInfo& info,
                             std::vector<std::string> own_options) {
    std::vector<std::string> parameters;
    for (const auto& parameter : info.parameters) parameters.push_back("--" + parameter.name);
    if (std::find(parameters.begin(), parameters.end(), option) != parameters.end()) return {};
    std::vector<std::string> all = std::move(own_options);
    all.insert(all.end(), parameters.begin(), parameters.end());
    const auto meant = suggest(option, all);
    return Error{
        ErrorKind::bad_input,
        "there is no option " + option,
        {},
        (meant ? "did you mean " + meant->name + "? " : std::string()) +
            (parameters.empty() ? info.name + " has no parameters"
                                : fmt::format("the parameters of {} are {}", info.name, fmt::join(parameters, ", "))) +
            "; see sassafras run --help for other options"};
}

Result<std::map<std::string, std::int64_t>> parse_parameters(const RunOptions& options,
                                                             const workloads::WorkloadInfo& info) {
    const std::vector<std::string>& words = options.parameters;
    std::map<std::string, std::int64_t> parameters;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (!word.starts_with("--") || word.size() == 2)
            return Error{ErrorKind::bad_input, "unexpected argument", word,
                         "see sassafras run --help, and sassafras list for the workload's parameters"};
        std::string name = word.substr(2);
        std::string value;
        if (const std::size_t equals = name.find('='); equals != std::string::npos) {
            value = name.substr(equals + 1);
            name.resize(equals);
        } else if (i + 1 < words.size()) {
            value = words[++i];
        }
        if (auto checked = check_parameter("--" + name, info, options.known); !checked) return checked.error();
        std::int64_t number = 0;
        const auto [end, code] = std::from_chars(value.data(), value.data() + value.size(), number);
        if (value.empty() || code != std::errc() || end != value.data() + value.size())
            return Error{ErrorKind::bad_input, "parameter --" + name + " needs a whole number",
                         value.empty() ? "--" + name : "--" + name + " " + value,
                         "sassafras list shows the workload's parameters and their ranges"};
        if (!parameters.emplace(name, number).second)
            return Error{ErrorKind::bad_input, "parameter --" + name + " is given twice", {}, {}};
    }
    return parameters;
}

/// A file of little-endian 32-bit keys. Nothing if `input` is no file's name: then it names a kind of input.
Result<std::optional<std::vector<std::uint32_t>>> read_keys(const std::string& input) {
    if (input.empty()) return std::optional<std::vector<std::uint32_t>>();
    std::error_code ignored;
    const bool looks_like_file =
        input.find('/') != std::string::npos || std::filesystem::is_regular_file(input, ignored);
    if (!looks_like_file) return std::optional<std::vector<std::uint32_t>>();
    auto bytes = read_file(input);
    if (!bytes) return bytes.error();
    if (bytes->size() % sizeof(std::uint32_t) != 0)
        return Error{ErrorKind::bad_input,
                     "the file of keys has " + std::to_string(bytes->size()) + " bytes, no multiple of 4", input,
                     "write the keys as little-endian 32-bit words"};
    std::vector<std::uint32_t> keys(bytes->size() / sizeof(std::uint32_t));
    if (!keys.empty()) std::memcpy(keys.data(), bytes->data(), bytes->size());
    return std::optional<std::vector<std::uint32_t>>(std::move(keys));
}

Result<int> run(const RunOptions& options, const std::vector<std::string>& command) {
    workloads::WorkloadRequest request;
    const auto info = workloads::find(options.workload);
    if (!info) return info.error();
    auto parameters = parse_parameters(options, *info);
    if (!parameters) return parameters.error();
    auto keys = read_keys(options.input);
    if (!keys) return keys.error();
    request.name = options.workload;
    request.variant = options.variant;
    request.n = options.n;
    request.seed = options.measure.seed;
    request.parameters = std::move(*parameters);
    request.keys = std::move(*keys);
    if (!request.keys) request.input = options.input;
    auto chosen = choose_device(options.measure);
    if (!chosen) return chosen.error();

    const auto begin = std::chrono::steady_clock::now();
    auto done = workloads::run_workload(*chosen->device, request);
    if (!done) return done.error();
    for (std::uint32_t repetition = 1; repetition < options.repeat && done->verified; ++repetition) {
        done = workloads::run_workload(*chosen->device, request);
        if (!done) return done.error();
    }
    Report report;
    report.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    report.command = recorded_command(command);
    report.device = chosen->device->name();
    report.platform = std::move(chosen->platform);
    auto named = nlohmann::ordered_json::object();
    for (const auto& [name, value] : done->parameters) named[name] = value;
    report.workload = {{"name", done->name},   {"variant", done->variant}, {"n", done->n},
                       {"input", done->input}, {"seed", done->seed},       {"parameters", std::move(named)}};
    report.verified = done->verified;
    take_results(*chosen->device, report);
    if (auto delivered = deliver(report, options.measure); !delivered) return delivered.error();
    if (done->verified) return 0;
    return Error{ErrorKind::check_failed, "the result differs from the CPU reference",
                 done->name + ": " + done->mismatch,
                 "on a GPU that is modelled this is a defect of the simulator: please report it with the command line"};
}

}  // namespace

void add_run(CLI::App& app, Program& program) {
    auto options = std::make_shared<RunOptions>();
    CLI::App* command =
        app.add_subcommand("run", "Run a workload on a device and check its result against a CPU reference");
    command->add_option("workload", options->workload, "a name that `sassafras list` shows")->required();
    command->add_option("--variant", options->variant, "one of the workload's compiled forms");
    command->add_option("--n", options->n, "the size that matters most: keys, matrix order")->transform(whole_number());
    command->add_option(
        "--input", options->input,
        "kind of input, or a file of little-endian 32-bit keys (any name with a slash, or of an existing file)");
    command
        ->add_option("--repeat", options->repeat,
                     "runs of the whole workload, one after the other; the report lists every launch")
        ->transform(whole_number(1, 1'000'000))
        ->capture_default_str();
    add_measure_options(*command, options->measure);
    command->allow_extras();
    command->footer(
        "Any other option sets a parameter of the workload by its name: --E 15 --b 128. `sassafras list` shows them.");
    command->callback([options, command, &program] {
        options->parameters = command->remaining();
        options->known = option_names(*command);
        program.chosen = [options, &program] { return run(*options, program.arguments); };
    });
}

}  // namespace sassafras::cli
