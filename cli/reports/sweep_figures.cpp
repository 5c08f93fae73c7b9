#include "cli/reports/sweep_figures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "study/pareto/pareto.hpp"

namespace sassafras::cli {

namespace sweep = study::sweep;

namespace {

using TableColumn = sweep::Table::Column;

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

/// `has_number`: of a row, whether it has all numbers that it takes.
template <class HasNumber>
CountedRows counted_rows(const sweep::Table& table, const HasNumber& has_number) {
    CountedRows counted;
    const auto status = table.find("status");
    const auto key = table.find("key");
    std::set<std::string> keys;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        if (!status || sweep::text_of(table.at(**status, row)) != "done")
            ++counted.not_done;
        else if (!has_number(row))
            ++counted.without_number;
        else if (key && !keys.insert(sweep::text_of(table.at(**key, row))).second)
            ++counted.repeated;
        else
            counted.rows.push_back(row);
    }
    return counted;
}

/// Empty if the parameter has an exponent; else why not.
std::string why_left_out(const sweep::Axis& axis, const TableColumn& column) {
    if (axis.name == "seed") return "a seed is no amount; runs that differ in it are repetitions";
    if (!column.is_numeric()) return "not all of its values are numbers; runs that differ in it are compared apart";
    if (!sweep::is_factor(axis))
        return "a value that is not above 0 has no logarithm; runs that differ in it are compared apart";
    return "";
}

}  // namespace

double number_at(const sweep::Table& table, const sweep::Table::Column& column, std::size_t row) {
    return sweep::number_of(table.at(column, row)).value_or(std::numeric_limits<double>::quiet_NaN());
}

Result<StudyFront> study_front(const sweep::StudyFolder& study, const sweep::Table& table, const std::string& best,
                               const std::vector<std::string>& costs, const std::vector<std::string>& by) {
    StudyFront result;
    result.goals = {best};
    result.goals.insert(result.goals.end(), costs.begin(), costs.end());
    const auto goals = columns_of(table, result.goals);
    if (!goals) return goals.error();
    for (std::size_t i = 0; i < goals->size(); ++i)
        if (!(*goals)[i]->is_numeric())
            return Error{ErrorKind::bad_input, "this column has no numbers", result.goals[i], "choose one that has"};
    const auto work = columns_of(table, by.empty() ? work_of(study, result.goals) : by);
    if (!work) return work.error();
    result.counted = counted_rows(table, [&](std::size_t row) {
        return std::none_of(goals->begin(), goals->end(),
                            [&](const TableColumn* goal) { return std::isnan(number_at(table, *goal, row)); });
    });
    std::map<std::vector<std::string>, std::vector<std::size_t>> groups;
    for (const std::size_t row : result.counted.rows) {
        std::vector<std::string> group;
        for (const TableColumn* column : *work)
            group.push_back(fmt::format("{} {}", column->name, sweep::text_of(table.at(*column, row))));
        groups[group].push_back(row);
    }
    result.goal_columns = result.shown = *goals;
    for (const auto& more : {*work, parameters_of(study, table)})
        for (const TableColumn* column : more)
            if (std::find(result.shown.begin(), result.shown.end(), column) == result.shown.end())
                result.shown.push_back(column);
    for (auto& [names, members] : groups) {
        std::vector<std::vector<double>> points;
        for (const std::size_t row : members) {
            points.emplace_back();
            for (const TableColumn* goal : *goals) points.back().push_back(number_at(table, *goal, row));
        }
        StudyFront::Group group{fmt::format("{}", fmt::join(names, ", ")), members, {}, 0};
        for (const std::size_t place : study::pareto_front(points)) {
            group.front.push_back(members[place]);
            group.equal += static_cast<std::size_t>(std::count(points.begin(), points.end(), points[place])) - 1;
        }
        result.groups.push_back(std::move(group));
    }
    return result;
}

Result<StudySensitivity> study_sensitivity(const sweep::StudyFolder& study, const sweep::Table& table,
                                           const std::string& result) {
    const auto column = table.find(result);
    if (!column) return column.error();
    StudySensitivity sensitivity;
    sensitivity.column = (*column)->name;
    std::vector<std::string> names;
    std::vector<const TableColumn*> factors;
    std::vector<const TableColumn*> groups;
    if (const TableColumn* command = command_column(table)) groups.push_back(command);
    for (const sweep::Axis& axis : study.description().axes) {
        const auto parameter = table.find(axis.name);
        if (!parameter) return parameter.error();
        if (axis.values.size() < 2) continue;
        if (std::string why = why_left_out(axis, **parameter); !why.empty()) {
            if (axis.name != "seed") groups.push_back(*parameter);
            sensitivity.left_out.push_back({axis.name, std::move(why)});
            continue;
        }
        factors.push_back(*parameter);
        names.push_back(axis.name);
    }
    sensitivity.counted = counted_rows(table, [&](std::size_t row) { return number_at(table, **column, row) > 0; });
    std::vector<study::Sample> samples;
    for (const std::size_t row : sensitivity.counted.rows) {
        study::Sample sample;
        for (const TableColumn* group : groups) sample.group += sweep::text_of(table.at(*group, row)) + '\n';
        for (const TableColumn* factor : factors) sample.factors.push_back(number_at(table, *factor, row));
        sample.result = number_at(table, **column, row);
        samples.push_back(std::move(sample));
    }
    auto fit = study::fit_elasticities(names, samples);
    if (!fit) {
        Error error = fit.error();
        for (const auto& [name, why] : sensitivity.left_out)
            error.what += fmt::format("; {} is left out: {}", name, why);
        return error;
    }
    sensitivity.fit = std::move(*fit);
    return sensitivity;
}

}  // namespace sassafras::cli
