// The list of metrics, and what launches together have.
#include <map>
#include <string>
#include <vector>

#include <pybind11/stl.h>

#include "python/module/parts.hpp"
#include "sim/device/device.hpp"
#include "sim/metrics/metric_list.hpp"

namespace sassafras::python {

namespace {

namespace py = pybind11;

using Values = std::map<std::string, double>;

py::list metric_rows() {
    py::list rows;
    for (const sim::MetricRow& row : sim::metric_rows)
        if (!row.is_part)
            rows.append(py::make_tuple(std::string(row.name), std::string(row.unit), std::string(row.meaning)));
    return rows;
}

/// As the command line adds up launches: a metric that says nothing of several is left out.
Values total_of_launches(const std::vector<Values>& launches) {
    std::vector<sim::KernelResult> results(launches.size());
    for (std::size_t i = 0; i < launches.size(); ++i)
        for (const auto& [name, value] : launches[i])
            if (const auto metric = sim::find_metric(name)) results[i].metrics.put(*metric, value);
    Values total;
    if (results.empty()) return total;
    for (const auto& [metric, value] : results.front().metrics.reported()) {
        const auto sum = sim::total_of(results, metric);
        if (sum) total.emplace(std::string(sim::name_of(metric)), *sum);
    }
    return total;
}

}  // namespace

void add_metrics(py::module_& module) {
    module.def("metric_rows", &metric_rows);
    module.def("total_of_launches", &total_of_launches, py::arg("launches"));
}

}  // namespace sassafras::python
