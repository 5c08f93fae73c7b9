#include "workloads/workload.hpp"

#include <array>

#include "core/spelling.hpp"
#include "workloads/gemm/gemm.hpp"
#include "workloads/merge/merge.hpp"
#include "workloads/micro/measurements.hpp"
#include "workloads/ode/ode.hpp"
#include "workloads/scan/scan.hpp"
#include "workloads/search/search.hpp"
#include "workloads/sort/sort.hpp"
#include "workloads/stencil/stencil.hpp"

namespace sassafras::workloads {
namespace {

struct Family {
    WorkloadInfo (*info)();
    Result<WorkloadRun> (*run)(sim::Device&, const WorkloadRequest&);
    std::span<const PhaseRule> (*phases)();
};

constexpr std::array families{
    Family{gemm::info, gemm::run, gemm::phases},    Family{search::info, search::run, search::phases},
    Family{merge::info, merge::run, merge::phases}, Family{sort::info, sort::run, sort::phases},
    Family{scan::info, scan::run, scan::phases},    Family{stencil::info, stencil::run, stencil::phases},
    Family{ode::info, ode::run, ode::phases},       Family{micro::info, micro::run_measurement, micro::phases},
};

}  // namespace

std::vector<WorkloadInfo> list() {
    std::vector<WorkloadInfo> all;
    all.reserve(families.size());
    for (const Family& family : families) all.push_back(family.info());
    return all;
}

Result<WorkloadInfo> find(const std::string& name) {
    std::vector<std::string> names;
    for (const Family& family : families) {
        WorkloadInfo info = family.info();
        if (info.name == name) return info;
        names.push_back(std::move(info.name));
    }
    return Error{ErrorKind::bad_input, "there is no workload " + name, {}, name_one_of(name, names)};
}

std::span<const PhaseRule> phases_of(std::string_view name) {
    for (const Family& family : families)
        if (family.info().name == name) return family.phases();
    return {};
}

Result<WorkloadRun> run_workload(sim::Device& device, const WorkloadRequest& request) {
    for (const Family& family : families)
        if (family.info().name == request.name) return family.run(device, request);
    return find(request.name).error();
}

Error wrong_result(const WorkloadRun& run) {
    return {ErrorKind::check_failed, "the result differs from the CPU reference", run.name + ": " + run.mismatch,
            "on a GPU that is modelled this is a defect of the simulator: please report it with the command line"};
}

}  // namespace sassafras::workloads
