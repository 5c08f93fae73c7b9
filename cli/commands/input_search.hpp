// Searching for a worst or best input by measuring again and again: worst-case and best-case with --metric, for
// workloads and for a user's kernel.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/options/options.hpp"
#include "core/result.hpp"
#include "study/adversary/hill_climb.hpp"

namespace sassafras::cli {

struct InputSearchOptions {
    std::string metric;  ///< empty: no search
    std::optional<std::uint64_t> evaluations;
    std::optional<double> minutes;
    std::string resume;
    std::uint64_t patience = 2000;
    std::string values;  ///< LEAST..GREATEST; empty: as the input allows
};

/// --metric, --values, --evaluations, --minutes, --resume, --patience, and those of the device that measures.
void add_input_search_options(CLI::App& command, InputSearchOptions& options, MeasureOptions& measure);

/// Error bad_input if an option of a search is given without --metric.
[[nodiscard]] Result<void> check_no_search(const GivenOptions& given);

/// What a search is over.
struct SearchSubject {
    std::string what;  ///< all that decides what a candidate costs, but for what the options of a search say
    study::adversary::Numbers start;
    ElementType type = ElementType::u32;
    study::adversary::ClimbRules rules;
    /// Launches all there is to measure.
    std::function<Result<void>(sim::Device&, const study::adversary::Numbers&)> run;
    std::vector<std::string> files;  ///< that it reads, which the search must not write over
    /// How to run what is found in a file.
    std::function<std::string(const std::string& file)> run_with;
};

/// Runs the search and writes the best input found. Each candidate meets a modelled GPU as it is at first, so that what
/// ran before it (where code was loaded, say) does not count. Gives the exit status.
[[nodiscard]] Result<int> search_input(SearchSubject subject, ChosenDevice chosen, const MeasureOptions& measure,
                                       const InputSearchOptions& options, const std::string& output);

/// Error bad_input, before anything runs, if a file to be written has no folder or is one. `option` names it.
[[nodiscard]] Result<void> check_output_place(const std::string& path, const char* option);

/// Error bad_input if the file to be written, which `option` names, is one that is read: by another name or link, too.
[[nodiscard]] Result<void> check_not_read(const std::string& path, const char* option, const std::string& read);

}  // namespace sassafras::cli
