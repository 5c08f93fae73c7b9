// `sassafras worst-case` and `best-case`: constructs, or searches for, the input of a workload that costs most or
// least.
#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "cli/commands/commands.hpp"
#include "cli/commands/permutation_case.hpp"
#include "cli/options/given_options.hpp"
#include "cli/options/input_search_options.hpp"
#include "cli/options/interruptible.hpp"
#include "cli/options/kernel_options.hpp"
#include "cli/options/option_values.hpp"
#include "cli/options/options.hpp"
#include "cli/options/workload_options.hpp"
#include "cli/reports/case_report.hpp"
#include "core/array_file/array_writer.hpp"
#include "core/number_text.hpp"
#include "core/staged_file.hpp"
#include "core/whole_file.hpp"
#include "study/adversary/climb_start.hpp"
#include "study/adversary/construction.hpp"
#include "study/adversary/kernel_search.hpp"
#include "study/kernel/kernel_file.hpp"

namespace sassafras::cli {

namespace {

using study::adversary::Construction;
using study::adversary::Goal;
using study::adversary::SearchPlan;
using study::adversary::SearchSubject;

/// Of `launch`.
struct KernelSearchOptions {
    study::adversary::KernelSearchPlan plan;
    MeasureOptions measure;
    SearchPlan search;
    std::string output;
    std::vector<std::string> command;  ///< recorded
};

struct CaseOptions {
    Goal goal = Goal::worst;
    WorkloadOptions workload;
    MeasureOptions measure;
    SearchPlan search;
    std::string output;
    std::uint32_t w = 32;
    std::vector<std::string> command;  ///< recorded
    KernelSearchOptions kernel;
    PermutationOptions permutation;  ///< of `permutation`
};

/// Makes the numbers a piece at a time, so that few are in memory.
Result<void> write_numbers(const Construction& built, const std::string& path, const Console& console) {
    auto writer = ArrayWriter::create(path, ElementType::u32, built.count);
    if (!writer) return writer.error();
    constexpr std::uint64_t wanted = 1U << 20U;
    const std::uint64_t at_a_time = std::max<std::uint64_t>(1, wanted / built.piece) * built.piece;
    std::vector<std::uint32_t> numbers(std::min(at_a_time, built.count));
    for (std::uint64_t begin = 0; begin < built.count; begin += at_a_time) {
        const auto piece = std::span(numbers).first(std::min(at_a_time, built.count - begin));
        console.poll_if_asked();
        built.make(begin, piece);
        if (auto written = writer->append(piece); !written) return written;
    }
    return writer->finish();
}

/// How to run what was built; empty if nothing of its shape is compiled.
std::string run_command(const std::string& workload, const Construction& built, const std::string& path) {
    if (built.variant.empty()) return {};
    std::string text = fmt::format("sassafras run {} --variant {}", workload, built.variant);
    for (const auto& [name, value] : built.parameters) text += fmt::format(" --{} {}", name, value);
    if (built.seed != 1) text += fmt::format(" --seed {}", built.seed);
    return text + " --input " + path;
}

CaseReport report_of(const std::vector<std::string>& command, Goal goal, const std::string& subject,
                     const std::string& output) {
    CaseReport report;
    report.command = command;
    report.goal = goal;
    report.subject = subject;
    report.output = output;
    return report;
}

Result<int> construct_and_write(const CaseOptions& options, const workloads::WorkloadRequest& request) {
    const GivenOptions& given = options.measure.given;
    if (auto checked = check_no_search(given); !checked) return checked.error();
    if (request.name != "search")
        if (auto checked = given.refuse({"--seed"}, "this construction draws nothing at random"); !checked)
            return checked.error();
    auto built = study::adversary::construct(request, options.goal, options.w);
    if (!built) return built.error();
    if (!options.output.empty())
        if (auto written = write_numbers(*built, options.output, *options.measure.console); !written)
            return written.error();
    CaseReport report = report_of(options.command, options.goal, request.name, options.output);
    report.run_with = run_command(request.name, *built, options.output);
    report.count = built->count;
    report.construction = std::move(*built);
    return deliver_case(report, options.measure);
}

/// How to run what a search found.
std::string run_command(const workloads::WorkloadRequest& request, const std::string& path, ElementType type) {
    std::string text = "sassafras run " + request.name;
    if (!request.variant.empty()) text += " --variant " + request.variant;
    if (request.n) text += fmt::format(" --n {}", *request.n);
    for (const auto& [name, value] : request.parameters) text += fmt::format(" --{} {}", name, value);
    if (request.seed != 1) text += fmt::format(" --seed {}", request.seed);
    text += " --input " + path;
    if (!path.ends_with(".npy") && type != ElementType::u32)
        text += fmt::format(" --input-type {}", names_of(type).name);
    return text;
}

Result<int> search_workload(const CaseOptions& options, const workloads::WorkloadRequest& request) {
    if (auto checked = options.measure.given.refuse({"--w"}, "it is of a construction, and this is a search"); !checked)
        return checked.error();
    auto start = study::adversary::begin_climb(request, options.goal, options.search.values);
    if (!start) return start.error();
    auto chosen = choose_device(options.measure);
    if (!chosen) return chosen.error();
    SearchSubject subject;
    const workloads::WorkloadRequest& run = start->request;
    subject.what = run.name;
    if (!run.variant.empty()) subject.what += " " + run.variant;
    if (run.n) subject.what += fmt::format(" --n {}", *run.n);
    for (const auto& [name, value] : run.parameters) subject.what += fmt::format(" --{} {}", name, value);
    subject.start = std::move(start->numbers);
    subject.type = start->type;
    subject.rules = start->rules;
    if (request.keys || request.wide_keys) subject.files.push_back(options.workload.input);
    subject.run = [&](sim::Device& device, const study::adversary::Numbers& numbers) -> Result<void> {
        const auto done = workloads::run_workload(device, start->request_of(numbers));
        if (!done) return done.error();
        if (!done->verified) return workloads::wrong_result(*done);
        return {};
    };
    subject.run_with = [&](const std::string& file) { return run_command(run, file, start->type); };
    CaseReport report = report_of(options.command, options.goal, run.name, options.output);
    return run_search(subject, std::move(*chosen), options.measure, options.search, std::move(report));
}

Result<int> make_case(const CaseOptions& options) {
    auto request = workload_request(options.workload, options.measure);
    if (!request) return request.error();
    if (auto checked = check_outputs(options.measure); !checked) return checked.error();
    const auto reserved = reserve_case_file(options.output);
    if (!reserved) return reserved.error();
    return options.search.metric.empty() ? construct_and_write(options, *request) : search_workload(options, *request);
}

/// The numbers are the result, or what they cost is.
void require_a_result(const std::string& output, const MeasureOptions& measure) {
    if (output.empty() && measure.json.empty()) throw CLI::RequiredError("--output or --json");
}

/// Options of the kernel and --vary; those of the search are added beside them.
void add_kernel_search_options(CLI::App& command, KernelSearchOptions& options) {
    add_kernel_options(command, options.plan.kernel);
    command
        .add_option(
            "--vary", options.plan.vary,
            "ARGUMENT[:TYPE]: search over the numbers of this buffer, counted among the arguments from 0; u4, i4, "
            "f4, u8, i8 or f8, if not given that of the buffer's .npy file, else u4")
        ->required();
    command
        .add_option("-o,--output", options.output,
                    "file for the numbers found (required without --json): NumPy's if it is called .npy, else raw, "
                    "little-endian")
        ->check(output_file());
    command.add_option("--seed", options.measure.seed, "of the search, and of buffers' random bytes")
        ->transform(whole_number())
        ->capture_default_str();
}

Result<int> search_kernel(const KernelSearchOptions& options) {
    if (auto checked = check_outputs(options.measure); !checked) return checked.error();
    const auto reserved = reserve_case_file(options.output);
    if (!reserved) return reserved.error();
    study::adversary::KernelSearchPlan plan = options.plan;
    plan.seed = options.measure.seed;
    plan.values = options.search.values;
    auto file = read_whole_file(plan.kernel.cubin, most_code_bytes);
    if (!file) return file.error();
    auto chosen = choose_device(options.measure);
    if (!chosen) return chosen.error();
    const auto found = study::find_kernel(std::move(*file), plan.kernel.cubin, plan.kernel.kernel,
                                          chosen->device->compute_capability());
    if (!found) return found.error();
    plan.kernel.kernel = found->name;
    const auto subject = study::adversary::kernel_subject(*chosen->device, plan, found->cubin);
    if (!subject) return subject.error();
    CaseReport report = report_of(options.command, plan.goal, plan.kernel.kernel, options.output);
    return run_search(*subject, std::move(*chosen), options.measure, options.search, std::move(report));
}

void add_kernel_case(CLI::App& parent, Program& program, const std::shared_ptr<CaseOptions>& options) {
    CLI::App* command =
        parent.add_subcommand("launch", "Search over what a buffer of a kernel of yours holds, for a metric");
    command->allow_extras(false);
    KernelSearchOptions& kernel = options->kernel;
    kernel.plan.goal = options->goal;
    kernel.measure.device = "functional";
    add_kernel_search_options(*command, kernel);
    add_input_search_options(*command, kernel.search, kernel.measure);
    add_json_option(*command, kernel.measure);
    command->get_option("--metric")->required();
    command->callback([options, command, &program] {
        options->kernel.measure.given = given_options(*command);
        options->kernel.command = recorded_command(program.arguments);
        require_a_result(options->kernel.output, options->kernel.measure);
        program.chosen = [options] {
            const Interruptible interruptible(options->kernel.measure);
            return search_kernel(options->kernel);
        };
    });
}

void add_permutation_case(CLI::App& parent, Program& program, const std::shared_ptr<CaseOptions>& options) {
    CLI::App* command = parent.add_subcommand(
        "permutation", "Schedule moves of words of shared memory along a permutation, without conflicts");
    command->allow_extras(false);
    add_permutation_options(*command, options->permutation);
    command->callback([options, &program] {
        program.chosen = [options, &program] { return schedule_case(options->permutation, *program.console); };
    });
}

void add_case(CLI::App& app, Program& program, Goal goal, const char* name, const char* description) {
    auto options = std::make_shared<CaseOptions>();
    options->measure.console = program.console;
    options->kernel.measure.console = program.console;
    options->goal = goal;
    options->measure.device = "functional";
    CLI::App* command = app.add_subcommand(name, description);
    // Neither a workload nor -o is required as far as CLI11 knows: `launch` and `permutation` have options of their
    // own.
    add_workload_options(*command, options->workload);
    command->get_option("workload")->required(false);
    command
        ->add_option("-o,--output", options->output,
                     "file for the input's numbers (required without --json): NumPy's if it is called .npy, else raw, "
                     "little-endian")
        ->check(output_file());
    command
        ->add_option("--w", options->w,
                     "lanes of a warp and banks of the machine that a mergesort's input is built for")
        ->transform(whole_number(4, 32))
        ->capture_default_str();
    command->add_option("--seed", options->measure.seed, "for what is drawn at random")
        ->transform(whole_number())
        ->capture_default_str();
    add_input_search_options(*command, options->search, options->measure);
    add_json_option(*command, options->measure);
    add_kernel_case(*command, program, options);
    if (goal == Goal::best) add_permutation_case(*command, program, options);
    command->callback([options, command, &program] {
        options->measure.given = given_options(*command);
        take_parameters(*command, options->workload);
        if (const auto special = command->get_subcommands(); !special.empty()) {
            const std::string chosen = special.front()->get_name();
            if (!options->measure.given.names.empty() || !options->workload.parameters.empty())
                throw CLI::ValidationError(fmt::format("give the options of {} behind that word", chosen));
            return;
        }
        if (options->workload.workload.empty()) throw CLI::RequiredError("workload");
        require_a_result(options->output, options->measure);
        options->command = recorded_command(program.arguments);
        program.chosen = [options] {
            const Interruptible interruptible(options->measure);
            return make_case(*options);
        };
    });
}

}  // namespace

void add_worst_case(CLI::App& app, Program& program) {
    add_case(app, program, Goal::worst, "worst-case",
             "Make an input that costs a workload most, by construction or by search");
}

void add_best_case(CLI::App& app, Program& program) {
    add_case(app, program, Goal::best, "best-case",
             "Make an input that costs a workload least, by construction or by search; or schedule a permutation");
}

}  // namespace sassafras::cli
