#include "cli/reports/source_view.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "cli/reports/kernel_name.hpp"
#include "cli/reports/source_layout.hpp"
#include "cli/reports/source_rows.hpp"
#include "isa/program/program.hpp"
#include "study/conflicts/source_text.hpp"

namespace sassafras::cli {

namespace {

struct HeatedLine {
    std::string location;  ///< "file:line"; empty: not known
    Heat heat;
    std::vector<const sim::SourceRow*> rows;
};

std::vector<HeatedLine> heated_lines(std::span<const sim::SourceRow> rows) {
    std::vector<HeatedLine> lines;
    std::map<std::string, std::size_t> numbers;
    for (const sim::SourceRow& row : rows) {
        const auto [found, is_new] = numbers.emplace(row.location, lines.size());
        if (is_new) lines.push_back({row.location, {}, {}});
        HeatedLine& line = lines[found->second];
        line.heat.add(row);
        line.rows.push_back(&row);
    }
    std::stable_sort(lines.begin(), lines.end(),
                     [](const HeatedLine& one, const HeatedLine& other) { return one.heat.is_hotter(other.heat); });
    return lines;
}

std::string line_text(study::SourceTexts& texts, const std::string& location, const std::vector<std::string>& folders) {
    const std::size_t colon = location.rfind(':');
    if (colon == std::string::npos) return {};
    std::uint32_t number = 0;
    std::from_chars(location.data() + colon + 1, location.data() + location.size(), number);
    for (const std::string& folder : folders) {
        const std::filesystem::path path = std::filesystem::path(folder) / location.substr(0, colon);
        std::error_code failed;
        if (std::filesystem::is_regular_file(path, failed)) return texts.line(path.string(), number);
    }
    return {};
}

std::string kernel_lines(const sim::KernelResult& kernel, study::SourceTexts& texts,
                         const std::vector<std::string>& folders, std::size_t columns) {
    std::vector<SourceLine> rows;
    const std::vector<HeatedLine> lines = heated_lines(without_padding(kernel.source));
    double cycles = 0;
    for (const HeatedLine& line : lines) cycles += static_cast<double>(line.heat.cycles);
    for (const HeatedLine& line : lines) {
        const bool is_known = !line.location.empty();
        rows.push_back({is_known ? line.location : "(no line)",
                        is_known ? line_text(texts, line.location, folders) : std::string(), line.heat});
        for (const sim::SourceRow* const row : line.rows) {
            SourceLine own{fmt::format("  {:04x}", row->pc), "  " + isa::print(row->instruction, row->pc), {}};
            own.heat.add(*row);
            rows.push_back(std::move(own));
        }
    }
    const bool has_line =
        std::any_of(lines.begin(), lines.end(), [](const auto& line) { return !line.location.empty(); });
    const char* const note = has_line ? "" : "    its cubin says no lines: compile with nvcc -lineinfo\n";
    return fmt::format("  {} {} x {}\n{}{}\n", kernel_name(kernel.name), extents(kernel.grid), extents(kernel.block),
                       note, laid_out(rows, cycles, columns));
}

}  // namespace

std::string source_view(const Report& report, const std::vector<std::string>& folders, std::size_t columns) {
    study::SourceTexts texts;
    std::string text;
    for (const sim::KernelResult& kernel : report.kernels) text += kernel_lines(kernel, texts, folders, columns);
    return text;
}

}  // namespace sassafras::cli
