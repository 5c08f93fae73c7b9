#include "cli/options/source_options.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "cli/options/option_values.hpp"
#include "cli/options/options.hpp"
#include "cli/options/terminal_text.hpp"
#include "cli/reports/source_view.hpp"

namespace sassafras::cli {

namespace {

bool lies_in(const std::vector<std::string>& folders, const std::string& file) {
    std::error_code failed;
    return std::any_of(folders.begin(), folders.end(), [&](const std::string& folder) {
        return std::filesystem::is_regular_file(std::filesystem::path(folder) / file, failed);
    });
}

/// Names files of lines that lie in none of the folders; empty if all do.
std::string note_of_missing(const Report& report, const std::vector<std::string>& folders) {
    constexpr std::size_t most_names = 3;
    std::set<std::string> files;
    for (const sim::KernelResult& kernel : report.kernels)
        for (const sim::SourceRow& row : kernel.source)
            if (const std::size_t colon = row.location.rfind(':'); colon != std::string::npos)
                files.insert(row.location.substr(0, colon));
    std::erase_if(files, [&](const std::string& file) { return lies_in(folders, file); });
    if (files.empty()) return {};
    std::string names;
    std::size_t named = 0;
    for (const std::string& file : files)
        if (named++ < most_names) names += (names.empty() ? "" : ", ") + file;
    if (files.size() > most_names) names += fmt::format(" and {} more", files.size() - most_names);
    return fmt::format("  not found: {}; name the folder with --source-folders\n", names);
}

}  // namespace

void add_source_options(CLI::App& command, SourceOptions& options) {
    command
        .add_option("--print-source", options.print,
                    "with --page source: sass, a row an instruction; cuda,sass: lines of the source with their "
                    "instructions, the hottest first, where the cubin says lines (nvcc -lineinfo)")
        ->check(CLI::Validator(
            [](const std::string& word) {
                return word == "sass" || word == "cuda,sass" ? std::string() : "it is sass or cuda,sass, not " + word;
            },
            "sass or cuda,sass"))
        ->capture_default_str();
    command
        .add_option("--source-folders", options.folders,
                    "with cuda,sass: where sources lie, beside the working directory, with commas between them")
        ->delimiter(',')
        ->check(not_empty("a folder"));
}

Result<void> check_source(const MeasureOptions& options) {
    if (options.page != "source")
        return options.given.refuse({"--print-source", "--source-folders"}, "the source is on a page of its own",
                                    "add --page source");
    if (!options.source.has_lines())
        return options.given.refuse({"--source-folders"}, "no line of a source is printed",
                                    "add --print-source cuda,sass");
    if (options.csv)
        return options.given.refuse({"--print-source"}, "CSV has a row an instruction",
                                    "leave one of them out; --json says the line of each instruction, too");
    return {};
}

bool wants_source_lines(const MeasureOptions& options) {
    return options.page == "source" && options.source.has_lines() && !options.csv;
}

std::string source_lines_page(const Report& report, const MeasureOptions& options) {
    std::vector<std::string> folders{"."};
    folders.insert(folders.end(), options.source.folders.begin(), options.source.folders.end());
    constexpr std::size_t without_terminal = 100;
    constexpr std::size_t without_limit = std::string::npos;
    const std::size_t printed = options.selection.log_file.empty() ? printed_width() : without_limit;
    return note_of_missing(report, folders) + source_view(report, folders, printed == 0 ? without_terminal : printed) +
           to_totals(report);
}

}  // namespace sassafras::cli
