#include "study/compare/report_file.hpp"

#include <utility>

#include <nlohmann/json.hpp>

#include "core/json_reader.hpp"
#include "core/whole_file.hpp"
#include "sim/metrics/metric_list.hpp"
#include "study/compare/metric_unit.hpp"
#include "study/compare/ncu_pages.hpp"

namespace sassafras::study {

namespace {

using ReportJson = nlohmann::ordered_json;

/// A member of an object; null for none.
const ReportJson& member_of(const ReportJson& json, const char* name) {
    static const ReportJson none;
    const auto found = json.is_object() ? json.find(name) : json.end();
    return json.is_object() && found != json.end() ? *found : none;
}

std::string text_in(const ReportJson& json) { return json.is_string() ? json.get<std::string>() : std::string(); }

std::optional<Dim3> extents_of(const ReportJson& json) {
    if (!json.is_array() || json.size() != 3) return std::nullopt;
    for (const ReportJson& side : json)
        if (!side.is_number_unsigned() || side.get<std::uint64_t>() > UINT32_MAX) return std::nullopt;
    return Dim3{json[0].get<std::uint32_t>(), json[1].get<std::uint32_t>(), json[2].get<std::uint32_t>()};
}

/// As the report says; of one without units, as the list of metrics does.
std::string unit_of_metric(const ReportJson& units, const std::string& name) {
    if (const ReportJson& said = member_of(units, name.c_str()); said.is_string()) return said.get<std::string>();
    for (const sim::MetricRow& row : sim::metric_rows)
        if (row.name == name) return std::string(row.unit);
    return {};
}

MeasuredLaunch launch_of_json(const ReportJson& json, const ReportJson& units) {
    MeasuredLaunch launch;
    launch.name = text_in(member_of(json, "name"));
    launch.demangled = text_in(member_of(json, "demangled"));
    if (launch.demangled.empty()) launch.demangled = launch.name;
    launch.grid = extents_of(member_of(json, "grid"));
    launch.block = extents_of(member_of(json, "block"));
    launch.stream = text_in(member_of(json, "stream"));
    const ReportJson& metrics = member_of(json, "metrics");
    if (!metrics.is_object()) return launch;
    for (const auto& [name, value] : metrics.items()) {
        if (!value.is_number()) continue;
        BaseUnit base = base_unit(unit_of_metric(units, name));
        launch.metrics.push_back({name, std::move(base.unit), value.get<double>() * base.factor});
    }
    return launch;
}

Result<MeasuredReport> report_of_json(std::string_view text, const std::string& file) {
    JsonFaults faults(file);
    const auto json = parse_json(text, faults);
    if (!json || !faults.empty()) return faults.error();
    const ReportJson& kernels = member_of(*json, "kernels");
    const std::string kind = text_in(member_of(*json, "kind"));
    if (!kernels.is_array() || (!kind.empty() && kind != "launches"))
        return Error{ErrorKind::bad_input,
                     kind.empty() ? "this is no report of launches" : "this is a report of the kind " + kind, file,
                     "give what --json of run, exec, launch, trace replay or import has written"};
    MeasuredReport report{file, "sassafras", {}, text_in(member_of(member_of(*json, "platform"), "name")), {}};
    if (const std::string profiler = text_in(member_of(member_of(*json, "workload"), "profiler")); !profiler.empty())
        report.profiler = profiler;
    for (const ReportJson& kernel : kernels)
        if (kernel.is_object()) report.launches.push_back(launch_of_json(kernel, member_of(*json, "units")));
    if (report.launches.empty()) return Error{ErrorKind::bad_input, "there is no launch in this report", file, {}};
    return report;
}

/// As Windows marks UTF-8.
std::string_view without_mark(std::string_view text) {
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    return text.starts_with(mark) ? text.substr(mark.size()) : text;
}

/// A page begins with its header, or with the kernel that a table of source lines is of.
bool begins_page(std::string_view line) {
    for (const std::string_view begin : {"\"ID\",", "ID,", "\"Kernel Name\",", "Kernel Name,"})
        if (line.starts_with(begin)) return true;
    return false;
}

/// What stands before the page is the profiled program's, whatever it looks like. All, if there is no page.
std::string_view behind_output(std::string_view text) {
    for (std::size_t begin = 0; begin < text.size();) {
        if (begins_page(text.substr(begin))) return text.substr(begin);
        const std::size_t end = text.find('\n', begin);
        if (end == std::string_view::npos) break;
        begin = end + 1;
    }
    return text;
}

/// Without what a profiler says itself.
std::string lines_of_data(std::string_view text) {
    std::string kept;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::string_view line = text.substr(0, end == std::string_view::npos ? text.size() : end + 1);
        if (!line.starts_with("==")) kept += line;
        text.remove_prefix(line.size());
    }
    return kept;
}

}  // namespace

Result<MeasuredReport> report_in(std::string_view given, const std::string& file) {
    const std::string_view text = without_mark(given);
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin != std::string_view::npos && text[begin] == '{') return report_of_json(text, file);
    const auto rows = csv_rows(lines_of_data(behind_output(text)), file);
    if (!rows) return rows.error();
    return read_ncu_page(*rows, file);
}

Result<MeasuredReport> read_report(const std::string& path) {
    const auto text = read_whole_text(path, most_report_bytes);
    if (!text) return text.error();
    return report_in(*text, path);
}

}  // namespace sassafras::study
