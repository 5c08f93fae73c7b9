#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "cli/commands/commands.hpp"
#include "cli/options/option_values.hpp"
#include "cli/options/options.hpp"
#include "cli/reports/difference_report.hpp"
#include "study/compare/report_file.hpp"

namespace sassafras::cli {

namespace {

constexpr double most_percent = 1e12;
constexpr std::size_t usual_rows = 20;

struct DiffOptions {
    MeasureOptions measure;
    std::string a;
    std::string b;
    std::string metrics;
    double threshold = 0;
    std::optional<double> fail_above;
    std::size_t top = usual_rows;
};

/// Names with commas between them, or expressions: of metrics that only a profiler has, too.
Result<std::vector<TextPattern>> metric_patterns(const std::string& text) {
    std::vector<TextPattern> patterns;
    for (std::size_t begin = 0; !text.empty() && begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        auto pattern = TextPattern::parse(text.substr(begin, end - begin), "--metrics");
        if (!pattern) return pattern.error();
        patterns.push_back(std::move(*pattern));
        begin = end + 1;
    }
    return patterns;
}

Result<int> diff(const DiffOptions& options, const std::vector<std::string>& command) {
    if (auto checked = check_outputs(options.measure); !checked) return checked.error();
    auto patterns = metric_patterns(options.metrics);
    if (!patterns) return patterns.error();
    DifferenceReport report;
    for (auto [path, side] : {std::pair(&options.a, &report.a), std::pair(&options.b, &report.b)}) {
        auto read = study::read_report(*path);
        if (!read) return read.error();
        *side = std::move(*read);
    }
    report.command = recorded_command(command);
    report.threshold_percent = options.threshold;
    report.fail_above_percent = options.fail_above;
    report.most_rows = options.top;
    report.difference = study::difference(report.a, report.b, *patterns, options.threshold);
    if (report.difference.compared == 0 && !report.difference.launches.empty())
        return Error{ErrorKind::bad_input, "no metric is in both reports", options.a + ", " + options.b,
                     options.metrics.empty() ? "give reports with metrics of the same names (--page raw of ncu)"
                                             : "give --metrics another name, or leave it out"};
    const auto text = [&] { return options.measure.csv ? to_csv(report) : to_table(report); };
    if (auto delivered = deliver([&] { return to_json(report); }, text, options.measure); !delivered)
        return delivered.error();
    return report.fails() ? 1 : 0;
}

}  // namespace

void add_diff(CLI::App& app, Program& program) {
    auto options = std::make_shared<DiffOptions>();
    options->measure.console = program.console;
    CLI::App* command = app.add_subcommand("diff", "Compare two reports, metric by metric, the largest changes first");
    const std::string what = "JSON of run, exec, launch, trace replay or import; or what `ncu --csv` printed";
    command->add_option("a", options->a, what)->required();
    command->add_option("b", options->b, "the report that is compared with it")->required();
    command
        ->add_option("--metrics", options->metrics,
                     "only these, with commas between them; regex:EXPRESSION for those with a part that matches")
        ->check(not_empty("a metric's name, or regex:EXPRESSION"));
    command->add_option("--threshold", options->threshold, "changes of up to so many per cent are counted, not listed")
        ->type_name("PERCENT")
        ->check(real_number(0, most_percent))
        ->capture_default_str();
    command
        ->add_option(
            "--fail-above", options->fail_above,
            "exit status 1 if a metric changes by more per cent, up or down, or a launch is in one report only")
        ->type_name("PERCENT")
        ->check(real_number(0, most_percent));
    command->add_option("--top", options->top, "rows of a launch in the table; 0: all, as CSV and JSON always have")
        ->transform(whole_number())
        ->capture_default_str();
    command->add_flag("--csv", options->measure.csv, "print CSV instead of a table");
    add_json_option(*command, options->measure);
    command->callback([options, command, &program] {
        options->measure.given = given_options(*command);
        program.chosen = [options, &program] { return diff(*options, program.arguments); };
    });
}

}  // namespace sassafras::cli
