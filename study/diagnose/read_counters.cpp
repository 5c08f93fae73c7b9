#include "study/diagnose/read_counters.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/json_reader.hpp"
#include "core/whole_file.hpp"
#include "study/diagnose/csv_rows.hpp"

namespace sassafras::study {

namespace {

using Launches = std::vector<NamedLaunch>;

constexpr std::string_view unnamed = "kernel";

std::optional<std::size_t> column(const CsvRow& header, std::string_view name) {
    const auto found = std::find(header.begin(), header.end(), name);
    if (found == header.end()) return std::nullopt;
    return static_cast<std::size_t>(found - header.begin());
}

std::string field(const CsvRow& row, std::optional<std::size_t> index) {
    return index && *index < row.size() ? row[*index] : std::string{};
}

/// The launch of this kernel that is being read: rows of one launch follow each other.
NamedLaunch& launch_of(Launches& launches, std::string& last, const std::string& id, const std::string& kernel) {
    if (launches.empty() || last != id) launches.push_back({kernel, {}});
    last = id;
    return launches.back();
}

/// Nsight Compute's page `details`: a row a metric.
Launches read_details(const std::vector<CsvRow>& rows, std::size_t name_column) {
    const CsvRow& header = rows[0];
    const auto value_column = column(header, "Metric Value");
    const auto unit_column = column(header, "Metric Unit");
    const auto kernel_column = column(header, "Kernel Name");
    const auto id_column = column(header, "ID");
    Launches launches;
    std::string last;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        const auto value = counter_value(field(rows[i], value_column));
        if (!value) continue;
        NamedLaunch& launch = launch_of(launches, last, field(rows[i], id_column), field(rows[i], kernel_column));
        launch.values[field(rows[i], name_column)] = *value * unit_factor(field(rows[i], unit_column));
    }
    return launches;
}

/// Its page `raw`: a row a launch, the units in the row below the names.
Launches read_raw(const std::vector<CsvRow>& rows, std::size_t kernel_column) {
    const CsvRow& header = rows[0];
    Launches launches;
    for (std::size_t i = 2; i < rows.size(); ++i) {
        NamedLaunch launch{field(rows[i], kernel_column), {}};
        for (std::size_t j = 0; j < std::min(header.size(), rows[i].size()); ++j)
            if (const auto value = counter_value(rows[i][j]))
                launch.values[header[j]] = *value * unit_factor(field(rows[1], j));
        launches.push_back(std::move(launch));
    }
    return launches;
}

/// nvprof's events or metrics: a row one of them of a kernel.
Launches read_nvprof(const std::vector<CsvRow>& rows, std::size_t name_column) {
    const CsvRow& header = rows[0];
    const auto value_column = column(header, "Avg");
    const auto kernel_column = column(header, "Kernel");
    Launches launches;
    std::string last;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        const std::string kernel = field(rows[i], kernel_column);
        const auto value = counter_value(field(rows[i], value_column));
        if (value) launch_of(launches, last, kernel, kernel).values[field(rows[i], name_column)] = *value;
    }
    return launches;
}

/// A name and a value a row.
Launches read_pairs(const std::vector<CsvRow>& rows) {
    NamedLaunch launch{std::string(unnamed), {}};
    for (const CsvRow& row : rows) {
        if (row.size() < 2) continue;
        if (row[0] == unnamed) launch.kernel = row[1];
        if (const auto value = counter_value(row[1]))
            launch.values[row[0]] = *value * (row.size() > 2 ? unit_factor(row[2]) : 1);
    }
    if (launch.values.empty()) return {};
    return {std::move(launch)};
}

Launches read_rows(const std::vector<CsvRow>& rows) {
    if (rows.empty()) return {};
    if (const auto name = column(rows[0], "Metric Name"))
        return column(rows[0], "Avg") ? read_nvprof(rows, *name) : read_details(rows, *name);
    if (const auto name = column(rows[0], "Event Name")) return read_nvprof(rows, *name);
    if (const auto kernel = column(rows[0], "Kernel Name")) return read_raw(rows, *kernel);
    return read_pairs(rows);
}

NamedLaunch numbers_of(const nlohmann::ordered_json& object, std::string kernel) {
    NamedLaunch launch{std::move(kernel), {}};
    for (const auto& [name, value] : object.items())
        if (value.is_number()) launch.values[name] = value.get<double>();
    return launch;
}

Launches read_json(const nlohmann::ordered_json& json) {
    Launches launches;
    if (!json.is_object()) return launches;
    const auto kernels = json.find("kernels");
    if (kernels == json.end() || !kernels->is_array()) {
        NamedLaunch launch = numbers_of(json, std::string(unnamed));
        if (!launch.values.empty()) launches.push_back(std::move(launch));
        return launches;
    }
    for (const auto& kernel : *kernels) {
        if (!kernel.is_object()) continue;
        const auto metrics = kernel.find("metrics");
        if (metrics == kernel.end() || !metrics->is_object()) continue;
        const auto name = kernel.find("name");
        const bool is_named = name != kernel.end() && name->is_string();
        launches.push_back(numbers_of(*metrics, is_named ? name->get<std::string>() : std::string(unnamed)));
    }
    return launches;
}

/// Without what a profiler says itself, and comments.
std::string data_lines(std::string_view text) {
    std::string kept;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size() - 1);
        const std::string_view line = text.substr(0, end + 1);
        if (!line.starts_with("==") && !line.starts_with('#')) kept += line;
        text.remove_prefix(line.size());
    }
    return kept;
}

}  // namespace

Result<std::vector<NamedLaunch>> launches_in(std::string_view text, const std::string& origin) {
    Launches launches;
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin != std::string_view::npos && (text[begin] == '{' || text[begin] == '[')) {
        JsonFaults faults(origin);
        const auto json = parse_json(text, faults);
        if (!json || !faults.empty()) return faults.error();
        launches = read_json(*json);
    } else {
        const auto rows = csv_rows(data_lines(text), origin);
        if (!rows) return rows.error();
        launches = read_rows(*rows);
    }
    if (launches.empty())
        return Error{ErrorKind::bad_input, "there is no launch with a number", origin,
                     "docs/diagnose.md says what files are read"};
    return launches;
}

Result<std::vector<NamedLaunch>> read_launches(const std::string& path) {
    const auto text = read_whole_text(path, most_counter_bytes);
    if (!text) return text.error();
    return launches_in(*text, path);
}

Result<std::vector<CountedKernel>> counted_kernels(const std::vector<NamedLaunch>& launches,
                                                   const std::string& origin) {
    std::vector<CountedKernel> kernels;
    for (const NamedLaunch& launch : launches) {
        const Counters counters = counters_of(launch.values);
        if (!counters.empty()) add_launch(kernels, launch.kernel, counters);
    }
    if (kernels.empty())
        return Error{ErrorKind::bad_input, "no name of a counter is known", origin,
                     "docs/diagnose.md lists the names that are"};
    return kernels;
}

}  // namespace sassafras::study
