#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "cli/html/charts/charts.hpp"
#include "cli/html/spec.hpp"
#include "cli/reports/kernel_name.hpp"

namespace sassafras::cli::charts {

namespace {

constexpr std::size_t most_kernels = 20;

struct TimeOfKernel {
    std::string name;
    double us = 0;
    std::uint64_t launches = 0;
};

}  // namespace

Spec kernels(const RunSource& run) {
    if (!run.report.total("gpu__time_duration.sum"_metric)) return nullptr;
    std::vector<TimeOfKernel> kernels;
    std::map<std::string, std::size_t> places;
    double total = 0;
    for (const sim::KernelResult& launch : run.report.kernels) {
        const auto [place, is_new] = places.try_emplace(launch.name, kernels.size());
        if (is_new) kernels.push_back({kernel_name(launch.name), 0, 0});
        const double us = launch.metric("gpu__time_duration.sum"_metric) / 1000;
        kernels[place->second].us += us;
        ++kernels[place->second].launches;
        total += us;
    }
    if (kernels.size() < 2 || total <= 0) return nullptr;
    std::stable_sort(kernels.begin(), kernels.end(),
                     [](const TimeOfKernel& left, const TimeOfKernel& right) { return left.us > right.us; });
    if (kernels.size() > most_kernels) {
        TimeOfKernel others{std::to_string(kernels.size() - most_kernels) + " others", 0, 0};
        for (std::size_t i = most_kernels; i < kernels.size(); ++i) {
            others.us += kernels[i].us;
            others.launches += kernels[i].launches;
        }
        kernels.resize(most_kernels);
        kernels.push_back(std::move(others));
    }
    Spec values = Spec::array();
    for (const TimeOfKernel& kernel : kernels)
        values.push_back({{"kernel", kernel.name},
                          {"us", kernel.us},
                          {"percent", 100 * kernel.us / total},
                          {"launches", kernel.launches}});
    return bars(std::move(values),
                {.name = "kernel", .value = "us", .x = "time of all launches, µs", .format = ",.2~f"});
}

}  // namespace sassafras::cli::charts
