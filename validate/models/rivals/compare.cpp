#include "validate/models/rivals/compare.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "validate/models/rivals/abstract_machines.hpp"
#include "validate/models/rivals/hong_kim.hpp"
#include "validate/models/rivals/interval.hpp"
#include "validate/models/rivals/sim_2012.hpp"
#include "validate/models/rivals/volkov.hpp"

namespace sassafras::validate::rivals {

namespace {

constexpr double bytes_of_a_word = 4;
constexpr double bytes_of_a_sector = 32;
constexpr double sectors_of_a_block = 4;  // 32 words: what PEM and the older machines transfer

/// What several models ask for, worked out once a launch.
struct View {
    const KernelProfile& launch;
    const spt::Instance& instance;
    double lanes, sms, warps;
    double active_sms;     ///< that have a block; the others count for nothing
    double active_warps;   ///< resident on one of them
    double active_blocks;  ///< likewise
    double issue_rate;     ///< warp instructions a cycle and SM
    double bandwidth;      ///< bytes a cycle, whole GPU
    double global_latency, shared_latency, register_latency;
    double transactions;     ///< blocks of 128 bytes a global request, one at least
    double request_bytes;    ///< moved for a global request
    double departure_delay;  ///< cycles between two transactions of an SM at full bandwidth

    View(const KernelProfile& profile, const spt::Instance& machine)
        : launch(profile),
          instance(machine),
          lanes(machine.warp_lanes),
          sms(machine.multiprocessors),
          warps(profile.warps(machine.warp_lanes)),
          active_sms(std::min(sms, profile.blocks)),
          active_warps(std::max(oversubscription(profile, machine) * machine.cores / (active_sms * lanes), 1.0)),
          active_blocks(std::max(active_warps * lanes / profile.threads_per_block, 1.0)),
          issue_rate(machine.cores / sms / lanes),
          bandwidth(machine.find("g")->bandwidth * bytes_of_a_word * machine.cores),
          global_latency(machine.find("g")->latency_cycles),
          shared_latency(machine.find("s")->latency_cycles),
          register_latency(machine.find("r")->latency_cycles),
          transactions(std::max(a_request(profile.global_sectors / sectors_of_a_block), 1.0)),
          request_bytes(std::max(a_request(profile.global_sectors * bytes_of_a_sector), bytes_of_a_sector)),
          departure_delay(bytes_of_a_sector * sectors_of_a_block / (bandwidth / active_sms)) {}

    [[nodiscard]] double a_request(double count) const { return launch.global > 0 ? count / launch.global : 0; }
    [[nodiscard]] double a_warp(double count) const { return warps > 0 ? count / warps : 0; }
    [[nodiscard]] double blocks_moved() const { return launch.global_sectors / sectors_of_a_block; }
    [[nodiscard]] double core_cycles() const { return launch.instructions() * lanes / instance.cores; }
    [[nodiscard]] double bytes() const { return launch.global_sectors * bytes_of_a_sector; }
};

double pem_of(const View& view) { return view.blocks_moved() / (view.instance.cores / view.lanes); }

double bsp_of(const View& view) {
    const double words = view.bytes() / bytes_of_a_word / view.instance.cores;
    const std::array<Superstep, 1> step{{{view.core_cycles(), words}}};
    return bsp(step, 1 / view.instance.find("g")->bandwidth, view.instance.sync_cycles);
}

double roofline_of(const View& view) {
    return roofline(view.launch.instructions() * view.lanes, view.instance.cores, view.bytes(), view.bandwidth);
}

double hong_kim_of(const View& view) {
    HongKimInput input;
    const bool coalesced = view.transactions <= 1;
    (coalesced ? input.coalesced : input.uncoalesced) = view.a_warp(view.launch.global);
    input.computing = view.a_warp(view.launch.instructions() - view.launch.global);
    input.transactions = view.transactions;
    input.synchronisations = view.a_warp(view.launch.barriers);
    input.blocks = view.launch.blocks;
    input.active_blocks = view.active_blocks;
    input.active_warps = view.active_warps;
    input.active_sms = view.active_sms;
    input.memory_latency = view.global_latency;
    input.coalesced_delay = input.uncoalesced_delay = view.departure_delay;
    input.issue_cycles = 1 / view.issue_rate;
    input.bandwidth = view.bandwidth;
    input.load_bytes = view.request_bytes;
    return hong_kim(input).cycles;
}

double sim_2012_of(const View& view) {
    SimInput input;
    input.instructions = view.a_warp(view.launch.instructions());
    input.memory = view.a_warp(view.launch.global);
    input.synchronisations = 0;
    input.warps = view.warps;
    input.blocks = view.launch.blocks;
    input.active_warps = view.active_warps;
    input.active_sms = view.active_sms;
    input.instruction_latency = view.register_latency;
    input.cycles_per_issue = 1 / view.issue_rate;
    input.memory_latency = view.global_latency;
    input.transactions = view.transactions;
    input.departure_delay = view.departure_delay;
    input.bandwidth = view.bandwidth;
    input.request_bytes = view.request_bytes;
    input.bank_conflict_cycles =
        (view.launch.shared_wavefronts - view.launch.shared_wavefronts_ideal) / view.active_sms;
    return sim_2012(input).cycles;
}

double volkov_of(const View& view) {
    const double others = view.launch.instructions() - view.launch.global;
    if (view.launch.global == 0)  // Little's law and the bound, for arithmetic alone
        return others / view.active_sms / std::min(view.active_warps / view.register_latency, view.issue_rate);
    VolkovInput input;
    input.intensity = others / view.launch.global;
    input.memory_latency = view.global_latency;
    input.arithmetic_latency = view.register_latency;
    input.memory_throughput = view.bandwidth / view.active_sms / view.request_bytes;
    input.arithmetic_throughput = view.issue_rate;
    input.issue_throughput = view.issue_rate;
    return view.launch.global / view.active_sms / volkov_throughput(input, view.active_warps);
}

KothapalliInput kothapalli_input(const View& view) {
    KothapalliInput input;
    input.blocks_an_sm = std::ceil(view.launch.blocks / view.sms);
    input.warps_a_block = std::ceil(view.launch.threads_per_block / view.lanes);
    input.threads_a_warp = view.lanes;
    input.cores_an_sm = view.instance.cores / view.sms;
    input.depth = std::max(view.register_latency, 1.0);
    input.computing = view.a_warp(view.launch.arithmetic + view.launch.control) * view.register_latency;
    input.memory = view.a_warp(view.launch.global) * view.global_latency +
                   view.a_warp(view.launch.shared_wavefronts) * view.shared_latency;
    return input;
}

double kothapalli_sum_of(const View& view) { return kothapalli_sum(kothapalli_input(view)); }
double kothapalli_max_of(const View& view) { return kothapalli_max(kothapalli_input(view)); }

double agpu_time_of(const View& view) {
    // A core does a step a cycle; a shared request takes as many as its fullest bank has words.
    const double queued = view.launch.shared_wavefronts - view.launch.shared_wavefronts_ideal;
    return (view.launch.instructions() + queued) * view.lanes / view.instance.cores;
}

double tmm_of(const View& view) {
    return tmm({view.launch.instructions() * view.lanes, view.a_warp(view.launch.instructions()),
                view.blocks_moved() * view.lanes, view.global_latency,
                view.active_warps * view.lanes * view.active_sms / view.instance.cores, view.instance.cores});
}

double interval_of(const View& view) {
    const double each = view.a_warp(view.launch.instructions());
    const double stops = std::max(std::round(view.a_warp(view.launch.global)), 1.0);
    const double stall = view.launch.global > 0 ? view.global_latency : 0;
    const IssueInterval one{each / stops, stall};
    // All intervals are alike: one, times their number. A sub-core issues an instruction a cycle.
    const double rounds = view.warps / (view.active_warps * view.active_sms);
    const double base = stops * rounds *
                        interval_cycles({std::span(&one, 1), std::max(view.active_warps / view.issue_rate, 1.0), 1,
                                         WarpOrder::greedy_then_oldest});
    return base + queue_cycles(view.bytes(), 1 / view.bandwidth, base);
}

struct Model {
    const char* name;
    const char* unit;
    double (*evaluate)(const View&);
    const char* source;
    const char* note;
};

constexpr std::array<Model, 12> models{{
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
}};

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
            if (launch.blocks > 0 && launch.instructions() > 0) sum += model.evaluate(View(launch, instance));
        estimates.push_back({model.name, model.unit, sum, model.source, model.note});
    }
    return estimates;
}

}  // namespace sassafras::validate::rivals
