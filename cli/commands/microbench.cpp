#include <fmt/format.h>

#include <memory>
#include <utility>

#include "cli/commands/commands.hpp"
#include "cli/commands/microbench_spt.hpp"
#include "cli/options/option_values.hpp"
#include "cli/options/options.hpp"
#include "cli/reports/microbench_report.hpp"

namespace sassafras::cli {

namespace {

struct MicrobenchOptions {
    MeasureOptions measure;
    std::string filter;
    SptOptions spt;
};

Result<int> microbench(const MicrobenchOptions& options, const std::vector<std::string>& command) {
    if (options.measure.device == "functional" && options.spt.launch_cycles.empty())
        return Error{ErrorKind::bad_input, "the functional device has no time: its microbenchmarks would mean nothing",
                     "--device functional", "use --device simulated, or cuda for the GPU of this machine"};
    if (options.spt.wanted) return microbench_spt(options.spt, options.measure, command);
    auto chosen = choose_device(options.measure);
    if (!chosen) return chosen.error();
    auto rows = workloads::micro::run(*chosen->device, options.filter);
    if (!rows) return rows.error();
    if (rows->empty())
        return Error{ErrorKind::bad_input, "no microbenchmark has this text in its name and parameter",
                     "--filter " + options.filter, "give a part of a row's name, such as \"latency ffma\""};
    const MicrobenchReport report{recorded_command(command), chosen->device->name(), std::move(chosen->platform),
                                  std::move(*rows)};
    const auto text = [&] { return options.measure.csv ? to_csv(report) : to_table(report); };
    if (auto delivered = deliver([&] { return to_json(report); }, text, options.measure); !delivered)
        return delivered.error();
    return 0;
}

}  // namespace

void add_microbench(CLI::App& app, Program& program) {
    auto options = std::make_shared<MicrobenchOptions>();
    options->measure.console = program.console;
    CLI::App* command =
        app.add_subcommand("microbench", "Measure the latencies and rates of a device with small kernels");
    command
        ->add_option("--filter", options->filter,
                     "only rows whose name and parameter contain this text: \"latency ffma\", \"warps=32\"")
        ->check(not_empty("a text"));
    add_device_options(*command, options->measure);
    add_instruction_limit(*command, options->measure);
    CLI::Option* spt = command->add_flag(
        "--spt", options->spt.wanted,
        "the constants L and B of the SPT model and its L_sync instead: curves over M_o and M_I, and their fit; with "
        "--device cuda, --platform names the description of that GPU (its cores, clock and L2)");
    command->get_option("--filter")->excludes(spt);
    command->add_flag("--quick", options->spt.ends_only, "with --spt: only the ends of the curves")->needs(spt);
    command->add_option("--repeat", options->spt.repetitions, "with --spt: measurements of each point of a curve")
        ->transform(whole_number(1, 1000))
        ->capture_default_str()
        ->needs(spt);
    command
        ->add_option("--longer", options->spt.longer,
                     "with --spt: loops so many times as long, for a GPU whose times are known to some hundred cycles")
        ->transform(whole_number(1, 1000))
        ->capture_default_str()
        ->needs(spt);
    command
        ->add_option("--launch-cycles", options->spt.launch_cycles,
                     "with --spt: a CSV file with the columns kernel and sm__cycles_elapsed.max, a row a launch, as "
                     "scripts/spt-launches records with Nsight Compute; these cycles count, not the device's times")
        ->check(CLI::ExistingFile)
        ->needs(spt);
    command
        ->add_option("--instance", options->spt.instance,
                     "with --spt: write the constants as an SPT instance to this file")
        ->check(output_file())
        ->needs(spt);
    command->add_flag("--csv", options->measure.csv, "print CSV instead of a table");
    command->callback([options, command, &program] {
        if (!options->spt.wanted) options->measure.given = given_options(*command);
        program.chosen = [options, &program] { return microbench(*options, program.arguments); };
    });
}

}  // namespace sassafras::cli
