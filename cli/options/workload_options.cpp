#include "cli/options/workload_options.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <map>
#include <utility>

#include "cli/options/option_values.hpp"
#include "cli/options/options.hpp"
#include "cli/options/usage.hpp"
#include "core/array_file/array_file.hpp"
#include "core/array_file/element_order.hpp"
#include "core/spelling.hpp"
#include "workloads/selection.hpp"

namespace sassafras::cli {

namespace {

/// Of workloads that take numbers of either width (WorkloadInfo::own_wide): 32 or 64.
constexpr const char* width_parameter = "key_bits";

/// Error bad_input unless `option` names a parameter of the workload.
Result<void> check_parameter(const std::string& option, const workloads::WorkloadInfo& info,
                             const WorkloadOptions& options) {
    std::vector<std::string> parameters;
    for (const auto& parameter : info.parameters) parameters.push_back("--" + parameter.name);
    if (std::find(parameters.begin(), parameters.end(), option) != parameters.end()) return {};
    std::vector<std::string> all = options.known;
    all.insert(all.end(), parameters.begin(), parameters.end());
    const auto meant = suggest(option, all);
    return Error{
        ErrorKind::bad_input,
        "there is no option " + option,
        {},
        (meant ? "did you mean " + meant->name + "? " : std::string()) +
            (parameters.empty() ? info.name + " has no parameters"
                                : fmt::format("the parameters of {} are {}", info.name, fmt::join(parameters, ", "))) +
            "; see sassafras " + options.command + " --help for other options"};
}

Result<std::map<std::string, std::int64_t>> parse_parameters(const WorkloadOptions& options,
                                                             const workloads::WorkloadInfo& info) {
    const std::vector<std::string>& words = options.parameters;
    std::map<std::string, std::int64_t> parameters;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (!word.starts_with("--") || word.size() == 2)
            return Error{
                ErrorKind::bad_input, "unexpected argument", word,
                "see sassafras " + options.command + " --help, and sassafras list for the workload's parameters"};
        std::string name = word.substr(2);
        std::string value;
        if (const std::size_t equals = name.find('='); equals != std::string::npos) {
            value = name.substr(equals + 1);
            name.resize(equals);
        } else if (i + 1 < words.size()) {
            value = words[++i];
        }
        if (auto checked = check_parameter("--" + name, info, options); !checked) return checked.error();
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

/// Takes the user's own numbers into the request if `input` is no kind of the workload's and there may be such a file.
Result<void> take_numbers(const WorkloadOptions& options, const workloads::WorkloadInfo& info,
                          workloads::WorkloadRequest& request) {
    const std::string& input = options.input;
    std::error_code ignored;
    const bool is_kind = input.empty() || std::find(info.inputs.begin(), info.inputs.end(), input) != info.inputs.end();
    const bool may_be_file = input.find('/') != std::string::npos || std::filesystem::exists(input, ignored);
    if (is_kind || !may_be_file) {
        if (!options.input_type.empty())
            return Error{ErrorKind::bad_input, "--input-type is given, but --input names no file", input,
                         "leave it out, or name a file"};
        request.input = input;  // which is checked with the workload's other choices
        return {};
    }
    if (auto checked = workloads::check_own_input(info); !checked) return checked.error();
    const bool floats = info.own_numbers == workloads::OwnNumbers::floats;
    if (std::filesystem::is_regular_file(input, ignored) && std::filesystem::file_size(input, ignored) == 0)
        return Error{ErrorKind::bad_input, "the file is empty", input,
                     "write numbers into it; a .npy file of shape (0,) says that there are none"};
    ArrayExpectation expected;
    for (const ElementTypeNames& known : element_types)
        if (known.name == options.input_type) expected.type = known.type;
    if (floats) expected.raw = ElementType::f32;
    expected.greatest_count = info.greatest_own == 0 ? info.greatest_n : info.greatest_own;
    auto array = read_array(input, expected);
    if (!array) return array.error();
    if (info.own_numbers != workloads::OwnNumbers::keys && is_float(array->type) != floats)
        return Error{
            ErrorKind::bad_input,
            fmt::format("the file holds {}, and {} takes {}", names_of(array->type).name, info.name, info.own_input),
            input, floats ? "save it with array.astype('<f4')" : "save it with array.astype('<u4')"};
    // Of 64 bits only if it is asked for, or if some number needs them and nothing is asked for.
    const auto width = request.parameters.find(width_parameter);
    const bool width_given = width != request.parameters.end();
    if (!info.own_wide || !width_given || width->second != 64)
        if (auto narrowed = narrow_to_32_bits(*array, input); !narrowed && (!info.own_wide || width_given))
            return narrowed.error();
    if (info.own_numbers == workloads::OwnNumbers::keys) map_to_unsigned(*array);
    if (bytes_of(array->type) == sizeof(std::uint64_t))
        request.wide_keys = std::move(array->wide);
    else
        request.keys = std::move(array->narrow);
    return {};
}

/// A line on the terminal that says which shape is tried; empty where standard error is no terminal.
std::function<void(const workloads::TuneProgress&)> tuning_on_terminal(const Console& console) {
    if (!console.shows_progress || isatty(STDERR_FILENO) != 1) return {};
    return [](const workloads::TuneProgress& progress) {
        std::fprintf(stderr, "\r\033[K%s", tuning_text(progress).c_str());
        std::fflush(stderr);
    };
}

}  // namespace

std::string tuning_text(const workloads::TuneProgress& progress) {
    if (progress.trying.empty()) return {};
    std::string text = fmt::format("shape {} of {}: {}", progress.tried + 1, progress.all, progress.trying);
    if (!progress.best.empty()) text += "; best " + progress.best;
    return text;
}

Result<workloads::WorkloadRequest> workload_request(const WorkloadOptions& options, const MeasureOptions& measure) {
    workloads::WorkloadRequest request;
    const auto info = workloads::find(options.workload);
    if (!info) return info.error();
    auto parameters = parse_parameters(options, *info);
    if (!parameters) return parameters.error();
    request.name = options.workload;
    request.variant = options.variant;
    request.n = options.n;
    request.seed = measure.seed;
    request.parameters = std::move(*parameters);
    request.tuning = measure.console->poll ? [poll = measure.console->poll](const workloads::TuneProgress&) { poll(); }
                                           : tuning_on_terminal(*measure.console);
    request.poll = measure.console->poll;
    if (auto taken = take_numbers(options, *info, request); !taken) return taken.error();
    return request;
}

Result<void> check_workload(const WorkloadOptions& options) {
    if (options.workload.empty()) return {};
    const auto info = workloads::find(options.workload);
    if (!info) return info.error();
    const auto parameters = parse_parameters(options, *info);
    return parameters ? Result<void>() : parameters.error();
}

nlohmann::ordered_json describe_workload(const workloads::WorkloadRun& run) {
    auto named = nlohmann::ordered_json::object();
    for (const auto& [name, value] : run.parameters) named[name] = value;
    return {{"name", run.name},   {"variant", run.variant}, {"n", run.n},
            {"input", run.input}, {"seed", run.seed},       {"parameters", std::move(named)}};
}

void add_workload_options(CLI::App& command, WorkloadOptions& options) {
    add_workload_choice(command, options);
    command.add_option("--n", options.n, "the size that matters most: keys, matrix order")->transform(whole_number());
}

void add_workload_choice(CLI::App& command, WorkloadOptions& options) {
    command.add_option("workload", options.workload, "a name that `sassafras list` shows")->required();
    command.add_option("--variant", options.variant, "one of the workload's compiled forms")
        ->check(not_empty("a variant that `sassafras list` shows"));
    command
        .add_option(
            "--input", options.input,
            "kind of input; else a file of numbers, NumPy's .npy or raw, of 32 or 64 bits (kinds are looked up first)")
        ->check(not_empty("a kind of input, or a file"));
    std::vector<std::string> types;
    for (const ElementTypeNames& known : element_types) types.emplace_back(known.name);
    command
        .add_option("--input-type", options.input_type,
                    "numbers of a raw file; u4 if not given, f4 where floats are taken. As keys, i and f are mapped to "
                    "u in the same order")
        ->transform(one_of(types));
    command.allow_extras();
    command.footer(
        "Any other option sets a parameter of the workload by its name: --E 15 --b 128. `sassafras list` shows them.");
}

void take_parameters(const CLI::App& command, WorkloadOptions& options) {
    options.parameters = command.remaining();
    options.command = command_path(command);
    options.known = option_names(command);
}

}  // namespace sassafras::cli
