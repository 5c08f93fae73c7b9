// What `sassafras conflicts`, and --conflicts of other commands, has to say, and the forms in which it says it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "sim/device/conflict_device.hpp"
#include "study/conflicts/conflict_summary.hpp"

namespace sassafras::cli {

/// A view of the same requests.
enum class ConflictView : std::uint8_t { overview, phase, round, instruction, degree, bank };

/// One request to be shown, and where it comes from.
struct ExplainedRequest {
    std::string kernel;
    std::size_t launch = 0;
    Dim3 grid;
    Dim3 block;
    isa::Instruction decoded;
    std::optional<study::SourceLine> line;
    std::string phase;           ///< "merge: merge reads"
    bool phase_is_line = false;  ///< nobody has named it
    sim::BankGeometry geometry;
    sim::SharedRequest request;
};

/// A whole run of another size.
struct SizeConflicts {
    std::uint64_t n = 0;
    study::ConflictFigures figures;
};

struct ConflictReport {
    std::vector<std::string> command;  ///< recorded_command()
    nlohmann::ordered_json platform;
    nlohmann::ordered_json workload;
    std::optional<bool> verified;
    study::ConflictSummary summary;
    std::optional<ExplainedRequest> explained;

    std::vector<SizeConflicts> sizes = {};  ///< for charts only
    std::size_t launches = 0;
    std::string failed;  ///< lines for people about launches that did not end
    double wall_seconds = 0;
};

/// Everything. Only total.wall_seconds differs between two runs of one command.
[[nodiscard]] std::string to_json(const ConflictReport& report);
/// Header and a row each; the overview's rows are its phases. Every field that is a name is quoted.
[[nodiscard]] std::string to_csv(const ConflictReport& report, ConflictView view);
/// For people.
[[nodiscard]] std::string to_table(const ConflictReport& report, ConflictView view);

/// The request's instruction as nvdisasm prints it.
[[nodiscard]] std::string sass_text(const ExplainedRequest& explained);

/// "file:line"; where nothing else says what it is for, neither a phase's name nor the text, with the lines that call
/// what was inlined there: "a.cu:3 < a.cu:9".
[[nodiscard]] std::string place_text(const study::SourceLine& line, bool phase_is_line);

}  // namespace sassafras::cli
