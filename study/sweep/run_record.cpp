#include "study/sweep/run_record.hpp"

#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include "study/sweep/record_checksum.hpp"

namespace sassafras::study::sweep {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_error_bytes = 4000;  // of what a program says at its end; a table of thousands has it all

/// Of this machine and hour, not of what was simulated.
void leave_out_times(Json& json) {
    if (json.is_object()) {
        json.erase("wall_seconds");
        json.erase("warp_instructions_per_second");
    }
    if (json.is_structured())
        for (Json& inner : json) leave_out_times(inner);
}

Json parsed_report(const RunEnd& end) {
    Json report = Json::parse(end.report, nullptr, false);
    if (report.is_discarded()) return nullptr;
    leave_out_times(report);
    // Its hash and its settings say which it was; all of its numbers are two thirds of a report.
    if (report.is_object() && report.contains("platform") && report["platform"].is_object())
        report["platform"].erase("resolved");
    return report;
}

std::string error_of(const RunEnd& end) {
    if (end.limit_seconds != 0) return fmt::format("took longer than {} s, the limit of --timeout", end.limit_seconds);
    if (end.signal != 0) return fmt::format("killed by signal {}", end.signal);
    std::string error = end.said;
    while (!error.empty() && error.back() == '\n') error.pop_back();
    const std::string prefix = "sassafras: error: ";
    if (const auto at = error.rfind(prefix); at != std::string::npos) error = error.substr(at + prefix.size());
    if (error.size() > most_error_bytes) error = "... " + error.substr(error.size() - most_error_bytes);
    return error.empty() ? fmt::format("exit status {}", end.status) : error;
}

}  // namespace

bool succeeded(const RunEnd& end) {
    return end.limit_seconds == 0 && end.signal == 0 && end.status == 0 && !end.report.empty() &&
           Json::accept(end.report);
}

std::string killed_program(int signal) { return fmt::format("the program was ended by signal {} ", signal); }

bool was_killed(const RunEnd& end) {
    constexpr int status_of_signal = 128;
    if (end.limit_seconds != 0) return false;
    if (end.signal != 0) return true;
    // Not every command that runs a program has a place for its end in the report, or a report then.
    if (end.status > status_of_signal &&
        end.said.find("sassafras: error: " + killed_program(end.status - status_of_signal)) != std::string::npos)
        return true;
    if (end.status == 0 || end.report.empty()) return false;
    const Json report = Json::parse(end.report, nullptr, false);
    const auto signal = Json::json_pointer("/workload/signal");
    return report.is_object() && report.contains(signal) && report[signal].is_number();
}

namespace {

Json parameters_json(const PlannedRun& run) {
    Json parameters = Json::object();
    for (const auto& [name, value] : run.parameters) parameters[name] = value;
    return parameters;
}

/// Programs may say what is no UTF-8.
std::string checked_text(const Json& record) {
    return with_checksum(record.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace

std::string restated_record(nlohmann::ordered_json record, const PlannedRun& run) {
    record.erase("checksum");
    record["command"] = run.command;
    record["parameters"] = parameters_json(run);
    return checked_text(record);
}

std::string record_text(const PlannedRun& run, std::string_view key, std::string_view version, const RunEnd& end) {
    const bool done = succeeded(end);
    const Json record{{"sassafras", version},
                      {"key", key},
                      {"command", run.command},
                      {"parameters", parameters_json(run)},
                      {"status", done ? "done" : "failed"},
                      {"exit_status", end.signal == 0 ? Json(end.status) : Json(nullptr)},
                      {"error", done ? Json(nullptr) : Json(error_of(end))},
                      {"report", parsed_report(end)}};
    return checked_text(record);
}

}  // namespace sassafras::study::sweep
