// How the source page is printed: SASS, or CUDA lines with their SASS.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "core/result.hpp"

namespace sassafras::cli {

struct MeasureOptions;
struct Report;

struct SourceOptions {
    std::string print = "sass";        ///< --print-source: sass, or cuda,sass
    std::vector<std::string> folders;  ///< --source-folders

    [[nodiscard]] bool has_lines() const { return print != "sass"; }
};

/// --print-source, --source-folders; of a command that has --page.
void add_source_options(CLI::App& command, SourceOptions& options);
/// They have an effect.
[[nodiscard]] Result<void> check_source(const MeasureOptions& options);
/// The page of CUDA lines is what is asked for.
[[nodiscard]] bool wants_source_lines(const MeasureOptions& options);
/// That page, with the totals below.
[[nodiscard]] std::string source_lines_page(const Report& report, const MeasureOptions& options);

}  // namespace sassafras::cli
