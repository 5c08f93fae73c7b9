#include "cli/reports/sweep_report.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/reports/columns.hpp"
#include "cli/reports/report.hpp"
#include "cli/reports/result_text.hpp"
#include "core/number_text.hpp"
#include "core/printable.hpp"
#include "study/sweep/stored_record.hpp"

namespace sassafras::cli {

namespace sweep = study::sweep;

namespace {

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// "the first that failed, run 1 (n none): --n: ...\n"; of parts of a run, as the table has the run.
std::string first_failure(const sweep::StudyFolder& study, const sweep::RunStore::States& states) {
    for (std::size_t i = 0; i < study.runs().size(); ++i) {
        const auto state = states.find(study.keys()[i]);
        if (state == states.end() || state->second != sweep::RunStore::State::failed) continue;
        const auto record = sweep::read_record(study.store(), state->first, state->second, false);
        if (!record) continue;
        std::vector<std::string> parameters;
        for (const auto& [name, value] : study.runs()[i].parameters) parameters.push_back(name + " " + value);
        return fmt::format("the first that failed, run {}{}: {}\n", i / study.description().split_launches,
                           parameters.empty() ? "" : fmt::format(" ({})", fmt::join(parameters, ", ")),
                           for_terminal(first_line((*record)["error"].get<std::string>())));
    }
    return {};
}

}  // namespace

std::string status_text(const sweep::StudyFolder& study, const sweep::RunStore::States& states) {
    const sweep::Status status = study.status(states);
    const std::string damaged =
        status.damaged == 0 ? "" : fmt::format("{} damaged (sweep run makes them anew), ", grouped(status.damaged));
    return fmt::format("{} runs: {} done, {} failed, {}{} left\n{}", grouped(status.runs), grouped(status.done),
                       grouped(status.failed), damaged, grouped(status.left()), first_failure(study, states));
}

std::string status_json(const sweep::StudyFolder& study, const sweep::Status& status,
                        const std::optional<sweep::TimeEstimate>& left) {
    nlohmann::ordered_json json{{"study", study.folder().string()},
                                {"rows", study.rows().size()},
                                {"runs", status.runs},
                                {"done", status.done},
                                {"failed", status.failed},
                                {"damaged", status.damaged},
                                {"left", status.left()}};
    if (left)
        json["processor_seconds_left"] = left->seconds;
    else
        json["processor_seconds_left"] = nullptr;
    return result_text("study_status", std::move(json));
}

std::string left_out_text(const CountedRows& counted, const std::string& number) {
    std::string text;
    if (counted.not_done != 0) text += fmt::format("left out: {} runs that are not done\n", counted.not_done);
    if (counted.repeated != 0)
        text += fmt::format("left out: {} runs that are another once more, by their key\n", counted.repeated);
    if (counted.without_number != 0)
        text += fmt::format("left out: {} runs without {}\n", counted.without_number, number);
    return text;
}

std::string front_table(const sweep::Table& table, const StudyFront& front) {
    std::vector<std::vector<std::string>> rows{{"run"}};
    for (const sweep::Table::Column* column : front.shown) rows[0].push_back(column->name);
    for (const StudyFront::Group& group : front.groups)
        for (const std::size_t row : group.front) {
            rows.push_back({std::to_string(row)});
            for (const sweep::Table::Column* column : front.shown)
                rows.back().push_back(sweep::text_of(table.at(*column, row)));
        }
    std::size_t equal = 0;
    for (const StudyFront::Group& group : front.groups) equal += group.equal;
    const std::string not_there =
        equal == 0
            ? ""
            : fmt::format("left out: {} runs that are equal to one of these in that; the first is there\n", equal);
    const bool is_one_work = front.groups.empty() || front.groups.front().work.empty();
    return fmt::format("{} of {} runs that no other{} beats in {}\n{}{}{}", rows.size() - 1, front.counted.rows.size(),
                       is_one_work ? "" : " with the same work", fmt::join(front.goals, ", "), aligned(rows, 1),
                       not_there, left_out_text(front.counted, "a number in all of these"));
}

namespace {

nlohmann::ordered_json left_out_json(const CountedRows& counted) {
    return {{"not_done", counted.not_done}, {"repeated", counted.repeated}, {"without_number", counted.without_number}};
}

}  // namespace

nlohmann::ordered_json front_json(const StudyFront& front) {
    using Json = nlohmann::ordered_json;
    Json columns = Json::array();
    for (const sweep::Table::Column* column : front.shown) columns.push_back(column->name);
    Json groups = Json::array();
    for (const StudyFront::Group& group : front.groups)
        groups.push_back({{"work", group.work}, {"runs", group.rows}, {"front", group.front}, {"equal", group.equal}});
    return {{"goals", front.goals},
            {"columns", std::move(columns)},
            {"groups", std::move(groups)},
            {"left_out_runs", left_out_json(front.counted)}};
}

nlohmann::ordered_json sensitivity_json(const StudySensitivity& sensitivity) {
    using Json = nlohmann::ordered_json;
    Json elasticities = Json::array();
    for (const auto& one : sensitivity.fit.elasticities)
        elasticities.push_back({{"name", one.name},
                                {"value", one.value},
                                {"margin", std::isfinite(one.margin) ? Json(one.margin) : Json(nullptr)}});
    Json left_out = Json::array();
    for (const auto& [name, why] : sensitivity.left_out) left_out.push_back({{"name", name}, {"why", why}});
    return {{"column", sensitivity.column},           {"samples", sensitivity.fit.samples},
            {"explained", sensitivity.fit.explained}, {"elasticities", std::move(elasticities)},
            {"left_out", std::move(left_out)},        {"left_out_runs", left_out_json(sensitivity.counted)}};
}

std::string sensitivity_table(const StudySensitivity& sensitivity) {
    const study::Fit& fit = sensitivity.fit;
    constexpr double widest = 30;
    double most = 1e-9;
    for (const auto& one : fit.elasticities) most = std::max(most, std::abs(one.value));
    std::vector<std::vector<std::string>> rows{{"parameter", "per cent a per cent", "95 %", ""}};
    for (const auto& one : fit.elasticities) {
        const std::string bar(static_cast<std::size_t>(std::lround(std::abs(one.value) / most * widest)),
                              one.value < 0 ? '-' : '+');
        rows.push_back({one.name, fmt::format("{:+.3f}", one.value),
                        std::isfinite(one.margin) ? fmt::format("{:.3f}", one.margin) : "", bar});
    }
    std::string text = fmt::format("{} by {} runs: where a parameter grows by one per cent, it changes by so many\n{}",
                                   sensitivity.column, fit.samples, aligned(rows, 1));
    text += fmt::format("explained: {:.1f} % of the variance\n", 100 * fit.explained);
    for (const auto& [name, why] : sensitivity.left_out) text += fmt::format("left out: {}: {}\n", name, why);
    return text + left_out_text(sensitivity.counted, "a number above 0");
}

}  // namespace sassafras::cli
