#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "cli/reports/conflict_report.hpp"
#include "cli/reports/kernel_name.hpp"
#include "core/number_text.hpp"

namespace sassafras::cli {

namespace {

using study::ConflictFigures;
using study::ConflictSummary;

constexpr std::size_t worst_instructions = 10;  ///< that the overview shows

std::string figure_header(const std::string& name, std::size_t width) {
    return fmt::format("  {:<{}} {:>13} {:>13} {:>7} {:>7} {:>7} {:>7}\n", name, width, "requests", "wavefronts",
                       "beta", "ideal", "random", "bound");
}

std::string figure_row(const std::string& name, std::size_t width, const ConflictFigures& f) {
    return fmt::format("  {:<{}} {:>13} {:>13} {:>7.3f} {:>7.3f} {:>7.3f} {:>7.2f}\n", name, width, grouped(f.requests),
                       grouped(f.wavefronts), f.beta(), f.beta_ideal(), f.beta_random(), f.beta_bound());
}

/// "loads" of "transpose.cu:9 < transpose.cu:20 loads".
std::string kind_of_line(const study::PhaseConflicts& phase) { return phase.phase.substr(phase.phase.rfind(' ') + 1); }

std::string name_of_phase(const ConflictSummary& summary, const study::PhaseConflicts& phase) {
    if (!summary.phases_are_lines || !phase.line) return phase.phase;
    return study::place_of(phase.line->location, false) + " " + kind_of_line(phase);
}

/// The line itself, and who calls what was inlined there.
std::string text_of_line(const study::PhaseConflicts& phase) {
    if (!phase.line) return {};
    constexpr std::size_t longest = 120;
    const std::string& whole = phase.line->text;
    std::string text = whole.size() <= longest ? whole : whole.substr(0, longest - 3) + "...";
    if (!text.empty()) text = "  " + text;
    const std::string place = study::place_of(phase.line->location, false);
    const std::string callers = study::place_of(phase.line->location, true).substr(place.size());
    return callers.empty() ? text : text + " " + callers;
}

std::string part_row(const ConflictSummary& summary, const std::string& part, std::size_t width) {
    ConflictFigures figures;
    for (const auto& phase : summary.phases)
        if (phase.part == part) figures += phase.figures;
    if (!summary.phases_are_lines) return figure_row(part, width, figures);
    const auto kernel = std::find_if(summary.kernels.begin(), summary.kernels.end(),
                                     [&](const study::KernelConflicts& one) { return one.kernel == part; });
    const std::string name =
        fmt::format("{}, {} launch{}", kernel_name(part), grouped(kernel->launches), kernel->launches == 1 ? "" : "es");
    return name.size() <= width ? figure_row(name, width, figures)
                                : "  " + name + "\n" + figure_row("", width, figures);
}

std::string phases(const ConflictSummary& summary) {
    std::size_t width = 24;
    bool lines = false;
    for (const auto& phase : summary.phases) {
        width = std::max(width, name_of_phase(summary, phase).size() + 2);
        lines = lines || phase.line;
    }
    std::string text = figure_header("phase", width);
    if (lines) text.insert(text.size() - 1, "  source");
    for (std::size_t i = 0; i < summary.phases.size(); ++i) {
        const auto& phase = summary.phases[i];
        if (i == 0 || summary.phases[i - 1].part != phase.part) text += part_row(summary, phase.part, width);
        text += figure_row("  " + name_of_phase(summary, phase), width, phase.figures);
        if (phase.line) text.insert(text.size() - 1, text_of_line(phase));
    }
    text += figure_row("run", width, summary.run);
    // Where nvcc takes neighbouring words together (STS.128), requests are fewer than an algorithm that counts words
    // has.
    if (summary.run.wavefronts_ideal > summary.run.requests)
        text +=
            "  ideal above 1: requests of several words a lane (64-bit keys; LDS.128, STS.128), counted once each\n";
    const ConflictFigures partitioning = summary.thesis(workloads::ThesisBeta::partitioning);
    const ConflictFigures merging = summary.thesis(workloads::ThesisBeta::merging);
    if (partitioning.requests != 0 || merging.requests != 0) {
        text += "\n" + figure_header("of the merge kernels", width);
        text += figure_row("beta_1, partitioning", width, partitioning);
        text += figure_row("beta_2, merging", width, merging);
    }
    return text;
}

/// One row a launch, or a round of it; a column a phase that some round of the kind has.
std::string rounds(const ConflictSummary& summary) {
    std::string text;
    for (std::size_t begin = 0; begin < summary.rounds.size();) {
        std::size_t end = begin + 1;
        const bool in_launch = summary.rounds[begin].round != 0;
        // Rows of one kernel stand together; what lies outside of a loop has rows of its own.
        const auto same = [&](const study::RoundConflicts& other) {
            return other.kernel == summary.rounds[begin].kernel && (other.round != 0) == in_launch;
        };
        while (end < summary.rounds.size() && same(summary.rounds[end])) ++end;
        std::vector<std::size_t> columns;
        // Lines are too many for columns.
        for (std::size_t phase = 0; phase < summary.phases.size() && !summary.phases_are_lines; ++phase)
            if (std::any_of(summary.rounds.begin() + static_cast<std::ptrdiff_t>(begin),
                            summary.rounds.begin() + static_cast<std::ptrdiff_t>(end),
                            [&](const auto& row) { return row.by_phase.contains(phase); }))
                columns.push_back(phase);
        text += fmt::format("{}  {}{}: beta\n  {:>8} {:>13} {:>9} {:>7} {:>7}", text.empty() ? "" : "\n",
                            kernel_name(summary.rounds[begin].kernel),
                            in_launch ? fmt::format(", rounds of launch {}", summary.rounds[begin].launch) : "",
                            in_launch ? "round" : "launch", "requests", "all", "random", "bound");
        for (const std::size_t phase : columns) {
            const auto width = std::max<std::size_t>(9, summary.phases[phase].phase.size());
            text += fmt::format("  {:>{}}", summary.phases[phase].phase, width);
        }
        text += "\n";
        for (std::size_t i = begin; i < end; ++i) {
            const auto& row = summary.rounds[i];
            text += fmt::format("  {:>8} {:>13} {:>9.3f} {:>7.3f} {:>7.2f}", in_launch ? row.round : row.launch,
                                grouped(row.figures.requests), row.figures.beta(), row.figures.beta_random(),
                                row.figures.beta_bound());
            for (const std::size_t phase : columns) {
                const auto width = std::max<std::size_t>(9, summary.phases[phase].phase.size());
                const auto figures = row.by_phase.find(phase);
                text += figures == row.by_phase.end() ? fmt::format("  {:>{}}", "", width)
                                                      : fmt::format("  {:>{}.3f}", figures->second.beta(), width);
            }
            text += "\n";
        }
        begin = end;
    }
    return text;
}

std::string instruction_rows(const ConflictSummary& summary, const std::vector<std::size_t>& chosen) {
    std::string text;
    const study::InstructionSummary* last = nullptr;
    const std::size_t width = summary.phases_are_lines ? 7 : 18;
    for (const std::size_t index : chosen) {
        const auto& one = summary.instructions[index];
        if (last == nullptr || one.kernel != last->kernel || one.code_hash != last->code_hash) {
            text += fmt::format("  {}\n  {:>8} {:>13} {:>13} {:>7} {:>7} {:>7}  {:<{}} {}\n", kernel_name(one.kernel),
                                "pc", "requests", "wavefronts", "beta", "random", "bound", "phase", width, "source");
        }
        last = &one;
        const auto& phase = summary.phases[one.phase];
        text += fmt::format("  {:>8} {:>13} {:>13} {:>7.3f} {:>7.3f} {:>7.2f}  {:<{}} {}\n",
                            fmt::format("{:#x}", one.pc), grouped(one.figures.requests),
                            grouped(one.figures.wavefronts), one.figures.beta(), one.figures.beta_random(),
                            one.figures.beta_bound(), summary.phases_are_lines ? kind_of_line(phase) : phase.phase,
                            width, isa::print(one.decoded, one.pc));
        if (one.line)
            text += fmt::format("  {:>8} {}{}{}\n", "", place_text(*one.line, summary.phases_are_lines),
                                one.line->text.empty() ? "" : "  ", one.line->text);
    }
    return text;
}

std::string instructions(const ConflictSummary& summary) {
    std::vector<std::size_t> all(summary.instructions.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    return instruction_rows(summary, all);
}

/// Those that lose most wavefronts, in the order of the program.
std::string worst(const ConflictSummary& summary) {
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < summary.instructions.size(); ++i) {
        const ConflictFigures& figures = summary.instructions[i].figures;
        if (figures.wavefronts > figures.wavefronts_ideal) chosen.push_back(i);
    }
    const auto excess = [&](std::size_t i) {
        return summary.instructions[i].figures.wavefronts - summary.instructions[i].figures.wavefronts_ideal;
    };
    std::stable_sort(chosen.begin(), chosen.end(), [&](std::size_t a, std::size_t b) { return excess(a) > excess(b); });
    if (chosen.size() > worst_instructions) chosen.resize(worst_instructions);
    std::sort(chosen.begin(), chosen.end());
    return instruction_rows(summary, chosen);
}

std::string bar(std::uint64_t value, std::uint64_t most, std::size_t width) {
    return std::string(most == 0 ? 0 : static_cast<std::size_t>((value * width + most - 1) / most), '#');
}

/// Expected numbers, to a tenth: a column of them adds up.
std::string tenths(double number) {
    const auto all = static_cast<std::uint64_t>(std::llround(number * 10));
    return fmt::format("{}.{}", grouped(all / 10), all % 10);
}

/// Rows that only the bound has are left out unless they are asked for.
std::string degrees(const ConflictSummary& summary, bool with_bound_alone) {
    constexpr std::size_t width = 40;
    constexpr double shown = 0.05;  ///< what would be printed as 0.0 makes no row
    const auto& run = summary.run;
    const std::uint64_t most = *std::max_element(run.degree.begin(), run.degree.end());
    std::string text =
        fmt::format("  {:>10} {:>15} {:>15} {:>15} {:>8}\n", "wavefronts", "requests", "random", "bound", "share");
    for (std::size_t i = 0; i < run.degree.size(); ++i) {
        const bool by_bound = with_bound_alone && run.bound_degree[i] >= shown;
        if (run.degree[i] == 0 && run.random_degree[i] < shown && !by_bound) continue;
        std::string row = fmt::format("  {:>10} {:>15} {:>15} {:>15} {:>6.2f} %  {}", i, grouped(run.degree[i]),
                                      tenths(run.random_degree[i]), tenths(run.bound_degree[i]),
                                      100 * static_cast<double>(run.degree[i]) / static_cast<double>(run.requests),
                                      bar(run.degree[i], most, width));
        row.erase(row.find_last_not_of(' ') + 1);
        text += row + "\n";
    }
    return text;
}

std::string banks(const ConflictSummary& summary) {
    std::string text = fmt::format("  {:>6} {:>15} {:>15} {:>15}\n", "bank", "words", "random", "worst");
    for (std::size_t bank = 0; bank < summary.banks.size(); ++bank)
        text += fmt::format("  {:>6} {:>15} {:>15} {:>15}\n", bank, grouped(summary.banks[bank].words),
                            tenths(summary.run.random_bank_words), grouped(summary.banks[bank].worst));
    return text;
}

std::string banks_in_a_line(const ConflictSummary& summary) {
    std::size_t most = 0;
    std::size_t least = 0;
    std::uint64_t sum = 0;
    for (std::size_t bank = 0; bank < summary.banks.size(); ++bank) {
        if (summary.banks[bank].words > summary.banks[most].words) most = bank;
        if (summary.banks[bank].words < summary.banks[least].words) least = bank;
        sum += summary.banks[bank].words;
    }
    if (sum == 0) return {};
    const double mean = static_cast<double>(sum) / static_cast<double>(summary.banks.size());
    return fmt::format("  busiest bank: {}, {:.3f} of the mean; idlest: {}, {:.3f}\n", most,
                       static_cast<double>(summary.banks[most].words) / mean, least,
                       static_cast<double>(summary.banks[least].words) / mean);
}

std::string overview(const ConflictReport& report) {
    const ConflictSummary& summary = report.summary;
    std::string text = phases(summary);
    if (!summary.phases_are_lines) text += "\n" + rounds(summary);
    if (const std::string rows = worst(summary); !rows.empty())
        text += fmt::format("\n  most wavefronts beyond the ideal\n{}", rows);
    text += "\n" + degrees(summary, false) + "\n" + banks_in_a_line(summary);
    return text;
}

std::string body(const ConflictReport& report, ConflictView view) {
    switch (view) {
        case ConflictView::overview: return overview(report);
        case ConflictView::phase: return phases(report.summary);
        case ConflictView::round: return rounds(report.summary);
        case ConflictView::instruction: return instructions(report.summary);
        case ConflictView::degree: return degrees(report.summary, true);
        case ConflictView::bank: return banks(report.summary);
    }
    return {};
}

}  // namespace

std::string sass_text(const ExplainedRequest& explained) {
    return isa::print(explained.decoded, std::uint64_t{explained.request.instruction} * isa::instruction_bytes);
}

std::string place_text(const study::SourceLine& line, bool phase_is_line) {
    return study::place_of(line.location, phase_is_line || line.text.empty());
}

std::string to_table(const ConflictReport& report, ConflictView view) {
    const auto& geometry = report.summary.geometry;
    std::string text = fmt::format("  {} banks of {} bytes, {} launch{}\n", geometry.banks, geometry.bank_bytes,
                                   grouped(report.launches), report.launches == 1 ? "" : "es");
    if (report.summary.run.requests == 0)
        text += "  no access to shared memory\n";
    else
        text += "\n" + body(report, view);
    text += report.failed;
    if (report.verified) text += fmt::format("\n  verified: {}\n", *report.verified ? "yes" : "NO");
    return text;
}

}  // namespace sassafras::cli
