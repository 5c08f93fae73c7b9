#include "validate/models/rivals/compare.hpp"

#include <array>

#include <fmt/format.h>

#include "validate/models/rivals/abstract_machines.hpp"
#include "validate/models/rivals/hong_kim.hpp"
#include "validate/models/rivals/interval.hpp"
#include "validate/models/rivals/sim_2012.hpp"
#include "validate/models/rivals/volkov.hpp"

namespace sassafras::validate::rivals {

namespace {

struct Model {
    const char* name;
    const char* unit;
    double (*evaluate)(const LaunchView&);
    const char* source;
    const char* note;
};

constexpr auto models = std::to_array<Model>({
    {"pem", "transfers", pem_of, "Arge et al. 2008", "block transfers of P / w processors; no time"},
    {"bsp", "cycles", bsp_of, "Valiant 1990", "g = 1 / B_g, l = L_sync, an instruction a cycle and core"},
    {"roofline", "cycles", roofline_of, "Williams et al. 2009", "sectors of addresses, no caches"},
    {"hong-kim", "cycles", hong_kim_of, "Hong and Kim 2009", "departure delays from B_g; no conflicts, no caches"},
    {"sim", "cycles", sim_2012_of, "Sim et al. 2012",
     "no cache hits; ILP = MLP = 1; O_sync left out (its Gamma is measured)"},
    {"volkov", "cycles", volkov_of, "Volkov 2016", "all other instructions as arithmetic; no conflicts"},
    {"kothapalli-sum", "cycles", kothapalli_sum_of, "Kothapalli et al. 2009",
     "D = L_r; latency is not hidden otherwise"},
    {"kothapalli-max", "cycles", kothapalli_max_of, "Kothapalli et al. 2009", "the same with max in place of the sum"},
    {"agpu-time", "cycles", agpu_time_of, "Koike and Sadakane 2014", "steps of a core with queues at banks; I/O apart"},
    {"agpu-io", "transfers", pem_of, "Koike and Sadakane 2014", "block transfers a warp-wide multiprocessor"},
    {"tmm", "cycles", tmm_of, "Ma et al. 2014", "no bandwidth, no conflicts"},
    {"interval", "cycles", interval_of, "GPUMech 2014, GCoM 2022", "equal intervals, each ends with a global request"},
});

}  // namespace

std::vector<std::string> model_names() {
    std::vector<std::string> names;
    for (const Model& model : models) names.emplace_back(model.name);
    return names;
}

Result<std::vector<RivalEstimate>> compare(std::span<const KernelProfile> launches, const spt::Instance& instance) {
    for (const char* symbol : {"g", "s", "r"})
        if (instance.find(symbol) == nullptr)
            return Error{ErrorKind::bad_input, fmt::format("the instance has no operation \"{}\"", symbol),
                         instance.name, "the other models take their latencies and bandwidths from g, s and r"};
    std::vector<RivalEstimate> estimates;
    for (const Model& model : models) {
        double sum = 0;
        for (const KernelProfile& launch : launches)
            if (launch.blocks > 0 && launch.instructions() > 0) sum += model.evaluate(LaunchView(launch, instance));
        estimates.push_back({model.name, model.unit, sum, model.source, model.note});
    }
    return estimates;
}

}  // namespace sassafras::validate::rivals
