#include "study/compare/ncu_source_page.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <utility>

namespace sassafras::study {

namespace {

/// A column of the page, and what it is here.
struct CountColumn {
    std::string_view title;
    double MeasuredInstruction::*count;
};
constexpr auto count_columns = std::to_array<CountColumn>({
    {"Instructions Executed", &MeasuredInstruction::inst_executed},
    {"Thread Instructions Executed", &MeasuredInstruction::thread_inst_executed},
    {"L1 Wavefronts Shared", &MeasuredInstruction::shared_wavefronts},
    {"L1 Wavefronts Shared Ideal", &MeasuredInstruction::shared_wavefronts_ideal},
    {"L2 Theoretical Sectors Global", &MeasuredInstruction::global_sectors},
});

/// Short there, whole in names of metrics.
constexpr auto reasons = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"stall_branch_resolving", "stall_branch_resolve"},
    {"stall_dispatch", "stall_dispatch_stall"},
    {"stall_imc", "stall_imc_miss"},
    {"stall_lg", "stall_lg_throttle"},
    {"stall_long_sb", "stall_long_scoreboard"},
    {"stall_math", "stall_math_pipe_throttle"},
    {"stall_mio", "stall_mio_throttle"},
    {"stall_no_inst", "stall_no_instruction"},
    {"stall_short_sb", "stall_short_scoreboard"},
    {"stall_sleep", "stall_sleeping"},
    {"stall_tex", "stall_tex_throttle"},
});

constexpr std::string_view not_issued = " (Not Issued)";

std::string whole_reason(const std::string& title) {
    for (const auto& [shorter, longer] : reasons)
        if (shorter == title) return std::string(longer);
    return title;
}

std::optional<std::uint64_t> address_in(const std::string& text) {
    if (!text.starts_with("0x")) return std::nullopt;
    std::uint64_t address = 0;
    const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), address, 16);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return address;
}

MeasuredInstruction instruction_in(const CsvRow& header, const CsvRow& row, std::uint64_t pc) {
    MeasuredInstruction instruction;
    instruction.pc = pc;
    instruction.sass = row[1].substr(std::min(row[1].find_first_not_of(' '), row[1].size()));
    for (std::size_t i = 2; i < std::min(header.size(), row.size()); ++i) {
        const double value = ncu_number(row[i]).value_or(0);
        for (const CountColumn& column : count_columns)
            if (column.title == header[i]) instruction.*column.count = value;
        if (header[i].starts_with("stall_") && !header[i].ends_with(not_issued) && value != 0)
            instruction.stalls[whole_reason(header[i])] = value;
    }
    return instruction;
}

bool is_equal(const MeasuredLaunch& a, const MeasuredLaunch& b) {
    const auto same = [](const MeasuredInstruction& left, const MeasuredInstruction& right) {
        return left.pc == right.pc && left.sass == right.sass && left.inst_executed == right.inst_executed &&
               left.stalls == right.stalls;
    };
    return a.name == b.name &&
           std::equal(a.instructions.begin(), a.instructions.end(), b.instructions.begin(), b.instructions.end(), same);
}

}  // namespace

bool is_source_page(const std::vector<CsvRow>& rows) {
    return rows.size() > 1 && rows[0].size() >= 2 && rows[0][0] == "Kernel Name" && rows[1].size() > 2 &&
           rows[1][0] == "Address" && rows[1][1] == "Source";
}

std::vector<MeasuredLaunch> source_launches(const std::vector<CsvRow>& rows) {
    std::vector<MeasuredLaunch> tables;
    const CsvRow* header = nullptr;
    std::uint64_t first = 0;
    for (const CsvRow& row : rows) {
        if (row.size() >= 2 && row[0] == "Kernel Name") {
            tables.emplace_back();
            tables.back().name = tables.back().demangled = row[1];
            header = nullptr;
        } else if (row.size() > 2 && row[0] == "Address") {
            header = &row;
        } else if (header != nullptr && row.size() > 2 && !tables.empty()) {
            const auto address = address_in(row[0]);
            if (!address) continue;
            auto& instructions = tables.back().instructions;
            if (instructions.empty()) first = *address;
            instructions.push_back(instruction_in(*header, row, *address - first));
        }
    }
    std::vector<MeasuredLaunch> launches;
    for (std::size_t i = 0; i < tables.size(); ++i) {
        const bool is_again = i + 1 < tables.size() && is_equal(tables[i], tables[i + 1]);
        launches.push_back(tables[i]);
        if (is_again) ++i;
    }
    return launches;
}

}  // namespace sassafras::study
