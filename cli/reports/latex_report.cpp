#include "cli/reports/latex_report.hpp"

#include <vector>

#include <fmt/format.h>

#include "cli/reports/details_sections.hpp"
#include "cli/reports/kernel_name.hpp"

namespace sassafras::cli {

namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string latex_row(const std::vector<std::string>& cells) {
    std::string line = " ";
    for (std::size_t i = 0; i < cells.size(); ++i) line += (i == 0 ? " " : " & ") + latex_text(cells[i]);
    return line + " \\\\\n";
}

/// The first row are headings, the first `left` columns names.
std::string latex_table(const std::string& caption, const Rows& rows, std::size_t left) {
    std::string text = "\\begin{table}[htbp]\n  \\centering\n  \\caption{" + latex_text(caption) + "}\n";
    text += "  \\begin{tabular}{" + std::string(left, 'l') + std::string(rows.front().size() - left, 'r') + "}\n";
    text += "  \\toprule\n" + latex_row(rows.front()) + "  \\midrule\n";
    for (std::size_t i = 1; i < rows.size(); ++i) text += latex_row(rows[i]);
    return text + "  \\bottomrule\n  \\end{tabular}\n\\end{table}\n\n";
}

}  // namespace

std::string latex_text(std::string_view text) {
    std::string escaped;
    for (const char c : text) switch (c) {
            case '\\': escaped += "\\textbackslash{}"; break;
            case '~': escaped += "\\textasciitilde{}"; break;
            case '^': escaped += "\\textasciicircum{}"; break;
            case '<': escaped += "\\textless{}"; break;  // which the older encoding of fonts has elsewhere
            case '>': escaped += "\\textgreater{}"; break;
            case '|': escaped += "\\textbar{}"; break;
            case '"': escaped += "''"; break;
            case '#':
            case '$':
            case '%':
            case '&':
            case '_':
            case '{':
            case '}':
                escaped += '\\';
                escaped += c;
                break;
            default: escaped += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
        }
    return escaped;
}

std::string to_latex(const Report& report) {
    std::string text = "% Needs \\usepackage{booktabs}. Made by sassafras " + version() + ".\n\n";
    for (std::size_t i = 0; i < report.kernels.size(); ++i) {
        const sim::KernelResult& kernel = report.kernels[i];
        const std::string launch = fmt::format("{}, grid {}, block {}, {}", kernel_name(kernel.name),
                                               extents(kernel.grid), extents(kernel.block), report.device);
        for (const DetailsSection& section : details_sections(kernel, report.details_of(i), report.view)) {
            Rows rows{{"Metric", "Unit", "Value"}};
            for (const DetailsLine& line : section.lines) rows.push_back({line.name, line.unit, line.value});
            text += latex_table(fmt::format("{} ({})", sim::name_of(section.kind), launch), rows, 1);
            for (const DetailsTable& table : section.tables)
                text += latex_table(fmt::format("{} ({})", table.title, launch), table.rows, table.left);
        }
    }
    return text;
}

}  // namespace sassafras::cli
