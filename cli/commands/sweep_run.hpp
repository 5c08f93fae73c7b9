// `sassafras sweep run`: the runs of a study by an engine, and what `sweep plan --try` has in common with it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/options/slurm_options.hpp"
#include "cli/options/sweep_options.hpp"
#include "core/result.hpp"
#include "study/sweep/local_runs.hpp"

namespace sassafras::cli {

struct SweepRunOptions {
    SweepOptions study;
    std::string engine = "local";
    std::uint32_t jobs = 0;  ///< 0: the engine's own number
    std::uint64_t shards = 0;
    std::string shard;
    SlurmCommandOptions slurm;
    bool again = false;
    std::uint32_t timeout = 0;          ///< seconds a run; 0: no limit
    std::vector<std::string> shares;    ///< other studies, whose results are taken
    const CLI::App* command = nullptr;  ///< which knows what was given
};

/// --engine, --jobs, --shards, --shard, --retry-failed, --share, and those of Slurm.
void add_run_options(CLI::App& command, SweepRunOptions& options);
/// The exit status: 1 if runs failed or have no result. Error bad_input, also for an option that belongs to another
/// engine.
[[nodiscard]] Result<int> run_study(const SweepRunOptions& options);

/// Of this machine, at least 1.
[[nodiscard]] std::uint32_t processors();
/// For LocalOptions::progress: a line on the terminal, a few times a second; or polls.
[[nodiscard]] std::function<void(std::uint64_t, std::uint64_t)> study_progress(std::uint64_t tasks,
                                                                               const Console& console);
/// For runs that were not kept.
[[nodiscard]] Error changed_input(const study::sweep::LocalOutcome& outcome);

}  // namespace sassafras::cli
