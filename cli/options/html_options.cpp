#include "cli/options/html_options.hpp"

#include <filesystem>
#include <utility>

#include "cli/html/html_reports.hpp"
#include "cli/options/details_options.hpp"
#include "cli/options/option_values.hpp"
#include "cli/options/options.hpp"
#include "cli/options/rule_options.hpp"
#include "cli/options/svg_figures.hpp"

namespace sassafras::cli {

namespace {

OutputName html_output(const HtmlOptions& options) { return {options.file, "the page", "--html"}; }

}  // namespace

void add_html_option(CLI::App& command, HtmlOptions& options) {
    command
        .add_option("--html", options.file,
                    "write the report to this file as a page with charts, which needs nothing else to be opened")
        ->check(output_file());
}

void add_html_options(CLI::App& command, HtmlOptions& options) {
    add_html_option(command, options);
    command
        .add_option("--svg", options.folder,
                    "write the page's charts into this folder, each as SVG and as its Vega-Lite specification; node "
                    "draws them")
        ->type_name("FOLDER")
        ->check(output_file());
}

bool names_folder(const std::string& path) {
    std::error_code failed;
    return path.ends_with('/') || std::filesystem::is_directory(path, failed);
}

Result<void> check_html(const HtmlOptions& options) {
    if (!options.is_asked()) return {};
    if (auto checked = check_chart_scripts(); !checked) return checked;
    if (!options.folder.empty())
        if (auto checked = check_figures(options.folder); !checked) return checked;
    if (options.file.empty()) return {};
    auto reserved = reserve_output_file(html_output(options));
    if (!reserved) return reserved.error();
    *options.place = std::move(*reserved);
    return {};
}

Result<void> deliver_html(const HtmlPage& page, const std::vector<Chart>& charts, const HtmlOptions& options) {
    if (!options.file.empty())
        if (auto written = write_output_file(html_output(options), html_text(page)); !written) return written;
    return options.folder.empty() ? Result<void>() : write_figures(charts, options.folder);
}

Result<void> deliver_html(Report& report, const sim::Platform* platform, const MeasureOptions& options,
                          const std::vector<cudart::TimelineEntry>* timeline) {
    if (!options.html.is_asked()) {
        set_aside_full_set(report, options);
        return deliver_latex(report, options);
    }
    const RunSource run{report, platform, timeline};
    const std::vector<Chart> figures = options.html.folder.empty() ? std::vector<Chart>() : figures_of(run);
    const HtmlPage page = options.html.file.empty() ? HtmlPage{} : page_of(run);
    auto delivered = deliver_html(page, figures, options.html);
    set_aside_full_set(report, options);
    if (!prints_rules(options)) report.rules.clear();
    const auto tables = deliver_latex(report, options);
    return delivered ? tables : delivered;
}

}  // namespace sassafras::cli
