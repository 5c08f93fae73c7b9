#include "cli/reports/case_report.hpp"

#include <fmt/format.h>

#include "cli/reports/report.hpp"
#include "cli/reports/result_text.hpp"
#include "core/array_file/element_type.hpp"
#include "core/number_text.hpp"

namespace sassafras::cli {

namespace {

using study::adversary::Construction;
using study::adversary::Goal;
using study::adversary::PartCost;
using Json = nlohmann::ordered_json;

std::string a_request(std::uint64_t accesses, std::uint64_t requests) {
    return requests == 0 ? "-" : fmt::format("{:.3f}", static_cast<double>(accesses) / static_cast<double>(requests));
}

PartCost total_of(const Construction& built) {
    PartCost total{"all", 0, 0, 0};
    for (const PartCost& part : built.parts) {
        total.requests += part.requests;
        total.accesses += part.accesses;
        total.bound += part.bound;
    }
    return total;
}

std::string table_of(const Construction& built, Goal goal) {
    std::string text = built.what + "\n";
    if (built.parts.empty()) return text + "(no reads of shared memory are predicted)\n";
    const bool worst = goal == Goal::worst;
    const auto row = [&text](const auto&... cells) {
        text += fmt::format("  {:<43} {:>13} {:>15} {:>11} {:>11}\n", cells...);
    };
    const auto row_of = [&row](const PartCost& part) {
        row(part.part, grouped(part.requests), grouped(part.accesses), a_request(part.accesses, part.requests),
            a_request(part.bound, part.requests));
    };
    row("", "requests",
        !built.bounded ? "accesses"
        : worst        ? "accesses >="
                       : "accesses <=",
        "a request", worst ? "at most" : "at least");
    for (const PartCost& part : built.parts) row_of(part);
    row_of(total_of(built));
    return text + "  " + built.request + "\n";
}

Json json_of(const PartCost& part) {
    return {{"part", part.part}, {"requests", part.requests}, {"accesses", part.accesses}, {"bound", part.bound}};
}

Json json_of(const Construction& built) {
    Json parts = Json::array();
    for (const PartCost& part : built.parts) parts.push_back(json_of(part));
    Json json{{"what", built.what}, {"request", built.request}, {"bounded", built.bounded}};
    json["parts"] = std::move(parts);
    json["total"] = built.parts.empty() ? Json(nullptr) : json_of(total_of(built));
    if (!built.parts.empty()) json["total"].erase("part");
    json["variant"] = built.variant.empty() ? Json(nullptr) : Json(built.variant);
    json["parameters"] = Json::object();
    for (const auto& [name, value] : built.parameters) json["parameters"][name] = value;
    return json;
}

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

}  // namespace

std::string to_table(const CaseReport& report) {
    std::string text;
    if (report.construction) text = table_of(*report.construction, report.goal);
    if (report.search)
        text = fmt::format("{}\n{} evaluations, {} restarts: {}\n", report.search->question,
                           grouped(report.search->evaluations), grouped(report.search->restarts),
                           report.search->best_value);
    if (report.output.empty()) return text + "-o FILE writes the numbers\n";
    text += fmt::format("wrote {}\n", report.output);
    if (report.run_with.empty()) return text + "no variant of this shape is compiled to run it with\n";
    return text + fmt::format("run it with\n  {}\n", report.run_with);
}

std::string to_json(const CaseReport& report) {
    Json json{{"command", report.command}};
    json["goal"] = report.goal == Goal::worst ? "worst" : "best";
    json["subject"] = report.subject;
    json["input"] = {{"numbers", report.count},
                     {"type", names_of(report.type).name},
                     {"file", text_or_null(report.output)},
                     {"run_with", text_or_null(report.output.empty() ? std::string() : report.run_with)}};
    if (report.construction) json["construction"] = json_of(*report.construction);
    if (report.search)
        json["search"] = {{"question", report.search->question},
                          {"metric", report.search->metric},
                          {"value", report.search->best_value},
                          {"evaluations", report.search->evaluations},
                          {"restarts", report.search->restarts}};
    return result_text("input", std::move(json));
}

}  // namespace sassafras::cli
