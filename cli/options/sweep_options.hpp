// The study that a sweep command means: a folder or file, or what --vary, --set and a command behind -- describe.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/options/console.hpp"
#include "core/result.hpp"
#include "study/sweep/study_folder.hpp"

namespace sassafras::cli {

struct SweepOptions {
    std::string study;
    std::vector<std::string> vary;
    std::vector<std::string> settings;
    std::string design;
    std::uint64_t split_launches = 1;
    std::vector<std::string> command;  ///< behind --
    const Console* console = &process_console();
};

/// STUDY.
void add_study_options(CLI::App& command, SweepOptions& options);
/// --vary, --set, --design, --split-launches: of a command that may make the study.
void add_description_options(CLI::App& command, SweepOptions& options);
/// Opens it; or makes it, if the options describe one and `check` has nothing against it. Error bad_input.
[[nodiscard]] Result<study::sweep::StudyFolder> chosen_study(const SweepOptions& options,
                                                             const study::sweep::StudyFolder::Check& check = {});
/// The version that results are kept for.
[[nodiscard]] std::string study_version();

}  // namespace sassafras::cli
