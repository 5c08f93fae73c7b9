#include "cli/reports/sweep_report.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/reports/columns.hpp"
#include "cli/reports/report.hpp"
#include "core/json_text.hpp"
#include "study/pareto/elasticity.hpp"
#include "study/pareto/pareto.hpp"

namespace sassafras::cli {

namespace sweep = study::sweep;

namespace {

using TableColumn = sweep::Table::Column;

double number_at(const sweep::Table& table, const TableColumn& column, std::size_t row) {
    const auto* number = std::get_if<double>(&table.at(column, row));
    return number == nullptr ? std::numeric_limits<double>::quiet_NaN() : *number;
}

std::vector<const TableColumn*> parameters_of(const sweep::StudyFolder& study, const sweep::Table& table) {
    std::vector<const TableColumn*> columns;
    for (const sweep::Axis& axis : study.description().axes)
        for (const TableColumn& column : table.columns())
            if (column.name == axis.name) columns.push_back(&column);
    return columns;
}

Result<std::vector<const TableColumn*>> columns_of(const sweep::Table& table, const std::vector<std::string>& names) {
    std::vector<const TableColumn*> columns;
    for (const std::string& name : names) {
        const auto column = table.find(name);
        if (!column) return column.error();
        columns.push_back(*column);
    }
    return columns;
}

/// What says what is to be done, where a study varies what does it: its options and commands beside the GPU's numbers.
std::vector<std::string> work_of(const sweep::StudyFolder& study, const std::vector<std::string>& goals) {
    const auto& axes = study.description().axes;
    std::vector<std::string> names;
    if (study.description().commands.size() > 1) names.emplace_back("command");
    if (std::none_of(axes.begin(), axes.end(),
                     [](const sweep::Axis& axis) { return axis.kind == sweep::Axis::Kind::setting; }))
        return names;
    for (const sweep::Axis& axis : axes)
        if (axis.kind == sweep::Axis::Kind::option && axis.name != "platform" &&
            std::find(goals.begin(), goals.end(), axis.name) == goals.end())
            names.push_back(axis.name);
    return names;
}

/// The command, where the study has several.
const TableColumn* command_column(const sweep::Table& table) {
    for (const TableColumn& column : table.columns())
        if (column.name == "command") return &column;
    return nullptr;
}

}  // namespace

std::string status_json(const sweep::StudyFolder& study, const sweep::Status& status,
                        const std::optional<sweep::TimeEstimate>& left) {
    nlohmann::ordered_json json{{"sassafras", version()},      {"study", study.folder().string()},
                                {"rows", study.rows().size()}, {"runs", status.runs},
                                {"done", status.done},         {"failed", status.failed},
                                {"left", status.left()}};
    if (left)
        json["processor_seconds_left"] = left->seconds;
    else
        json["processor_seconds_left"] = nullptr;
    return json_document(json);
}

Result<std::string> pareto_table(const sweep::StudyFolder& study, const sweep::Table& table, const std::string& best,
                                 const std::vector<std::string>& costs, const std::vector<std::string>& by) {
    std::vector<std::string> names{best};
    names.insert(names.end(), costs.begin(), costs.end());
    const auto goals = columns_of(table, names);
    if (!goals) return goals.error();
    for (std::size_t i = 0; i < goals->size(); ++i)
        if (!(*goals)[i]->is_numeric())
            return Error{ErrorKind::bad_input, "this column has no numbers", names[i], "choose one that has"};
    const auto work = columns_of(table, by.empty() ? work_of(study, names) : by);
    if (!work) return work.error();
    std::map<std::vector<std::string>, std::vector<std::size_t>> groups;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        std::vector<std::string> group;
        for (const TableColumn* column : *work) group.push_back(sweep::text_of(table.at(*column, row)));
        groups[group].push_back(row);
    }
    std::vector<const TableColumn*> shown = *goals;
    for (const auto& more : {*work, parameters_of(study, table)})
        for (const TableColumn* column : more)
            if (std::find(shown.begin(), shown.end(), column) == shown.end()) shown.push_back(column);
    std::vector<std::vector<std::string>> rows{{"run"}};
    for (const TableColumn* column : shown) rows[0].push_back(column->name);
    for (const auto& [group, members] : groups) {
        std::vector<std::vector<double>> points;
        for (const std::size_t row : members) {
            points.emplace_back();
            for (const TableColumn* goal : *goals) points.back().push_back(number_at(table, *goal, row));
        }
        for (const std::size_t place : study::pareto_front(points)) {
            const std::size_t row = members[place];
            rows.push_back({std::to_string(row)});
            for (const TableColumn* column : shown) rows.back().push_back(sweep::text_of(table.at(*column, row)));
        }
    }
    return fmt::format("{} of {} runs that no other{} beats in {}\n{}", rows.size() - 1, table.rows(),
                       work->empty() ? "" : " with the same work", fmt::join(names, ", "), aligned(rows, 1));
}

Result<std::string> sensitivity_table(const sweep::StudyFolder& study, const sweep::Table& table,
                                      const std::string& result) {
    const auto column = table.find(result);
    if (!column) return column.error();
    std::vector<std::string> names;
    std::vector<const TableColumn*> factors;
    std::vector<const TableColumn*> groups;
    if (const TableColumn* command = command_column(table)) groups.push_back(command);
    for (const sweep::Axis& axis : study.description().axes) {
        const auto parameter = table.find(axis.name);
        if (!parameter) return parameter.error();
        (sweep::is_factor(axis) ? factors : groups).push_back(*parameter);
        if (sweep::is_factor(axis)) names.push_back(axis.name);
    }
    std::vector<study::Sample> samples;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        study::Sample sample;
        for (const TableColumn* group : groups) sample.group += sweep::text_of(table.at(*group, row)) + '\n';
        for (const TableColumn* factor : factors) sample.factors.push_back(number_at(table, *factor, row));
        sample.result = number_at(table, **column, row);
        samples.push_back(std::move(sample));
    }
    const auto fit = study::fit_elasticities(names, samples);
    if (!fit) return fit.error();
    constexpr double widest = 30;
    double most = 1e-9;
    for (const auto& one : fit->elasticities) most = std::max(most, std::abs(one.value));
    std::vector<std::vector<std::string>> rows{{"parameter", "per cent a per cent", "95 %", ""}};
    for (const auto& one : fit->elasticities) {
        const std::string bar(static_cast<std::size_t>(std::lround(std::abs(one.value) / most * widest)),
                              one.value < 0 ? '-' : '+');
        rows.push_back({one.name, fmt::format("{:+.3f}", one.value),
                        std::isfinite(one.margin) ? fmt::format("{:.3f}", one.margin) : "", bar});
    }
    std::string text = fmt::format("{} by {} runs: where a parameter grows by one per cent, it changes by so many\n{}",
                                   (*column)->name, fit->samples, aligned(rows, 1));
    return text + fmt::format("explained: {:.1f} % of the variance\n", 100 * fit->explained);
}

}  // namespace sassafras::cli
