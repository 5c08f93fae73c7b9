#include "workloads/micro/percentile.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace sassafras::workloads::micro {

double percentile(std::vector<double> samples, double percent) {
    if (samples.empty()) return 0;
    std::sort(samples.begin(), samples.end());
    const double rank = std::ceil(percent / 100 * static_cast<double>(samples.size()));
    return samples[std::min(samples.size() - 1, rank < 1 ? 0 : static_cast<std::size_t>(rank) - 1)];
}

double mean(const std::vector<double>& samples) {
    if (samples.empty()) return 0;
    return std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size());
}

}  // namespace sassafras::workloads::micro
