// What `sassafras sweep run --engine slurm` says of the job.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "core/result.hpp"
#include "study/sweep/slurm_job.hpp"

namespace sassafras::cli {

struct SlurmCommandOptions {
    study::sweep::SlurmOptions job;
    std::string template_file;
    bool prints_template = false;
};

/// --partition, --account, --time, --mem, --sbatch, --template, --print-template, --wait.
void add_slurm_options(CLI::App& command, SlurmCommandOptions& options);
/// The job, with its template read. Error bad_input.
[[nodiscard]] Result<study::sweep::SlurmOptions> chosen_slurm_job(const SlurmCommandOptions& options);

}  // namespace sassafras::cli
