#include "workloads/workload.hpp"

#include <array>

#include <fmt/format.h>

#include "workloads/gemm/gemm.hpp"
#include "workloads/merge/merge.hpp"
#include "workloads/search/search.hpp"
#include "workloads/sort/sort.hpp"

namespace sassafras::workloads {
namespace {

struct Family {
    WorkloadInfo (*info)();
    Result<WorkloadRun> (*run)(sim::Device&, const WorkloadRequest&);
};

constexpr std::array<Family, 4> families{{
    {gemm::info, gemm::run},
    {search::info, search::run},
    {merge::info, merge::run},
    {sort::info, sort::run},
}};

}  // namespace

std::vector<WorkloadInfo> list() {
    std::vector<WorkloadInfo> all;
    all.reserve(families.size());
    for (const Family& family : families) all.push_back(family.info());
    return all;
}

Result<WorkloadRun> run_workload(sim::Device& device, const WorkloadRequest& request) {
    std::string names;
    for (const Family& family : families) {
        const WorkloadInfo info = family.info();
        if (info.name == request.name) return family.run(device, request);
        names += (names.empty() ? "" : ", ") + info.name;
    }
    return Error{ErrorKind::bad_input,
                 fmt::format("there is no workload {}", request.name),
                 {},
                 fmt::format("choose from {}", names)};
}

}  // namespace sassafras::workloads
