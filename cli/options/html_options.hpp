// --html and --svg: reports as pages and their charts as figures.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/html/chart_sources.hpp"
#include "cli/html/html_page.hpp"
#include "core/result.hpp"
#include "core/staged_file.hpp"

namespace sassafras::cli {

struct MeasureOptions;

struct HtmlOptions {
    std::string file;    ///< --html
    std::string folder;  ///< --svg
    /// From check_html on, of a pipe or device that is named.
    std::shared_ptr<ReservedOutput> place = std::make_shared<ReservedOutput>();

    [[nodiscard]] bool is_asked() const { return !file.empty() || !folder.empty(); }
};

/// --html.
void add_html_option(CLI::App& command, HtmlOptions& options);
/// That, and --svg with a folder.
void add_html_options(CLI::App& command, HtmlOptions& options);

/// Where --svg is a file of another drawing, too: a folder is one that is there, or a name that ends with a slash.
[[nodiscard]] bool names_folder(const std::string& path);

/// What is asked for can be made and written.
[[nodiscard]] Result<void> check_html(const HtmlOptions& options);

/// Writes what is asked for: the page, and each of the charts as NAME.svg and NAME.vl.json.
[[nodiscard]] Result<void> deliver_html(const HtmlPage& page, const std::vector<Chart>& charts,
                                        const HtmlOptions& options);
/// The same of a report with charts of its own.
template <class Of>
[[nodiscard]] Result<void> deliver_html_of(const Of& report, const HtmlOptions& options) {
    if (!options.is_asked()) return {};
    const HtmlPage page = page_of(report);
    return deliver_html(page, page.charts, options);
}

/// Of a run; then takes off the report what only this was measured for, so that its other forms are as without it.
[[nodiscard]] Result<void> deliver_html(Report& report, const sim::Platform* platform, const MeasureOptions& options,
                                        const std::vector<cudart::TimelineEntry>* timeline = nullptr);

}  // namespace sassafras::cli
