// `sassafras worst-case launch` and `best-case launch`: a search over what one buffer of a user's kernel holds.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "cli/commands/input_search.hpp"
#include "cli/options/kernel_launch.hpp"
#include "core/result.hpp"
#include "study/adversary/sort_input.hpp"

namespace sassafras::cli {

struct KernelSearchOptions {
    study::adversary::Goal goal = study::adversary::Goal::worst;
    KernelOptions kernel;
    std::string vary;  ///< ARGUMENT[:TYPE]
    MeasureOptions measure;
    InputSearchOptions search;
    std::string output;
};

/// Options of the kernel and --vary; those of the search are added beside them.
void add_kernel_search_options(CLI::App& command, KernelSearchOptions& options);

/// Gives the exit status.
[[nodiscard]] Result<int> search_kernel(const KernelSearchOptions& options);

}  // namespace sassafras::cli
