// Runs of a study as processes of this machine, some at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "core/result.hpp"
#include "study/sweep/plan.hpp"
#include "study/sweep/run_inputs.hpp"
#include "study/sweep/run_store.hpp"

namespace sassafras::study::sweep {

struct Task {
    const PlannedRun* run = nullptr;
    std::string key;
    const RunInputs* inputs = nullptr;  ///< what the key was made of
    bool is_part = false;               ///< of a run whose launches are split
    /// When the failure was written that is to be made again.
    std::optional<std::filesystem::file_time_type> failed = std::nullopt;
};

struct LocalOptions {
    std::string program;         ///< path of this program
    std::string version;         ///< as records have it
    std::string directory;       ///< where runs are made, and relative names begin; empty: the current one
    double timeout_seconds = 0;  ///< a run that takes longer is killed, and has failed; 0: no limit
    std::uint32_t jobs = 1;      ///< at a time, as far as memory lets them
    /// One more while runs are short: a processor has nothing to do from the end of one until the next has begun, which
    /// was 5 % of runs of 50 ms.
    bool fills_gaps = false;
    /// Called as a run ends, and a few times a second: how many of the tasks have ended, and failed. It may throw; the
    /// runs that are under way are then killed.
    std::function<void(std::uint64_t ended, std::uint64_t failed)> progress;
};

struct LocalOutcome {
    std::uint64_t done = 0;
    std::uint64_t failed = 0;
    std::uint64_t unmade = 0;   ///< left without a result: what they read is no longer what their key says
    std::string changed_input;  ///< of one of those, the path that has changed
};

/// Runs the tasks in their order and keeps each result in the store. A run that another process makes meanwhile is
/// waited for and counts as made; it is made here if that process dies. Another run begins while there is memory for as
/// much as the largest so far has taken. A run whose inputs have changed since its key was made gets no result. A run
/// that a signal kills, or whose program one kills, is tried again, three times in all. What the store gets is the same
/// however many run at a time. Errors: bad_input if a result cannot be kept, of which then nothing is, check_failed if
/// no process can be started.
[[nodiscard]] Result<LocalOutcome> run_here(std::span<const Task> tasks, const RunStore& store,
                                            const LocalOptions& options);

}  // namespace sassafras::study::sweep
