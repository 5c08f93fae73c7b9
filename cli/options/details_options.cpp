#include "cli/options/details_options.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include <fmt/format.h>

#include "cli/options/option_values.hpp"
#include "cli/options/options.hpp"
#include "cli/reports/latex_report.hpp"
#include "core/spelling.hpp"
#include "core/text_pattern.hpp"

namespace sassafras::cli {

namespace {

std::string small_letters(std::string_view text) {
    std::string small(text);
    for (char& c : small) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return small;
}

/// The tables are in the section itself.
constexpr std::string_view tables_suffix = "_Tables";

std::vector<sim::Section> all_sections() {
    std::vector<sim::Section> all;
    for (std::size_t i = 1; i < sim::section_names.size(); ++i) all.push_back(static_cast<sim::Section>(i));
    return all;
}

std::string_view identifier_of(sim::Section section) {
    return sim::section_identifiers[static_cast<std::size_t>(section)];
}

std::string nearest_sections(const std::string& wrong) {
    constexpr std::size_t shown = 3;
    std::vector<std::pair<std::size_t, std::string_view>> near;
    for (const sim::Section section : all_sections())
        near.emplace_back(std::min(edit_distance(small_letters(wrong), small_letters(identifier_of(section))),
                                   edit_distance(small_letters(wrong), small_letters(sim::name_of(section)))),
                          identifier_of(section));
    std::stable_sort(near.begin(), near.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::string text;
    for (std::size_t i = 0; i < shown; ++i) text += fmt::format("{}{}", text.empty() ? "" : ", ", near[i].second);
    return text;
}

Result<std::vector<sim::Section>> sections_of_word(const std::string& word) {
    std::vector<sim::Section> found;
    if (word.starts_with(regex_prefix)) {
        const auto pattern = TextPattern::parse(word, "--section");
        if (!pattern) return pattern.error();
        for (const sim::Section section : all_sections())
            if (pattern->matches(std::string(identifier_of(section))) ||
                pattern->matches(std::string(sim::name_of(section))))
                found.push_back(section);
    } else {
        std::string name = word;
        if (name.ends_with(tables_suffix)) name.resize(name.size() - tables_suffix.size());
        for (const sim::Section section : all_sections())
            if (name == identifier_of(section) || name == sim::name_of(section)) found.push_back(section);
    }
    if (!found.empty()) return found;
    return Error{ErrorKind::bad_input, fmt::format("there is no section \"{}\"", word), "--section",
                 fmt::format("the nearest are {}; docs/command-line.md has all", nearest_sections(word))};
}

OutputName latex_output(const MeasureOptions& options) {
    return {options.details.latex, "the LaTeX tables", "--latex"};
}

}  // namespace

void add_details_options(CLI::App& command, DetailsOptions& options) {
    command
        .add_option("--section", options.sections,
                    "show this section of the details page only: SpeedOfLight, Occupancy and so on, as Nsight Compute "
                    "names them, or regex:EXPRESSION; may be repeated")
        ->type_name("NAME")
        ->check(not_empty("a section's name"))
        ->expected(1)
        ->take_all();
    command
        .add_option("--clock-control", options.clock_control,
                    "base or none, which are the same here: the clock is always the platform's")
        ->check(one_of({"base", "none"}))
        ->capture_default_str();
    command
        .add_option("--latex", options.latex,
                    "write the tables of the details page to this file as LaTeX, to be read by \\input; they need the "
                    "package booktabs")
        ->type_name("FILE")
        ->check(output_file());
}

Result<std::vector<sim::Section>> parse_sections(const std::vector<std::string>& words) {
    std::vector<sim::Section> sections;
    for (const std::string& word : words) {
        auto found = sections_of_word(word);
        if (!found) return found.error();
        sections.insert(sections.end(), found->begin(), found->end());
    }
    std::sort(sections.begin(), sections.end());
    sections.erase(std::unique(sections.begin(), sections.end()), sections.end());
    return sections;
}

Result<void> check_details(const MeasureOptions& options) {
    if (!options.details.latex.empty()) {
        if (options.selection.is_per_kernel())
            return options.given.refuse({"--latex"}, "it has the sections of each launch", "leave out --print-summary");
        auto reserved = reserve_output_file(latex_output(options));
        if (!reserved) return reserved.error();
        *options.details.latex_place = std::move(*reserved);
    }
    if (options.details.sections.empty()) return {};
    if (auto sections = parse_sections(options.details.sections); !sections) return sections.error();
    if (!options.details.latex.empty()) return {};
    if (options.given.has("--page") && options.page != "details")
        return options.given.refuse({"--section"}, "sections are on the details page", "choose --page details");
    if (options.json == "-")
        return options.given.refuse({"--section"}, "JSON is all there is to print, and has no sections",
                                    "give --json a file");
    if (!options.selection.metrics.empty() || options.selection.is_per_kernel())
        return options.given.refuse({"--section"}, "metrics are chosen by name, or added up by kernel",
                                    "leave out --metrics and --print-summary, or --section");
    return {};
}

Result<void> deliver_latex(const Report& report, const MeasureOptions& options) {
    return options.details.latex.empty() ? Result<void>() : write_output_file(latex_output(options), to_latex(report));
}

void set_aside_full_set(Report& report, const MeasureOptions& options) {
    auto sections = parse_sections(options.details.sections);  // check_details has said what is wrong with them
    report.view = {options.detail(), sections ? std::move(*sections) : std::vector<sim::Section>()};
    if (options.wants_full_set()) return;
    if (options.prints_sections())
        for (const sim::KernelResult& kernel : report.kernels) report.details.push_back(kernel.metrics);
    drop_full_set(report);
}

}  // namespace sassafras::cli
