#include "cli/options/timeline_options.hpp"

#include <utility>

#include <fmt/format.h>

#include "cli/options/option_values.hpp"
#include "cli/options/options.hpp"
#include "cli/reports/timeline_file.hpp"
#include "cli/reports/timeline_profile.hpp"
#include "core/number_text.hpp"

namespace sassafras::cli {

namespace {

OutputName timeline_output(const TimelineOptions& options) { return {options.file, "the timeline", "--timeline"}; }
OutputName csv_output(const TimelineOptions& options) {
    return {options.interval_csv, "the CSV of intervals", "--interval-csv"};
}

void note_left_out(const TimelineFile& file, const MeasureOptions& options) {
    if (file.left_out == 0) return;
    options.console->note(
        fmt::format("sassafras: note: the timeline has {} events and leaves out {} more; give "
                    "--timeline-events a greater number, or a longer --interval\n",
                    grouped(file.events), grouped(file.left_out)));
}

void note_longer_intervals(const Report& report, const MeasureOptions& options) {
    for (const sim::KernelResult& kernel : report.kernels) {
        if (kernel.profile.interval <= options.timeline.interval) continue;
        options.console->note(
            fmt::format("sassafras: note: a launch has too many intervals of {} cycles: of the longest ones they are "
                        "{} or more cycles each\n",
                        grouped(options.timeline.interval), grouped(kernel.profile.interval)));
        return;
    }
}

}  // namespace

void add_timeline_options(CLI::App& command, TimelineOptions& options) {
    command
        .add_option("--timeline", options.file,
                    "write what happens in simulated time to this file, in the Trace Event Format: for Perfetto and "
                    "chrome://tracing")
        ->check(not_empty("a file"));
    command
        .add_option("--timeline-events", options.most_events, "with --timeline: the most events that the file may have")
        ->transform(whole_number(1, 100'000'000))
        ->capture_default_str();
    command
        .add_option("--timeline-blocks", options.blocks,
                    "with --timeline: the blocks of the launch of this number, from 0, on their SMs")
        ->type_name("LAUNCH")
        ->transform(whole_number());
    command
        .add_option("--interval", options.interval,
                    "with --timeline or --interval-csv: count in intervals of so many cycles: instructions, warps, "
                    "bytes of L2 and DRAM, stalls")
        ->type_name("CYCLES")
        ->transform(whole_number(1, 1'000'000'000));
    command
        .add_option("--interval-csv", options.interval_csv, "with --interval: write the counts to this file, as CSV")
        ->check(not_empty("a file"));
}

Result<void> check_timeline(const MeasureOptions& options) {
    const GivenOptions& given = options.given;
    const TimelineOptions& timeline = options.timeline;
    if (options.device != "simulated")
        return given.refuse({"--timeline", "--timeline-events", "--timeline-blocks", "--interval", "--interval-csv"},
                            "only a simulated device has such times", "choose --device simulated");
    if (options.sample)
        if (auto checked = given.refuse({"--timeline", "--timeline-blocks", "--interval", "--interval-csv"},
                                        "launches are not timed as a whole", "leave --sample out");
            !checked)
            return checked;
    if (!options.launches.empty())
        if (auto checked = given.refuse({"--timeline", "--timeline-blocks", "--interval", "--interval-csv"},
                                        "launches of other parts take no time", "leave --launches out");
            !checked)
            return checked;
    if (timeline.file.empty())
        if (auto checked = given.refuse({"--timeline-events", "--timeline-blocks"}, "there is no timeline",
                                        "give --timeline a file");
            !checked)
            return checked;
    if (timeline.file.empty() && timeline.interval_csv.empty())
        if (auto checked =
                given.refuse({"--interval"}, "nothing shows the counts", "give --timeline or --interval-csv a file");
            !checked)
            return checked;
    if (timeline.interval == 0)
        if (auto checked = given.refuse({"--interval-csv"}, "nothing is counted", "give --interval"); !checked)
            return checked;
    for (const OutputName& output : {timeline_output(timeline), csv_output(timeline)}) {
        if (output.path.empty()) continue;
        auto reserved = reserve_output_file(output);
        if (!reserved) return reserved.error();
        timeline.places->push_back(std::move(*reserved));
    }
    return {};
}

void put_profile_options(const TimelineOptions& options, sim::ModelOptions& model) {
    model.profile_interval = options.interval;
    model.blocks_of_launch = options.blocks;
    model.most_blocks = options.most_events;
}

Result<void> deliver_timeline(const Report& report, const MeasureOptions& options,
                              const std::vector<cudart::TimelineEntry>* timeline) {
    const TimelineOptions& of = options.timeline;
    if (!of.file.empty()) {
        const TimelineFile file =
            timeline_file(report, timeline == nullptr ? timeline_of(report.kernels) : *timeline, of.most_events);
        if (auto written = write_output_file(timeline_output(of), file.text); !written) return written;
        note_left_out(file, options);
    }
    if (!of.interval_csv.empty())
        if (auto written = write_output_file(csv_output(of), intervals_csv(report)); !written) return written;
    note_longer_intervals(report, options);
    if (of.blocks && *of.blocks >= report.kernels.size())
        options.console->note(
            fmt::format("sassafras: note: there is no launch {} whose blocks --timeline-blocks "
                        "could show; the last is {}\n",
                        *of.blocks, static_cast<std::int64_t>(report.kernels.size()) - 1));
    return {};
}

}  // namespace sassafras::cli
