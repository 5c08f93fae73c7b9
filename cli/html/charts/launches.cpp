#include <algorithm>
#include <map>
#include <set>
#include <string>

#include <fmt/format.h>

#include "cli/html/charts/charts.hpp"
#include "cli/html/spec.hpp"
#include "cli/reports/kernel_name.hpp"
#include "core/number_text.hpp"

namespace sassafras::cli::charts {

namespace {

constexpr std::size_t most_points = 1000;
constexpr std::size_t most_names = 8;

/// Those that have a colour of their own: the kernels with most launches.
std::set<std::string> names_with_color(const Report& report) {
    std::map<std::string, std::size_t> counts;
    for (const sim::KernelResult& launch : report.kernels) ++counts[launch.name];
    std::vector<std::pair<std::string, std::size_t>> order(counts.begin(), counts.end());
    std::stable_sort(order.begin(), order.end(),
                     [](const auto& left, const auto& right) { return left.second > right.second; });
    std::set<std::string> names;
    const std::size_t most = order.size() > most_names ? most_names - 1 : most_names;
    for (std::size_t i = 0; i < std::min(most, order.size()); ++i) names.insert(order[i].first);
    return names;
}

}  // namespace

Spec launches(const RunSource& run) {
    const std::vector<sim::KernelResult>& all = run.report.kernels;
    if (all.size() < 2 || !run.report.total("sm__cycles_elapsed.max"_metric)) return nullptr;
    const std::set<std::string> named = names_with_color(run.report);
    const std::size_t step = (all.size() + most_points - 1) / most_points;
    Spec values = Spec::array();
    for (std::size_t i = 0; i < all.size(); i += step)
        values.push_back({{"launch", run.report.part ? run.report.part->numbers[i] : i},
                          {"cycles", all[i].metric("sm__cycles_elapsed.max"_metric)},
                          {"kernel", named.contains(all[i].name) ? kernel_name(all[i].name) : "others"}});
    Spec spec = spec_of(
        std::move(values),
        {{"height", 200},
         {"mark",
          {{"type", "point"}, {"filled", true}, {"size", 45}, {"opacity", 0.9}, {"tooltip", {{"content", "data"}}}}},
         {"encoding",
          {{"x",
            {{"field", "launch"},
             {"type", "quantitative"},
             {"title", "launch"},
             {"scale", {{"zero", false}}},
             {"axis", {{"tickMinStep", 1}, {"format", "d"}}}}},
           {"y",
            {{"field", "cycles"},
             {"type", "quantitative"},
             {"title", "cycles"},
             {"scale", {{"type", "log"}}},
             {"axis", {{"tickCount", 4}, {"format", "~s"}, {"grid", false}}}}},
           {"color",
            {{"field", "kernel"},
             {"type", "nominal"},
             {"sort", nullptr},
             {"legend", {{"orient", "bottom"}, {"columns", 1}, {"title", nullptr}, {"labelLimit", 420}}}}}}}});
    if (step > 1) spec["title"] = remark(fmt::format("every {}th of {} launches", step, grouped(all.size())));
    return spec;
}

}  // namespace sassafras::cli::charts
