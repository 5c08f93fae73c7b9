// What is kept of a run, as JSON that does not depend on where or how fast it ran.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "study/sweep/plan.hpp"

namespace sassafras::study::sweep {

/// How the process of a run ended.
struct RunEnd {
    int status = 0;            ///< exit status; unless it was killed
    int signal = 0;            ///< that killed it
    double limit_seconds = 0;  ///< after which it was killed for that; 0: it was not
    std::string report;        ///< what it wrote as JSON; may be empty
    std::string said;          ///< to standard error
    double seconds = 0;
    std::uint64_t peak_bytes = 0;  ///< of its memory
};

/// It did what it was to do: status 0, and a report.
[[nodiscard]] bool succeeded(const RunEnd& end);
/// What a command says, and ends with status 128 + `signal`, when the program that it had started is killed.
[[nodiscard]] std::string killed_program(int signal);
/// By a signal, and not for its time: itself, or, by its report or by what it said at its end, the program that it had
/// started.
[[nodiscard]] bool was_killed(const RunEnd& end);

/// {"sassafras": version, "key": ..., "command": [...], "parameters": {...}, "status": "done" or "failed",
/// "exit_status": ..., "error": ..., "report": {...}, "checksum": ...}, as record_checksum.hpp has it. Left out of the
/// report are seconds, what follows from them, and the platform's numbers beside its hash.
[[nodiscard]] std::string record_text(const PlannedRun& run, std::string_view key, std::string_view version,
                                      const RunEnd& end);

/// A record that was read, as one of this run, which has the same key.
[[nodiscard]] std::string restated_record(nlohmann::ordered_json record, const PlannedRun& run);

}  // namespace sassafras::study::sweep
