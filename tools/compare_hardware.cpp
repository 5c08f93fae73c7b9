// Runs the recorded workloads on a modelled GPU and sets counts and cycles beside the hardware's.

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/options/options.hpp"
#include "core/staged_file.hpp"
#include "validate/compare/hardware/counts.hpp"
#include "validate/compare/hardware/cycles.hpp"
#include "validate/compare/hardware/launches.hpp"
#include "validate/compare/hardware/metrics.hpp"
#include "validate/compare/hardware/ratchet.hpp"
#include "validate/compare/hardware/text.hpp"
#include "validate/records/measured.hpp"

namespace {

using namespace sassafras;

struct Options {
    std::string measured = "validate/records/h200/measured";
    std::string workload;
    std::string variant;
    std::uint64_t greatest_n = 0;  ///< 0: no limit
    bool counts = false;
    bool cycles = false;
    bool metrics = false;
    bool stalls = false;
    double least_within = 0;  ///< percent of all values
    bool by_launch = false;
    bool csv = false;
    std::size_t shown = 5;
    std::string ratchet = "validate/records/h200/ratchet.csv";
    bool hold = true;  ///< to the ratchet
    bool update = false;
    std::optional<std::string> reason;  ///< for errors that are greater than before
    cli::MeasureOptions measure;
};

struct Totals {
    std::uint64_t instructions = 0;
    std::uint64_t agreeing = 0;
    std::uint64_t launch_count = 0;
    std::uint64_t launches_by_counter = 0;
    std::vector<validate::CycleComparison> launches;
    std::vector<validate::MetricComparison> metrics;
    std::vector<validate::StallShares> stalls;
};

Result<void> compare_run(const Options& options, sim::Device& device, const validate::MeasuredRun& measured,
                         Totals& totals) {
    auto modelled = validate::repeat_run(device, measured);
    // The median of the recorded repetitions is of one that found what the one before had left.
    if (modelled && options.measure.cache_control == "none") modelled = validate::repeat_run(device, measured);
    if (!modelled) return modelled.error();
    if (options.counts) {
        const auto kernels = validate::compare_counts(measured, *modelled);
        if (!kernels) return kernels.error();
        for (const validate::KernelCounts& kernel : *kernels) {
            totals.instructions += kernel.instructions;
            totals.agreeing += kernel.agreeing;
            totals.launch_count += kernel.launches;
            totals.launches_by_counter += kernel.launches_by_counter;
        }
        if (!options.csv) std::cout << validate::counts_table(measured, *kernels, options.shown) << std::flush;
    }
    if (options.cycles) {
        const auto launches = validate::compare_launch_cycles(measured, *modelled);
        if (!launches) return launches.error();
        totals.launches.insert(totals.launches.end(), launches->begin(), launches->end());
    }
    if (options.metrics)
        if (auto added = validate::add_metrics(totals.metrics, measured, *modelled); !added) return added.error();
    if (options.stalls) {
        auto stalls = validate::compare_stalls(measured, *modelled);
        if (!stalls) return stalls.error();
        std::move(stalls->begin(), stalls->end(), std::back_inserter(totals.stalls));
    }
    return {};
}

/// Whether all errors are within their lines; those that are not are printed.
Result<bool> hold_ratchet(const Options& options, std::span<const validate::CycleComparison> kernels,
                          validate::Compared compared) {
    if (!options.hold) return true;
    const auto ratchet = validate::read_ratchet(options.ratchet);
    if (!ratchet) return ratchet.error();
    const auto broken = validate::broken_lines(*ratchet, kernels, compared);
    for (const std::string& line : broken) std::cerr << options.ratchet << ": " << line << '\n';
    if (!options.csv && broken.empty())
        std::cout << kernels.size() << " of " << ratchet->kernels.size() << " lines of " << options.ratchet << " hold"
                  << (compared == validate::Compared::all ? ", the mean's too\n" : "; the mean is of all runs\n");
    return broken.empty();
}

/// Writes the smaller errors, and greater ones with a reason.
Result<bool> update_ratchet(const Options& options, std::span<const validate::CycleComparison> kernels,
                            validate::Compared compared) {
    Result<validate::Ratchet> held = std::filesystem::exists(options.ratchet)
                                         ? validate::read_ratchet(options.ratchet)
                                         : Result<validate::Ratchet>(validate::empty_ratchet());
    if (!held) return held.error();
    const auto updated = validate::updated_ratchet(*held, kernels, compared, options.reason);
    if (!updated) return updated.error();
    if (auto written =
            write_output_file({options.ratchet, "the ratchet", "--ratchet"}, validate::ratchet_text(*updated));
        !written)
        return written.error();
    return true;
}

Result<int> compare(const Options& options) {
    const auto runs = validate::read_measured(options.measured);
    if (!runs) return runs.error();
    auto chosen = cli::choose_device(options.measure);
    if (!chosen) return chosen.error();
    Totals totals;
    std::size_t compared = 0;
    bool failed = false;
    for (const validate::MeasuredRun& run : *runs) {
        if (!options.workload.empty() && run.workload != options.workload) continue;
        if (!options.variant.empty() && run.variant != options.variant) continue;
        if (options.greatest_n != 0 && run.n > options.greatest_n) continue;
        ++compared;
        if (auto done = compare_run(options, *chosen->device, run, totals); !done) {
            std::cerr << run.workload << ' ' << run.variant << ' ' << run.n << ": " << done.error().message() << '\n';
            failed = true;
        }
    }
    if (compared == 0)
        return Error{ErrorKind::bad_input, "no recorded run is chosen", options.measured,
                     "see its cycles.csv for what there is"};
    if (options.counts && !options.csv)
        std::cout << "instructions that agree in all counts: " << totals.agreeing << " of " << totals.instructions
                  << "\nlaunches whose warp instructions equal smsp__inst_executed.sum: " << totals.launches_by_counter
                  << " of " << totals.launch_count << '\n';
    if (options.metrics)
        std::cout << (options.csv ? validate::metrics_csv(totals.metrics) : validate::metrics_table(totals.metrics));
    if (const double within = validate::within_tolerance_percent(totals.metrics);
        options.metrics && within < options.least_within) {
        std::cerr << "metrics: " << within << " % of values are within 5 %, of " << options.least_within << "\n";
        failed = true;
    }
    if (options.stalls)
        std::cout << (options.csv ? validate::stalls_csv(totals.stalls) : validate::stalls_table(totals.stalls));
    if (options.cycles) {
        const auto kernels = validate::by_kernel(totals.launches);
        const auto& rows = options.by_launch ? totals.launches : kernels;
        std::cout << (options.csv ? validate::cycles_csv(rows) : validate::cycles_table(rows));
        if (!options.csv)
            std::cout << validate::summary_line(totals.launches, "launches")
                      << validate::summary_line(kernels, "kernels");
        const auto whole = failed || compared != runs->size() ? validate::Compared::some : validate::Compared::all;
        const auto held =
            options.update ? update_ratchet(options, kernels, whole) : hold_ratchet(options, kernels, whole);
        if (!held) return held.error();
        failed = failed || !*held;
    }
    const bool all_equal = totals.agreeing == totals.instructions && totals.launches_by_counter == totals.launch_count;
    return failed || !all_equal ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app("Compare a modelled GPU with what a real one counted and took");
    app.add_option("--measured", options.measured, "folder of the record")->capture_default_str();
    app.add_option("--workload", options.workload, "only this workload");
    app.add_option("--variant", options.variant, "only this variant");
    app.add_option("--max-n", options.greatest_n, "only sizes up to this");
    app.add_flag("--counts", options.counts, "per-instruction counts; the functional device does");
    app.add_flag("--cycles", options.cycles, "sm__cycles_elapsed.max; needs the simulated device");
    app.add_option("--cache-control", options.measure.cache_control,
                   "as the record: all: cold caches; none: warm, of two runs the second counts")
        ->check(CLI::IsMember({"all", "none"}))
        ->capture_default_str();
    auto* metrics =
        app.add_flag("--metrics", options.metrics, "metrics other than cycles, by name; needs the simulated device");
    app.add_option("--least-within", options.least_within,
                   "the exit status is 1 if fewer values of metrics are within 5 %; percent")
        ->needs(metrics);
    app.add_flag("--stalls", options.stalls, "how warp time divides into stall reasons; needs the simulated device");
    app.add_flag("--by-launch", options.by_launch, "a row for each launch instead of each kernel");
    app.add_flag("--csv", options.csv, "as CSV, and nothing else; of --cycles, --metrics and --stalls one");
    app.add_option("--show", options.shown, "differences shown for each kernel")->capture_default_str();
    app.add_option("--ratchet", options.ratchet,
                   "the greatest error of each kernel and of the mean; the exit status is 1 above one")
        ->capture_default_str();
    auto* update =
        app.add_flag("--update-ratchet", options.update, "write smaller errors into it; refuse greater ones");
    app.add_option("--accept-worse", options.reason, "write greater errors too; the reason stays in the file")
        ->needs(update);
    app.add_flag("!--no-ratchet", options.hold, "only print")->excludes(update);
    app.add_option("--threads", options.measure.threads, "threads that simulate")->capture_default_str();
    app.add_option("--platform", options.measure.platform, "the modelled GPU")->capture_default_str();
    CLI11_PARSE(app, argc, argv);
    if (!options.counts && !options.cycles && !options.update && !options.metrics && !options.stalls)
        options.counts = options.cycles = true;
    options.cycles = options.cycles || options.update;
    if (options.csv && int{options.cycles} + int{options.metrics} + int{options.stalls} > 1) {
        std::cerr << "compare_hardware: --csv prints one table: choose --cycles, --metrics or --stalls\n";
        return 2;
    }
    options.measure.device = options.cycles || options.metrics || options.stalls ? "simulated" : "functional";
    try {
        const auto status = compare(options);
        if (status) return *status;
        std::cerr << "compare_hardware: " << status.error().message() << '\n';
        return status.error().exit_status();
    } catch (const std::exception& broken) {
        std::cerr << "compare_hardware: internal error: " << broken.what() << '\n';
        return 1;
    }
}
