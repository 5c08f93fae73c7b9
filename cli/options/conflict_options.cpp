#include "cli/options/conflict_options.hpp"

#include "cli/options/option_values.hpp"
#include "sim/access/access_analysis.hpp"

namespace sassafras::cli {

ConflictView ConflictCommandOptions::view() const {
    if (by == "phase") return ConflictView::phase;
    if (by == "round") return ConflictView::round;
    if (by == "instruction") return ConflictView::instruction;
    if (by == "degree") return ConflictView::degree;
    return by == "bank" ? ConflictView::bank : ConflictView::overview;
}

void add_conflict_options(CLI::App& command, ConflictCommandOptions& options, bool with_kernel) {
    options.chooses_kernel = with_kernel;
    command.add_option("--banks", options.banks, "count for a memory of so many banks (a power of two up to 64)")
        ->transform(whole_number(1, sim::most_banks));
    command.add_option("--bank-width", options.bank_width, "count for banks of so many bytes (4, 8 or 16)")
        ->transform(whole_number(4, 16));
    command.add_option("--by", options.by, "what a row of the table or of the CSV is; the CSV's overview is by phase")
        ->check(one_of({"overview", "phase", "round", "instruction", "degree", "bank"}))
        ->capture_default_str();
    command.add_flag("--explain", options.explain,
                     "draw one request: lanes, banks, passes; that with most conflicts, if not chosen");
    if (with_kernel)
        command.add_option("--kernel", options.kernel, "explain a request of this kernel")
            ->check(not_empty("a kernel's name"));
    command.add_option("--pc", options.pc, "explain a request of the instruction at this address (hexadecimal)")
        ->check(not_empty("an address"));
    command
        .add_option("--request", options.request,
                    "explain this one of an instruction's requests in a launch, from 0 in order of execution")
        ->transform(whole_number());
    command
        .add_option(
            "--svg", options.svg,
            "write the drawing to this file as SVG; or the page's charts into this folder, if it is one or ends in /")
        ->check(output_file());
}

void add_conflicts_flag(CLI::App& command, bool& counts, ConflictCommandOptions& options, bool with_kernel) {
    CLI::Option* const flag =
        command.add_flag("--conflicts", counts,
                         "count bank conflicts, as `sassafras conflicts` does for workloads, in place of the rest");
    add_conflict_options(command, options, with_kernel);
    for (const char* option : {"--banks", "--bank-width", "--by", "--explain", "--pc", "--request"})
        command.get_option(option)->needs(flag);
    command.get_option("--svg")->type_name("FOLDER")->description(
        "write the page's charts into this folder, each as SVG and as its Vega-Lite specification; node draws "
        "them; with --conflicts a file, for the drawing of a request");
    if (with_kernel) command.get_option("--kernel")->needs(flag);
}

Result<void> check_conflicts_flag(const MeasureOptions& measure) {
    if (measure.device != "functional")
        if (auto checked = measure.given.refuse({"--device"}, "--conflicts counts on the functional device"); !checked)
            return checked;
    return measure.given.refuse({"--page",
                                 "--cache-control",
                                 "--check",
                                 "--sample",
                                 "--launches",
                                 "--timeline",
                                 "--timeline-events",
                                 "--timeline-blocks",
                                 "--interval",
                                 "--interval-csv",
                                 "--kernel-name",
                                 "--kernel-name-base",
                                 "--kernel-id",
                                 "--launch-skip",
                                 "--launch-skip-before-match",
                                 "--launch-count",
                                 "--print-summary",
                                 "--nvtx",
                                 "--nvtx-include",
                                 "--metrics",
                                 "--log-file"},
                                "--conflicts has a report of its own", "choose rows with --by");
}

}  // namespace sassafras::cli
