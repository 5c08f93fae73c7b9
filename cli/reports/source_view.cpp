#include "cli/reports/source_view.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "cli/reports/columns.hpp"
#include "cli/reports/kernel_name.hpp"
#include "core/number_text.hpp"
#include "isa/program/program.hpp"
#include "study/conflicts/source_text.hpp"

namespace sassafras::cli {

namespace {

constexpr std::size_t shown_reasons = 3;
constexpr double bytes_of_a_sector = 32;

/// Of an instruction, or of all of a line.
struct Heat {
    std::uint64_t executed = 0;
    std::uint64_t threads = 0;
    std::uint64_t wavefronts = 0;
    std::uint64_t wavefronts_over = 0;
    std::uint64_t sectors = 0;
    std::uint64_t sectors_over = 0;
    std::uint64_t cycles = 0;
    sim::StallCycles stalls{};

    void add(const sim::SourceRow& row) {
        executed += row.inst_executed;
        threads += row.thread_inst_executed;
        wavefronts += row.shared_wavefronts;
        wavefronts_over += row.shared_wavefronts - std::min(row.shared_wavefronts, row.shared_wavefronts_ideal);
        sectors += row.global_sectors;
        const auto needed =
            static_cast<std::uint64_t>(std::ceil(static_cast<double>(row.global_bytes) / bytes_of_a_sector));
        sectors_over += row.global_sectors - std::min(row.global_sectors, needed);
        for (std::size_t reason = 0; reason < sim::stall_count; ++reason) {
            stalls[reason] += row.stalls[reason];
            cycles += row.stalls[reason];
        }
    }
    [[nodiscard]] bool is_hotter(const Heat& other) const {
        return cycles != other.cycles ? cycles > other.cycles : executed > other.executed;
    }
};

struct HeatedLine {
    std::string location;  ///< "file:line"; empty: not known
    Heat heat;
    std::vector<const sim::SourceRow*> rows;
};

/// Behind the code stand NOPs up to a whole line of the cache.
std::size_t rows_without_padding(const std::vector<sim::SourceRow>& rows) {
    std::size_t count = rows.size();
    while (count != 0 && rows[count - 1].inst_executed == 0 &&
           isa::print(rows[count - 1].instruction, rows[count - 1].pc) == "NOP")
        --count;
    return count;
}

std::vector<HeatedLine> heated_lines(const std::vector<sim::SourceRow>& rows) {
    std::vector<HeatedLine> lines;
    std::map<std::string, std::size_t> numbers;
    for (std::size_t i = 0; i < rows_without_padding(rows); ++i) {
        const auto [found, is_new] = numbers.emplace(rows[i].location, lines.size());
        if (is_new) lines.push_back({rows[i].location, {}, {}});
        HeatedLine& line = lines[found->second];
        line.heat.add(rows[i]);
        line.rows.push_back(&rows[i]);
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

std::string reasons_text(const Heat& heat) {
    std::vector<std::size_t> order;
    for (std::size_t reason = 0; reason < sim::stall_count; ++reason)
        if (heat.stalls[reason] != 0) order.push_back(reason);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return heat.stalls[a] > heat.stalls[b]; });
    if (order.size() > shown_reasons) order.resize(shown_reasons);
    std::string text;
    for (const std::size_t reason : order)
        text += fmt::format("{}{} {:.0f}%", text.empty() ? "" : ", ", sim::stall_rows[reason].name,
                            100.0 * static_cast<double>(heat.stalls[reason]) / static_cast<double>(heat.cycles));
    return text;
}

std::vector<std::string> heat_cells(std::vector<std::string> front, const Heat& heat, double all_cycles) {
    const double share = all_cycles == 0 ? 0 : 100 * static_cast<double>(heat.cycles) / all_cycles;
    front.insert(front.end(), {reasons_text(heat), fmt::format("{:.1f}", share), grouped(heat.executed),
                               grouped(heat.threads), grouped(heat.wavefronts), grouped(heat.wavefronts_over),
                               grouped(heat.sectors), grouped(heat.sectors_over)});
    return front;
}

std::string kernel_lines(const sim::KernelResult& kernel, study::SourceTexts& texts,
                         const std::vector<std::string>& folders) {
    constexpr std::size_t texts_first = 3;
    std::vector<std::vector<std::string>> rows{{"Line", "Source", "Waits For", "Cycles %", "Inst", "Thread Inst",
                                                "Shared Wvfr", "Over Ideal", "Gl. Sectors", "Over Ideal"}};
    const std::vector<HeatedLine> lines = heated_lines(kernel.source);
    double cycles = 0;
    for (const HeatedLine& line : lines) cycles += static_cast<double>(line.heat.cycles);
    for (const HeatedLine& line : lines) {
        const bool is_known = !line.location.empty();
        rows.push_back(heat_cells({is_known ? line.location : "(no line)",
                                   is_known ? line_text(texts, line.location, folders) : std::string()},
                                  line.heat, cycles));
        for (const sim::SourceRow* const row : line.rows) {
            Heat own;
            own.add(*row);
            rows.push_back(heat_cells({fmt::format("  {:04x}", row->pc), "  " + isa::print(row->instruction, row->pc)},
                                      own, cycles));
        }
    }
    const bool has_line =
        std::any_of(lines.begin(), lines.end(), [](const auto& line) { return !line.location.empty(); });
    const char* const note = has_line ? "" : "    its cubin says no lines: compile with nvcc -lineinfo\n";
    return fmt::format("  {} {} x {}\n{}{}\n", kernel_name(kernel.name), extents(kernel.grid), extents(kernel.block),
                       note, aligned(rows, texts_first));
}

}  // namespace

std::string source_view(const Report& report, const std::vector<std::string>& folders) {
    study::SourceTexts texts;
    std::string text;
    for (const sim::KernelResult& kernel : report.kernels) text += kernel_lines(kernel, texts, folders);
    return text;
}

}  // namespace sassafras::cli
