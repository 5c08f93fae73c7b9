#include "study/sweep/stored_record.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "core/whole_file.hpp"
#include "study/sweep/record_checksum.hpp"
#include "study/sweep/run_metrics.hpp"

namespace sassafras::study::sweep {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t most_record_bytes = std::uint64_t{1} << 30U;

bool has(const Json& object, const char* name) { return object.is_object() && object.contains(name); }

bool is_kernel(const Json& kernel, bool is_part) {
    if (!kernel.is_object()) return false;
    if (!kernel.contains("metrics")) return !is_part;
    const Json& metrics = kernel["metrics"];
    if (!metrics.is_object()) return false;
    const auto is_value = [](const Json& value) { return value.is_number() || value.is_null(); };
    return std::all_of(metrics.begin(), metrics.end(), is_value) &&
           (!metrics.contains(cycles_metric) || metrics[cycles_metric].is_number());
}

/// What puts parts together asks for the launches that each has timed, and for numbers to add.
bool is_part_report(const Json& report) {
    if (!has(report, "launches") || !has(report, "kernels")) return true;  // refused there, in its words
    const Json& launches = report["launches"];
    if (!has(launches, "all") || !launches["all"].is_number_unsigned()) return false;
    if (!has(launches, "numbers") || !launches["numbers"].is_array()) return false;
    const Json& numbers = launches["numbers"];
    const auto is_number = [](const Json& number) { return number.is_number_unsigned(); };
    const auto has_time = [](const Json& kernel) {
        const Json& metrics = kernel["metrics"];
        return !metrics.contains(time_metric) || metrics[time_metric].is_number();
    };
    return numbers.size() == report["kernels"].size() && std::all_of(numbers.begin(), numbers.end(), is_number) &&
           std::all_of(report["kernels"].begin(), report["kernels"].end(), has_time) &&
           (!report.contains("total") || report["total"].is_object());
}

bool is_report(const Json& report, bool is_part) {
    if (!report.is_object()) return false;
    if (!report.contains("kernels")) return true;
    const Json& kernels = report["kernels"];
    if (!kernels.is_array()) return !is_part;
    return std::all_of(kernels.begin(), kernels.end(),
                       [&](const Json& kernel) { return is_kernel(kernel, is_part); }) &&
           (!is_part || is_part_report(report));
}

bool is_record(const Json& record, RunStore::State state, bool is_part) {
    if (!has(record, "report")) return false;
    const Json& report = record["report"];
    if (state == RunStore::State::failed)
        return (report.is_null() || is_report(report, false)) && has(record, "error") && record["error"].is_string();
    return is_report(report, is_part);
}

/// Of a record's text the first member of this name; nothing before it is text of others but in quotes of its own.
bool says(std::string_view record, std::string_view name, std::string_view value) {
    const std::string member = fmt::format("\"{}\":\"", name);
    const std::size_t at = record.find(member);
    return at != std::string_view::npos && record.substr(at + member.size()).starts_with(fmt::format("{}\"", value));
}

/// Whole, and the result of this run: a file may have been copied, or given another name.
bool is_own(std::string_view record, const std::string& key, RunStore::State state) {
    return has_own_checksum(record) && says(record, "key", key) &&
           says(record, "status", state == RunStore::State::failed ? "failed" : "done");
}

}  // namespace

bool is_intact(const RunStore& store, const std::string& key, RunStore::State state) {
    const auto text = read_whole_text(store.place(key, state).string(), most_record_bytes);
    return text && is_own(*text, key, state);
}

Result<Json> read_record(const RunStore& store, const std::string& key, RunStore::State state, bool is_part) {
    const std::string file = store.place(key, state).string();
    auto text = read_whole_text(file, most_record_bytes);
    if (!text) return text.error();
    if (is_own(*text, key, state)) {
        Json record = Json::parse(*text, nullptr, false);
        if (is_record(record, state, is_part)) return record;
    }
    return Error{ErrorKind::bad_input, "the stored result is damaged", file,
                 "run the study again, which makes it anew"};
}

}  // namespace sassafras::study::sweep
