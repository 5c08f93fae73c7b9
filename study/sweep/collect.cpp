// Results into the table: the files are read one after the other, and nothing of one is kept but its numbers.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "study/sweep/launch_parts.hpp"
#include "study/sweep/run_metrics.hpp"
#include "study/sweep/stored_record.hpp"
#include "study/sweep/study_folder.hpp"
#include "study/sweep/table.hpp"

namespace sassafras::study::sweep {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t longest_list = 16;  // a list that is longer is no row of numbers

/// A double, unless the number has more digits than one.
Cell cell_of_number(const Json& json) {
    constexpr std::int64_t most_exact = std::int64_t{1} << 53U;
    const bool fits = !json.is_number_unsigned() ||
                      json.get<std::uint64_t>() <= std::uint64_t{std::numeric_limits<std::int64_t>::max()};
    if (json.is_number_integer() && fits) {
        const auto integer = json.get<std::int64_t>();
        if (integer > most_exact || integer < -most_exact) return integer;
    }
    return json.get<double>();
}

/// Metrics of all launches as one value each.
class LaunchSums {
  public:
    void add(const Json& metrics) {
        const double weight = metrics.value(cycles_metric, 1.0);
        ++launches_;
        for (const auto& [name, value] : metrics.items()) {
            if (!value.is_number()) continue;
            const auto number = value.get<double>();
            const auto [place, is_new] = sums_.try_emplace(name);
            if (is_new) order_.push_back(name);
            Sum& sum = place->second;
            sum.least = is_new ? number : std::min(sum.least, number);
            sum.greatest = is_new ? number : std::max(sum.greatest, number);
            sum.sum += number;
            sum.weighted += weight * number;
            sum.weight += weight;
        }
    }

    void write(Table& table) const {
        if (launches_ == 0) return;
        table.set("launches", static_cast<double>(launches_));
        for (const std::string& name : order_) table.set(name, value(name, sums_.at(name)));
    }

  private:
    struct Sum {
        double sum = 0;
        double least = 0;
        double greatest = 0;
        double weighted = 0;
        double weight = 0;
    };

    [[nodiscard]] double value(const std::string& name, const Sum& sum) const {
        if (launches_ == 1 || name.ends_with(".sum")) return sum.sum;
        if (name.ends_with(".max")) return sum.greatest;
        if (name.ends_with(".min")) return sum.least;
        return sum.weight == 0 ? 0 : sum.weighted / sum.weight;
    }

    std::map<std::string, Sum> sums_;
    std::vector<std::string> order_;
    std::size_t launches_ = 0;
};

/// A report's values into the row that was added last.
class ReportColumns {
  public:
    /// `taken` are columns that no report may write.
    ReportColumns(Table& table, std::vector<std::string> taken) : table_(table), taken_(std::move(taken)) {}

    void add(const Json& report) {
        if (!report.is_object()) return;
        LaunchSums launches;
        Json rest = report;
        for (const char* name : {"sassafras", "schema_version", "kind", "command", "units"}) rest.erase(name);
        if (rest.contains("kernels") && rest["kernels"].is_array())
            for (Json& kernel : rest["kernels"])
                if (kernel.contains("metrics") && kernel["metrics"].is_object()) {
                    launches.add(kernel["metrics"]);
                    kernel.erase("metrics");  // all else stands by its place: kernels.0.registers_per_thread
                }
        flatten(rest, "");
        launches.write(table_);
    }

    /// A list that is too long in one row is no row of numbers in any.
    void leave_out_long_lists() const {
        for (const std::string& place : long_lists_) table_.leave_out_list(place);
    }

  private:
    void flatten(const Json& json, const std::string& place) {
        if (json.is_number()) return set(place, cell_of_number(json));
        if (json.is_boolean()) return set(place, json.get<bool>() ? 1.0 : 0.0);
        if (json.is_string()) return set(place, json.get<std::string>());
        if (json.is_object())
            for (const auto& [name, value] : json.items()) flatten(value, place.empty() ? name : place + "." + name);
        if (!json.is_array()) return;
        if (json.size() > longest_list) {
            long_lists_.insert(place);
            return;
        }
        for (std::size_t i = 0; i < json.size(); ++i) flatten(json[i], fmt::format("{}.{}", place, i));
    }

    void set(const std::string& place, Cell value) {
        const bool is_taken = std::any_of(taken_.begin(), taken_.end(),
                                          [&](const std::string& column) { return is_same_column(column, place); });
        table_.set(is_taken ? "report." + place : place, std::move(value));
    }

    Table& table_;
    std::vector<std::string> taken_;
    std::set<std::string> long_lists_;
};

/// What is kept of one row: of a run, or of the parts of one.
struct RowResult {
    RunStore::State state = RunStore::State::missing;
    std::string error;
    Json report;  ///< null if there is none
};

/// Done if all parts are; failed if one has failed.
Result<RowResult> row_result(const StudyFolder& study, const RunStore::States& states,
                             std::span<const std::string> keys) {
    RowResult row{RunStore::State::done, "", nullptr};
    std::vector<Json> reports;
    for (const std::string& key : keys) {
        const auto found = states.find(key);
        if (found == states.end()) {
            if (row.state == RunStore::State::done) row.state = RunStore::State::missing;
            continue;
        }
        auto record = read_record(study.store(), key, found->second, keys.size() != 1);
        if (!record) {
            // One damaged file does not keep the others from being seen.
            row.state = RunStore::State::failed;
            if (row.error.empty()) row.error = record.error().message();
            continue;
        }
        if (found->second == RunStore::State::failed) {
            row.state = RunStore::State::failed;
            if (row.error.empty()) row.error = (*record)["error"].get<std::string>();
        }
        reports.push_back((*record)["report"]);
    }
    if (keys.size() == 1) {
        if (!reports.empty()) row.report = std::move(reports.front());
    } else if (row.state == RunStore::State::done) {
        auto whole = whole_report(std::move(reports));
        if (!whole) return whole.error();
        row.report = std::move(*whole);
    }
    return row;
}

std::string word_for(RunStore::State state) {
    switch (state) {
        case RunStore::State::done: return "done";
        case RunStore::State::failed:
        case RunStore::State::damaged: return "failed";
        case RunStore::State::missing: return "missing";
    }
    return "";
}

}  // namespace

Result<Table> collect(const StudyFolder& study) {
    const auto states = study.store().states();
    const bool several = study.description().commands.size() > 1;
    const std::uint64_t parts = study.description().split_launches;
    Table table;
    std::vector<std::string> taken(own_columns.begin(), own_columns.end());
    for (const Axis& axis : study.description().axes) taken.push_back(axis.name);
    ReportColumns reports(table, std::move(taken));
    for (std::size_t i = 0; i < study.rows().size(); ++i) {
        const PlannedRun& run = study.rows()[i];
        const auto row = row_result(study, states, std::span(study.keys()).subspan(i * parts, parts));
        if (!row) return row.error();
        table.add_row();
        table.set("run", static_cast<double>(i));
        table.set_text("status", word_for(row->state));
        table.set_text("error", row->error);
        table.set_text("key", study.row_keys()[i]);
        if (several) table.set_text("command", fmt::format("{}", fmt::join(study.command_of(i), " ")));
        for (const auto& [name, value] : run.parameters) table.set(name, cell_of(value));
        reports.add(row->report);
    }
    reports.leave_out_long_lists();
    return table;
}

}  // namespace sassafras::study::sweep
