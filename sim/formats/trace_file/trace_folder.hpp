// A captured run: a folder with a trace file a launch, in order, and index.json, which says what they are of.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/result.hpp"
#include "sim/formats/trace_file/traced_launch.hpp"

namespace sassafras::sim {

struct TraceFolder {
    std::string path;
    nlohmann::ordered_json workload;  ///< what ran, as the command that captured it reports it
    std::optional<bool> verified;     ///< the captured run's result was right; nothing: nobody knows
    /// What a trace of another simulator lacks, a sentence each; empty if captured here. Without control codes,
    /// dependences are the hardware's to track (sm.dependence_tracking = scoreboard).
    std::vector<std::string> cannot_tell;
    std::vector<TracedLaunch> launches;

    [[nodiscard]] bool is_imported() const { return !cannot_tell.empty(); }
    [[nodiscard]] std::string path_of(const TracedLaunch& launch) const { return path + "/" + launch.file; }
};

/// Writes index.json. Error bad_input if that fails.
[[nodiscard]] Result<void> write_trace_folder(const TraceFolder& folder);

/// Reads index.json. Error bad_input, with the offset, if it is not as it was written.
[[nodiscard]] Result<TraceFolder> read_trace_folder(const std::string& path);

}  // namespace sassafras::sim
