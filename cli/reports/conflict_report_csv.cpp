#include <fmt/format.h>

#include "cli/reports/conflict_report.hpp"
#include "cli/reports/kernel_name.hpp"
#include "cli/reports/report.hpp"

namespace sassafras::cli {

namespace {

using study::ConflictFigures;

std::string quoted(const std::string& text) {
    std::string field = "\"";
    for (const char c : text) {
        if (c == '"') field += '"';
        field += c;
    }
    return field + '"';
}

constexpr const char* figure_columns =
    "\"Requests\",\"Lanes\",\"L1 Wavefronts Shared\",\"L1 Wavefronts Shared Ideal\",\"L1 Wavefronts Shared Excessive\","
    "\"L1 Conflicts Shared N-Way\",\"Beta\",\"Beta Random\",\"Beta Random Words\",\"Beta Bound\"\n";

/// Counts are exact; means have six digits behind the point.
std::string figures(const ConflictFigures& f) {
    return fmt::format("{},{},{},{},{},{:.6f},{:.6f},{:.6f},{:.6f},{:.6f}\n", f.requests, f.lanes, f.wavefronts,
                       f.wavefronts_ideal, f.wavefronts - f.wavefronts_ideal, f.n_way(), f.beta(), f.beta_random(),
                       f.beta_random_words(), f.beta_bound());
}

std::string phases(const ConflictReport& report) {
    std::string text = std::string("\"Part\",\"Phase\",") + figure_columns;
    for (const auto& phase : report.summary.phases)
        text += quoted(kernel_name(phase.part)) + "," + quoted(phase.phase) + "," + figures(phase.figures);
    return text + "\"run\",\"\"," + figures(report.summary.run);
}

std::string rounds(const ConflictReport& report) {
    std::string text = std::string("\"Launch\",\"Kernel Name\",\"Round\",\"Part\",\"Phase\",") + figure_columns;
    for (const auto& round : report.summary.rounds)
        for (const auto& [number, of_phase] : round.by_phase) {
            const auto& phase = report.summary.phases[number];
            text += fmt::format("{},{},{},{},{},", round.launch, quoted(kernel_name(round.kernel)), round.round,
                                quoted(kernel_name(phase.part)), quoted(phase.phase)) +
                    figures(of_phase);
        }
    return text;
}

std::string instructions(const ConflictReport& report) {
    std::string text =
        std::string("\"Kernel Name\",\"Address\",\"Source\",\"File\",\"Line\",\"Part\",\"Phase\",") + figure_columns;
    for (const auto& one : report.summary.instructions) {
        const auto& phase = report.summary.phases[one.phase];
        text +=
            fmt::format("{},{},{},{},{},{},{},", quoted(kernel_name(one.kernel)), quoted(fmt::format("{:#x}", one.pc)),
                        quoted(isa::print(one.decoded, one.pc)), quoted(one.line ? one.line->location.file : ""),
                        one.line ? fmt::format("{}", one.line->location.line) : "", quoted(kernel_name(phase.part)),
                        quoted(phase.phase)) +
            figures(one.figures);
    }
    return text;
}

std::string degrees(const ConflictReport& report) {
    std::string text = "\"Part\",\"Phase\",\"Wavefronts\",\"Requests\",\"Requests Random\",\"Requests Bound\"\n";
    for (const auto& phase : report.summary.phases) {
        const ConflictFigures& of_phase = phase.figures;
        for (std::size_t degree = 0; degree < of_phase.degree.size(); ++degree)
            if (of_phase.degree[degree] != 0 || of_phase.random_degree[degree] != 0 ||
                of_phase.bound_degree[degree] != 0)
                text += fmt::format("{},{},{},{},{:.6f},{:.6f}\n", quoted(kernel_name(phase.part)), quoted(phase.phase),
                                    degree, of_phase.degree[degree], of_phase.random_degree[degree],
                                    of_phase.bound_degree[degree]);
    }
    return text;
}

std::string banks(const ConflictReport& report) {
    std::string text = "\"Bank\",\"Words\",\"Words Random\",\"Worst\"\n";
    for (std::size_t bank = 0; bank < report.summary.banks.size(); ++bank)
        text += fmt::format("{},{},{:.6f},{}\n", bank, report.summary.banks[bank].words,
                            report.summary.run.random_bank_words, report.summary.banks[bank].worst);
    return text;
}

}  // namespace

std::string to_csv(const ConflictReport& report, ConflictView view) {
    switch (view) {
        case ConflictView::overview:
        case ConflictView::phase: return phases(report);
        case ConflictView::round: return rounds(report);
        case ConflictView::instruction: return instructions(report);
        case ConflictView::degree: return degrees(report);
        case ConflictView::bank: return banks(report);
    }
    return {};
}

}  // namespace sassafras::cli
