#include "validate/models/rivals/compare.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "validate/models/rivals/abstract_machines.hpp"
#include "validate/models/rivals/hong_kim.hpp"
#include "validate/models/rivals/interval.hpp"
#include "validate/models/rivals/kothapalli_spt.hpp"
#include "validate/models/rivals/memory_machines.hpp"
#include "validate/models/rivals/pram.hpp"
#include "validate/models/rivals/sim_2012.hpp"
#include "validate/models/rivals/sitchinava_weichert.hpp"
#include "validate/models/rivals/volkov.hpp"

namespace sassafras::validate::rivals {

namespace {

/// What several launches have together.
enum class Together : std::uint8_t { sum, greatest };

struct Model {
    const char* name;
    const char* unit;
    double (*evaluate)(const LaunchView&);          ///< null: the sum of the parts
    std::vector<Part> (*parts)(const LaunchView&);  ///< null: it has none
    const char* source;
    const char* note;
    bool has_sync = false;
    Together together = Together::sum;
};

constexpr auto models = std::to_array<Model>({
    {"pram", "cycles", pram_of, nullptr, "Fortune and Wyllie 1978",
     "work / P + depth (Brent), an instruction a cycle and core; memory in unit time"},
    {"pem", "transfers", pem_of, nullptr, "Arge et al. 2008", "block transfers of P / w processors; no time"},
    {"bsp", "cycles", bsp_of, nullptr, "Valiant 1990", "g = 1 / B_g, l = L_sync, an instruction a cycle and core",
     true},
    {"dmm", "cycles", dmm_of, nullptr, "Nakano 2012", "shared memory alone: an SM a DMM of latency L_s"},
    {"umm", "cycles", umm_of, nullptr, "Nakano 2012",
     "global memory alone: one block of w words a cycle for the whole GPU, latency L_g"},
    {"hmm", "cycles", nullptr, hmm_of, "Nakano 2013", "DMM and UMM added up; computation takes no time"},
    {"sitchinava-weichert", "cycles", nullptr, sitchinava_weichert_of, "Sitchinava and Weichert 2013",
     "p = resident warps, lambda = L_g, sigma = L_sync; conflicts are designed away", true},
    {"roofline", "cycles", roofline_of, nullptr, "Williams et al. 2009", "sectors of addresses, no caches"},
    {"hong-kim", "cycles", hong_kim_of, nullptr, "Hong and Kim 2009",
     "departure delays from B_g; no conflicts, no caches"},
    {"sim", "cycles", sim_2012_of, nullptr, "Sim et al. 2012",
     "no cache hits; ILP = MLP = 1; O_sync left out (its Gamma is measured)"},
    {"volkov", "cycles", volkov_of, nullptr, "Volkov 2016", "all other instructions as arithmetic; no conflicts"},
    {"volkov-warps", "warps", volkov_warps_of, nullptr, "Volkov 2016",
     "an SM needs to hide all latency; of the launch that needs most", false, Together::greatest},
    {"volkov-cusp", "instructions", volkov_cusp_of, nullptr, "Volkov 2016",
     "an access of global memory at which most warps are needed; of the launch where it is greatest", false,
     Together::greatest},
    {"kothapalli-sum", "cycles", kothapalli_sum_of, nullptr, "Kothapalli et al. 2009",
     "D = L_r; latency is not hidden otherwise"},
    {"kothapalli-max", "cycles", kothapalli_max_of, nullptr, "Kothapalli et al. 2009",
     "the same with max in place of the sum"},
    {"kothapalli-spt", "cycles", nullptr, kothapalli_spt_of, "Karsin 2018, 3.2.4",
     "SPT with g and s only, no bandwidth, M_I = 1", true},
    {"agpu-time", "accesses", agpu_time_of, nullptr, "Koike and Sadakane 2014",
     "a core's accesses to shared memory with queues at banks; no time"},
    {"agpu-io", "transfers", agpu_io_of, nullptr, "Koike and Sadakane 2014",
     "block transfers of all multiprocessors; no time"},
    {"tmm", "cycles", tmm_of, nullptr, "Ma et al. 2014", "no bandwidth, no conflicts"},
    {"interval", "cycles", interval_of, nullptr, "GPUMech 2014, GCoM 2022",
     "equal intervals, each ends with a global request"},
});

/// Adds a launch's to those of the launches before it.
void add_launch(RivalEstimate& estimate, const Model& model, const LaunchView& view) {
    if (model.parts == nullptr) {
        const double value = model.evaluate(view);
        estimate.value = model.together == Together::sum ? estimate.value + value : std::max(estimate.value, value);
        return;
    }
    const std::vector<Part> parts = model.parts(view);
    estimate.parts.resize(parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
        estimate.parts[i].name = parts[i].name;
        estimate.parts[i].value += parts[i].value;
        estimate.value += parts[i].value;
    }
}

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
        RivalEstimate estimate{model.name, model.unit, 0, model.source, model.note, {}, model.has_sync};
        for (const KernelProfile& launch : launches)
            if (launch.blocks > 0 && launch.instructions() > 0)
                add_launch(estimate, model, LaunchView(launch, instance));
        estimates.push_back(std::move(estimate));
    }
    return estimates;
}

}  // namespace sassafras::validate::rivals
