#include "study/compare/ncu_pages.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>
#include <utility>

#include "sim/metrics/metric_list.hpp"
#include "study/compare/kernel_identity.hpp"
#include "study/compare/metric_unit.hpp"
#include "study/compare/ncu_source_page.hpp"

namespace sassafras::study {

namespace {

constexpr const char* what_is_read = "give what `ncu --csv --page raw`, details or source has printed";

/// By name in a header.
class Columns {
  public:
    explicit Columns(const CsvRow& header) : header_(header) {}

    [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const {
        const auto found = std::find(header_.begin(), header_.end(), name);
        if (found == header_.end()) return std::nullopt;
        return static_cast<std::size_t>(found - header_.begin());
    }
    /// Empty where the row has none.
    [[nodiscard]] std::string text(const CsvRow& row, std::string_view name) const {
        const auto index = find(name);
        return index && *index < row.size() ? row[*index] : std::string();
    }

  private:
    const CsvRow& header_;
};

/// Columns of the raw page that are of the launch, and no metrics.
constexpr auto launch_columns = std::to_array<std::string_view>(
    {"ID", "Process ID", "Process Name", "Host Name", "Kernel Name", "Context", "Stream", "Block Size", "Grid Size",
     "Device", "CC", "NVTX Context", "thread Domain"});

bool is_launch_column(std::string_view name) {
    return std::find(launch_columns.begin(), launch_columns.end(), name) != launch_columns.end();
}

/// "(32, 8, 1)"
std::optional<Dim3> extents_in(const std::string& text) {
    Dim3 size;
    std::size_t at = 0;
    for (std::uint32_t* const side : {&size.x, &size.y, &size.z}) {
        at = text.find_first_of("0123456789", at);
        if (at == std::string::npos) return std::nullopt;
        const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), *side);
        if (error != std::errc{}) return std::nullopt;
        at = static_cast<std::size_t>(end - text.data());
    }
    return size;
}

MeasuredLaunch launch_in(const CsvRow& row, const Columns& columns) {
    MeasuredLaunch launch;
    launch.name = launch.demangled = columns.text(row, "Kernel Name");
    launch.grid = extents_in(columns.text(row, "Grid Size"));
    launch.block = extents_in(columns.text(row, "Block Size"));
    launch.stream = columns.text(row, "Stream");
    return launch;
}

void put_metric(MeasuredLaunch& launch, const std::string& name, const std::string& unit, const std::string& text) {
    const auto value = ncu_number(text);
    if (!value) return;
    BaseUnit base = base_unit(unit);
    launch.metrics.push_back({name, std::move(base.unit), *value * base.factor});
}

std::vector<MeasuredLaunch> raw_launches(const std::vector<CsvRow>& rows) {
    const Columns columns(rows[0]);
    std::vector<MeasuredLaunch> launches;
    for (std::size_t i = 2; i < rows.size(); ++i) {
        MeasuredLaunch launch = launch_in(rows[i], columns);
        for (std::size_t j = 0; j < std::min(rows[0].size(), rows[i].size()); ++j)
            if (!is_launch_column(rows[0][j]) && j < rows[1].size())
                put_metric(launch, rows[0][j], rows[1][j], rows[i][j]);
        launches.push_back(std::move(launch));
    }
    return launches;
}

/// Labels behind which Nsight Compute 2025 has another metric than our page has.
constexpr auto other_labels = std::to_array<std::pair<std::string_view, std::string_view>>(
    {{"Elapsed Cycles", "gpc__cycles_elapsed.max"},
     {"SM Frequency", "gpc__cycles_elapsed.avg.per_second"},
     {"L2 Cache Throughput", "lts__throughput.avg.pct_of_peak_sustained_elapsed"}});

/// The metric that the details page shows under this label; the label itself where none or several do.
std::string metric_of_label(const std::string& section, const std::string& label, bool is_own) {
    for (const auto& [known, metric] : other_labels)
        if (known == label && !is_own) return std::string(metric);
    std::set<std::string_view> found;
    for (const sim::MetricRow& row : sim::metric_rows)
        if (row.details.label == label && section.starts_with(sim::name_of(row.details.section)))
            found.insert(row.name);
    return found.size() == 1 ? std::string(*found.begin()) : label;
}

std::vector<MeasuredLaunch> details_launches(const std::vector<CsvRow>& rows) {
    const Columns columns(rows[0]);
    std::vector<MeasuredLaunch> launches;
    std::string last;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        const std::string id = columns.text(rows[i], "ID");
        if (launches.empty() || id != last) launches.push_back(launch_in(rows[i], columns));
        last = id;
        const std::string label = columns.text(rows[i], "Metric Name");
        if (label.empty()) continue;  // a rule
        const std::string name = metric_of_label(columns.text(rows[i], "Section Name"), label,
                                                 columns.text(rows[i], "Process Name") == "sassafras");
        if (launches.back().find(name) != nullptr) continue;  // in another section, too
        put_metric(launches.back(), name, columns.text(rows[i], "Metric Unit"), columns.text(rows[i], "Metric Value"));
    }
    return launches;
}

}  // namespace

const MeasuredMetric* MeasuredLaunch::find(const std::string& metric) const {
    const auto found =
        std::find_if(metrics.begin(), metrics.end(), [&](const MeasuredMetric& known) { return known.name == metric; });
    return found == metrics.end() ? nullptr : &*found;
}

std::optional<double> ncu_number(std::string_view text) {
    std::string digits;
    for (const char letter : text.substr(0, text.find(" (")))  // behind it the instances
        if (letter != ',') digits += letter;
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size() || !std::isfinite(value)) return std::nullopt;
    return value;
}

Result<MeasuredReport> read_ncu_page(const std::vector<CsvRow>& rows, const std::string& file) {
    MeasuredReport report{file, "Nsight Compute", {}, {}, {}};
    if (rows.empty()) return Error{ErrorKind::bad_input, "there is nothing in this file", file, what_is_read};
    const Columns columns(rows[0]);
    if (is_source_page(rows)) {
        report.page = "source";
        report.launches = source_launches(rows);
    } else if (columns.find("Metric Name") && columns.find("Metric Value") && columns.find("Kernel Name")) {
        report.page = "details";
        report.launches = details_launches(rows);
    } else if (columns.find("ID") && columns.find("Kernel Name")) {
        report.page = "raw";
        report.launches = raw_launches(rows);
        if (rows.size() > 2) report.device = columns.text(rows[2], "device__attribute_display_name");
    } else {
        return Error{ErrorKind::bad_input, "this is no page of Nsight Compute", file, what_is_read};
    }
    if (report.launches.empty())
        return Error{ErrorKind::bad_input, "there is no launch in this file", file, what_is_read};
    return report;
}

Result<void> add_source_page(MeasuredReport& report, const MeasuredReport& source) {
    std::vector<bool> taken(report.launches.size());
    for (const MeasuredLaunch& table : source.launches) {
        const KernelIdentity kernel = KernelIdentity::of(table.demangled);
        std::size_t i = 0;
        while (i < taken.size() &&
               (taken[i] || !KernelIdentity::of(report.launches[i].demangled).is_same_kernel(kernel)))
            ++i;
        if (i == taken.size())
            return Error{ErrorKind::bad_input, "its " + table.demangled + " is no launch of " + report.file,
                         source.file, "give pages of one recording"};
        taken[i] = true;
        report.launches[i].instructions = table.instructions;
    }
    return {};
}

}  // namespace sassafras::study
