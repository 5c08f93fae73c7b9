#include "sim/device/device.hpp"

namespace sassafras::sim {

std::optional<double> total_of(std::span<const KernelResult> launches, MetricId wanted) {
    const MetricRow& row = row_of(wanted);
    if (row.merge == Merge::parts) return ratio_of(wanted, [&](MetricId part) { return total_of(launches, part); });
    if (row.merge == Merge::none) return std::nullopt;
    double sum = 0;
    for (const KernelResult& launch : launches) {
        const auto value = launch.metrics.find(wanted);
        if (!value) return std::nullopt;
        sum += *value;
    }
    return sum;
}

Bytes Device::known_zeros(Address /*from*/, Bytes /*size*/) const { return Bytes{0}; }

const std::vector<Finding>& Device::findings() const {
    static const std::vector<Finding> none;
    return none;
}

}  // namespace sassafras::sim
