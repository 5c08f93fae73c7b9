#include <sassafras/metrics.hpp>

#include "sim/metrics/metric_list.hpp"

namespace sassafras::SASSAFRAS_VERSIONED {
namespace {

std::vector<MetricInfo> public_rows() {
    std::vector<MetricInfo> rows;
    for (const sim::MetricRow& row : sim::metric_rows)
        if (!row.is_part) rows.push_back({std::string(row.name), std::string(row.unit), std::string(row.meaning)});
    return rows;
}

}  // namespace

const std::vector<MetricInfo>& metric_list() {
    static const std::vector<MetricInfo> rows = public_rows();
    return rows;
}

}  // namespace sassafras::SASSAFRAS_VERSIONED
