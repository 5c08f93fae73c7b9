// Results into the table: the files are read one after the other, and nothing of one is kept but its numbers.
#include <array>
#include <charconv>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/whole_file.hpp"
#include "study/sweep/launch_parts.hpp"
#include "study/sweep/study_folder.hpp"
#include "study/sweep/table.hpp"

namespace sassafras::study::sweep {

namespace {

using Json = nlohmann::ordered_json;
using StoredStates = std::unordered_map<std::string, RunStore::State>;

constexpr std::uint64_t most_record_bytes = std::uint64_t{1} << 30U;
constexpr std::size_t longest_list = 16;  // a list that is longer is no row of numbers
constexpr std::string_view cycles = "sm__cycles_elapsed.max";

Cell cell_of(const std::string& text) {
    double number = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (!text.empty() && code == std::errc() && end == text.data() + text.size()) return number;
    return text;
}

/// Metrics of all launches as one value each.
class LaunchSums {
  public:
    void add(const Json& metrics) {
        const double weight = metrics.value(std::string(cycles), 1.0);
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

void flatten(const Json& json, const std::string& place, Table& table) {
    if (json.is_number()) return table.set(place, json.get<double>());
    if (json.is_boolean()) return table.set(place, json.get<bool>() ? 1.0 : 0.0);
    if (json.is_string()) return table.set(place, json.get<std::string>());
    if (json.is_object())
        for (const auto& [name, value] : json.items()) flatten(value, place.empty() ? name : place + "." + name, table);
    if (json.is_array() && json.size() <= longest_list)
        for (std::size_t i = 0; i < json.size(); ++i) flatten(json[i], fmt::format("{}.{}", place, i), table);
}

void add_report(const Json& report, Table& table) {
    if (!report.is_object()) return;
    LaunchSums launches;
    Json rest = report;
    for (const char* name : {"sassafras", "command"}) rest.erase(name);
    if (rest.contains("kernels") && rest["kernels"].is_array()) {
        for (const Json& kernel : rest["kernels"])
            if (kernel.contains("metrics") && kernel["metrics"].is_object()) launches.add(kernel["metrics"]);
        rest.erase("kernels");
    }
    flatten(rest, "", table);
    launches.write(table);
}

/// What is kept of one row: of a run, or of the parts of one.
struct RowResult {
    RunStore::State state = RunStore::State::missing;
    std::string error;
    Json report;  ///< null if there is none
};

Result<Json> read_record(const RunStore& store, const std::string& key, RunStore::State state) {
    const std::string file = store.place(key, state).string();
    auto text = read_whole_text(file, most_record_bytes);
    if (!text) return text.error();
    Json record = Json::parse(*text, nullptr, false);
    if (record.is_object()) return record;
    return Error{ErrorKind::bad_input, "this is no result of a run", file,
                 "remove the file; sassafras sweep run makes it again"};
}

/// Done if all parts are; failed if one has failed.
Result<RowResult> row_result(const StudyFolder& study, const StoredStates& states, std::span<const std::string> keys) {
    RowResult row{RunStore::State::done, "", nullptr};
    std::vector<Json> reports;
    for (const std::string& key : keys) {
        const auto found = states.find(key);
        if (found == states.end()) {
            if (row.state == RunStore::State::done) row.state = RunStore::State::missing;
            continue;
        }
        auto record = read_record(study.store(), key, found->second);
        if (!record) return record.error();
        if (found->second == RunStore::State::failed) {
            row.state = RunStore::State::failed;
            const Json& error = (*record)["error"];
            if (row.error.empty() && error.is_string()) row.error = error.get<std::string>();
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
        case RunStore::State::failed: return "failed";
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
    for (std::size_t i = 0; i < study.rows().size(); ++i) {
        const PlannedRun& run = study.rows()[i];
        const auto row = row_result(study, states, std::span(study.keys()).subspan(i * parts, parts));
        if (!row) return row.error();
        table.add_row();
        table.set("run", static_cast<double>(i));
        table.set("status", word_for(row->state));
        table.set("error", row->error.empty() ? Cell() : Cell(row->error));
        table.set("key", study.row_keys()[i]);
        if (several) table.set("command", fmt::format("{}", fmt::join(run.command, " ")));
        for (const auto& [name, value] : run.parameters) table.set(name, cell_of(value));
        add_report(row->report, table);
    }
    return table;
}

}  // namespace sassafras::study::sweep
