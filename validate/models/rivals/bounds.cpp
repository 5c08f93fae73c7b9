#include "validate/models/rivals/bounds.hpp"

#include <array>
#include <optional>

#include "validate/models/rivals/abstract_machines.hpp"

namespace sassafras::validate::rivals {

namespace {

struct Problem {
    const std::string& workload;
    const workloads::Selection& selection;
    const spt::Instance& instance;

    [[nodiscard]] double items() const { return static_cast<double>(selection.n); }
    [[nodiscard]] double processors() const { return instance.cores / instance.warp_lanes; }
};

std::optional<double> pem_bound(const Problem& problem) {
    const double block = problem.instance.warp_lanes;
    if (problem.workload == "scan") return pem_scan(problem.items(), problem.processors(), block);
    if (problem.workload == "sort")
        return pem_sort(problem.items(), problem.processors(), block,
                        problem.instance.shared_words / problem.processors());
    if (problem.workload != "search") return std::nullopt;
    constexpr double keys_if_not_given = 1 << 20;
    const auto keys = problem.selection.parameters.find("K");
    return pem_search(
        keys == problem.selection.parameters.end() ? keys_if_not_given : static_cast<double>(keys->second), block);
}

std::optional<double> agpu_io_bound(const Problem& problem) {
    if (problem.workload != "sort") return std::nullopt;
    return agpu_sort_io(problem.items(), problem.instance.cores, problem.instance.warp_lanes,
                        problem.instance.shared_words);
}

std::optional<double> agpu_time_bound(const Problem& problem) {
    if (problem.workload != "sort") return std::nullopt;
    return agpu_sort_time(problem.items(), problem.instance.cores, problem.instance.warp_lanes);
}

struct Bound {
    const char* name;
    const char* unit;
    std::optional<double> (*evaluate)(const Problem&);
    const char* source;
    const char* note;
};

constexpr auto all_bounds = std::to_array<Bound>({
    {"pem-bound", "transfers", pem_bound, "Arge et al. 2008", "Omega of scanning, sorting, or one search; constants 1"},
    {"agpu-io-bound", "transfers", agpu_io_bound, "Koike and Sadakane 2014",
     "Omega of sorting, all multiprocessors; constants 1"},
    {"agpu-time-bound", "accesses", agpu_time_bound, "Koike and Sadakane 2014", "O of their sort, a core; constants 1"},
});

}  // namespace

std::vector<std::string> bound_names() {
    std::vector<std::string> names;
    for (const Bound& bound : all_bounds) names.emplace_back(bound.name);
    return names;
}

std::vector<RivalEstimate> bounds_of(const std::string& workload, const workloads::Selection& selection,
                                     const spt::Instance& instance) {
    std::vector<RivalEstimate> estimates;
    for (const Bound& bound : all_bounds)
        if (const auto value = bound.evaluate({workload, selection, instance}))
            estimates.push_back({bound.name, bound.unit, *value, bound.source, bound.note});
    return estimates;
}

}  // namespace sassafras::validate::rivals
