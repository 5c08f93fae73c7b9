#include <memory>
#include <utility>

#include "cli/commands/commands.hpp"
#include "cli/options/option_values.hpp"
#include "cli/options/options.hpp"
#include "cli/reports/measured_json.hpp"
#include "study/compare/ncu_pages.hpp"
#include "study/compare/report_file.hpp"

namespace sassafras::cli {

namespace {

struct PageImportOptions {
    MeasureOptions measure;  ///< its JSON is -o
    std::vector<std::string> files;
};

Result<int> import_pages(const PageImportOptions& options, const std::vector<std::string>& command) {
    if (auto checked = check_outputs(options.measure); !checked) return checked.error();
    std::optional<study::MeasuredReport> report;
    std::vector<study::MeasuredReport> sources;
    for (const std::string& file : options.files) {
        auto read = study::read_report(file);
        if (!read) return read.error();
        if (read->profiler == "sassafras")
            return Error{ErrorKind::bad_input, "this is a report already", file, "`sassafras diff` reads it as it is"};
        if (read->page == "source" && options.files.size() > 1)
            sources.push_back(std::move(*read));
        else if (report)
            return Error{ErrorKind::bad_input, "two files have metrics", report->file + ", " + file,
                         "import each of them; a page of metrics and one of source go together"};
        else
            report = std::move(*read);
    }
    if (!report)
        return Error{ErrorKind::bad_input, "all of these files are source pages", options.files.front(),
                     "import each of them, or one with the page of metrics of its recording"};
    for (const study::MeasuredReport& source : sources)
        if (auto added = study::add_source_page(*report, source); !added) return added.error();
    if (auto delivered = deliver([&] { return to_json(*report, recorded_command(command), options.files); },
                                 [&] { return to_table(*report); }, options.measure);
        !delivered)
        return delivered.error();
    if (options.measure.json.empty() && !options.measure.console->take_json)
        options.measure.console->note("sassafras: note: nothing is written; -o FILE makes a report of this\n");
    return 0;
}

}  // namespace

void add_import(CLI::App& app, Program& program) {
    auto options = std::make_shared<PageImportOptions>();
    options->measure.console = program.console;
    options->measure.json_option = "-o";
    CLI::App* command = app.add_subcommand(
        "import", "Make a report of what Nsight Compute printed (ncu --csv): its pages raw, details and source");
    command
        ->add_option("files", options->files,
                     "what `ncu --csv --page raw`, details or source printed; a source page beside one of metrics "
                     "is put into its launches")
        ->required()
        ->expected(1, -1);
    command->add_option("-o,--output", options->measure.json, "the report, JSON as of `run --json`; - prints it")
        ->check(not_empty("a file, or -"));
    command->callback([options, command, &program] {
        options->measure.given = given_options(*command);
        program.chosen = [options, &program] { return import_pages(*options, program.arguments); };
    });
}

}  // namespace sassafras::cli
