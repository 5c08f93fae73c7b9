// `sassafras worst-case` and `best-case`: constructs, or searches for, the input of a workload that costs most or
// least.
#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/input_search.hpp"
#include "cli/option_values.hpp"
#include "cli/options.hpp"
#include "cli/permutation_case.hpp"
#include "cli/workload_options.hpp"
#include "core/number_text.hpp"
#include "workloads/adversary/construction.hpp"
#include "workloads/array_file/array_writer.hpp"

namespace sassafras::cli {

namespace {

using workloads::adversary::Construction;
using workloads::adversary::Goal;

struct CaseOptions {
    Goal goal = Goal::worst;
    WorkloadOptions workload;
    MeasureOptions measure;
    InputSearchOptions search;
    std::string output;
    std::uint32_t w = 32;
};

/// Makes the numbers a piece at a time, so that few are in memory.
Result<void> write_numbers(const Construction& built, const std::string& path) {
    auto writer = workloads::ArrayWriter::create(path, workloads::ElementType::u32, built.count);
    if (!writer) return writer.error();
    constexpr std::uint64_t wanted = 1U << 20U;
    const std::uint64_t at_a_time = std::max<std::uint64_t>(1, wanted / built.piece) * built.piece;
    std::vector<std::uint32_t> numbers(std::min(at_a_time, built.count));
    for (std::uint64_t begin = 0; begin < built.count; begin += at_a_time) {
        const auto piece = std::span(numbers).first(std::min(at_a_time, built.count - begin));
        built.make(begin, piece);
        if (auto written = writer->append(piece); !written) return written;
    }
    return writer->finish();
}

std::string a_request(std::uint64_t accesses, std::uint64_t requests) {
    return requests == 0 ? "-" : fmt::format("{:.3f}", static_cast<double>(accesses) / static_cast<double>(requests));
}

std::string table_of(const Construction& built, Goal goal) {
    std::string text = built.what + "\n";
    if (built.parts.empty()) return text + "(no reads of shared memory are predicted)\n";
    const bool worst = goal == Goal::worst;
    const auto row = [&text](const auto&... cells) {
        text += fmt::format("  {:<38} {:>13} {:>15} {:>11} {:>11}\n", cells...);
    };
    row("", "requests", worst ? "accesses >=" : "accesses <=", "a request", worst ? "at most" : "at least");
    workloads::adversary::PartCost total{"all", 0, 0, 0};
    for (const auto& part : built.parts) {
        row(part.part, grouped(part.requests), grouped(part.accesses), a_request(part.accesses, part.requests),
            a_request(part.bound, part.requests));
        total.requests += part.requests;
        total.accesses += part.accesses;
        total.bound += part.bound;
    }
    row(total.part, grouped(total.requests), grouped(total.accesses), a_request(total.accesses, total.requests),
        a_request(total.bound, total.requests));
    return text;
}

/// How to run what was built.
std::string run_command(const std::string& workload, const Construction& built, const std::string& path) {
    if (built.variant.empty()) return "no variant of this shape is compiled to run it with";
    std::string text = fmt::format("run it with\n  sassafras run {} --variant {}", workload, built.variant);
    for (const auto& [name, value] : built.parameters) text += fmt::format(" --{} {}", name, value);
    if (built.seed != 1) text += fmt::format(" --seed {}", built.seed);
    return text + " --input " + path;
}

Result<int> construct_and_write(const CaseOptions& options, const workloads::WorkloadRequest& request) {
    auto built = workloads::adversary::construct(request, options.goal, options.w);
    if (!built) return built.error();
    if (auto written = write_numbers(*built, options.output); !written) return written.error();
    fmt::print("{}wrote {}\n{}\n", table_of(*built, options.goal), options.output,
               run_command(request.name, *built, options.output));
    return 0;
}

Result<int> make_case(const CaseOptions& options) {
    if (options.goal == Goal::best && options.workload.workload == "permutation")
        return schedule_case(options.workload, options.output);
    auto request = workload_request(options.workload, options.measure.seed);
    if (!request) return request.error();
    if (options.search.metric.empty()) {
        if (auto checked = check_no_search(options.search); !checked) return checked.error();
        return construct_and_write(options, *request);
    }
    return search_input(options.goal, *request, options.measure, options.search, options.output);
}

void add_case(CLI::App& app, Program& program, Goal goal, const char* name, const char* description) {
    auto options = std::make_shared<CaseOptions>();
    options->goal = goal;
    options->measure.device = "functional";
    CLI::App* command = app.add_subcommand(name, description);
    add_workload_options(*command, options->workload);
    command
        ->add_option("-o,--output", options->output,
                     "file for the input's 32-bit numbers: NumPy's if it is called .npy, else raw, little-endian")
        ->required();
    command
        ->add_option("--w", options->w,
                     "lanes of a warp and banks of the machine that a mergesort's input is built for")
        ->transform(whole_number(4, 32))
        ->capture_default_str();
    command->add_option("--seed", options->measure.seed, "for what is drawn at random")
        ->transform(whole_number())
        ->capture_default_str();
    add_input_search_options(*command, options->search, options->measure);
    command->callback([options, command, &program] {
        take_parameters(*command, options->workload);
        program.chosen = [options] { return make_case(*options); };
    });
}

}  // namespace

void add_worst_case(CLI::App& app, Program& program) {
    add_case(app, program, Goal::worst, "worst-case",
             "Make an input that costs a workload most, by construction or by search");
}

void add_best_case(CLI::App& app, Program& program) {
    add_case(
        app, program, Goal::best, "best-case",
        "Make an input that costs a workload least, by construction or by search; best-case permutation schedules one");
}

}  // namespace sassafras::cli
