// Chapters 1 and 4: the machines and their constants.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "validate/claims/makers.hpp"
#include "validate/claims/quantities.hpp"
#include "validate/claims/table.hpp"

namespace sassafras::validate::claims {

namespace {

constexpr std::array<const char*, 3> table_machines{"algoparc", "gibson", "uhhpc"};

RunSpec curves_on(const std::string& platform, RunKind kind) { return {platform, "micro", "", 0, {}, "", kind}; }

/// Time of a core between two operations at the multiplicity, cycles: what a thread takes, over the core's threads.
double between(const RunResult& run, const std::string& symbol, double oversubscription, std::uint32_t ilp) {
    for (const spt::CurveCell& cell : run.curves.cells)
        if (cell.symbol == symbol && cell.oversubscription == oversubscription && cell.ilp == ilp)
            return cell.cycles / cell.oversubscription;
    throw InvariantViolation("the curves have no such point of " + symbol);
}

/// The least of all multiplicities: 1 / B.
double least_between(const RunResult& run, const std::string& symbol) {
    double least = INFINITY;
    for (const spt::CurveCell& cell : run.curves.cells)
        if (cell.symbol == symbol) least = std::min(least, cell.cycles / cell.oversubscription);
    return least;
}

/// M at which latency meets bandwidth, by the curves: t at M = 1 over the least.
double knee(const RunResult& run, const std::string& symbol) {
    return between(run, symbol, 1, 1) / least_between(run, symbol);
}

double table_knee(const char* name, const char* symbol) {
    const spt::Operation& operation = *machine(name).find(symbol);
    return operation.latency_cycles * operation.bandwidth;
}

void add_saturation(std::vector<Claim>& claims) {
    const RunSpec curves = curves_on("algoparc", RunKind::curves);
    claims.push_back(
        claim_of({"global-saturates-at-8", "Karsin figure 4.1, p. 29; ICS 2018, slides 72 to 75",
                  "on algoparc, global memory reaches its peak bandwidth once M = 8", "8"},
                 {formula_test("algoparc", {"M at which L_g / M = 1 / B_g, from Table 4.2", "", within_a_tenth(8)},
                               [] { return table_knee("algoparc", "g"); }),
                  simulation_test({"the same from the simulated curves of figure 4.1", "", within_a_tenth(8)}, {curves},
                                  [curves](const Evidence& evidence) { return knee(evidence.run(curves), "g"); })}));
    claims.push_back(claim_of(
        {"multiplicity-is-a-product", "Karsin 4.2.1, p. 29; ICS 2018, slides 73 to 75",
         "threads a core and independent operations a thread hide latency alike: M = 8 1, 4 2 and 2 4 take the same "
         "time",
         "equal"},
        {simulation_test(
            {"greatest time of a copied word over the least, of M_o M_I = 8 1, 4 2, 2 4", "x", {1, 1.1}}, {curves},
            [curves](const Evidence& evidence) {
                const RunResult& run = evidence.run(curves);
                const std::array times{between(run, "g", 8, 1), between(run, "g", 4, 2), between(run, "g", 2, 4)};
                return *std::max_element(times.begin(), times.end()) / *std::min_element(times.begin(), times.end());
            })}));
    claims.push_back(claim_of(
        {"shared-saturates-at-20", "Karsin 4.3.1, p. 31; figure 4.2",
         "on algoparc, shared memory reaches its peak bandwidth at an M between 16 and 24, taken as 20", "16 to 24"},
        {formula_test("algoparc", {"M at which L_s / M = 1 / B_s, from Table 4.2", "", {16, 24}},
                      [] { return table_knee("algoparc", "s"); }),
         simulation_test({"the same from the simulated curves of figure 4.2", "", {16, 24}}, {curves},
                         [curves](const Evidence& evidence) { return knee(evidence.run(curves), "s"); })}));
    Claim never = claim_of(
        {"shared-unsaturated-at-low-ilp", "Karsin 4.3.1, p. 31; figure 4.2",
         "with M_I of 1 or 2 shared memory never reaches its peak bandwidth on algoparc", "never", Cause::kernel},
        {},
        "16 threads a core are the most: M = 16 with M_I = 1, below the knee at 20, but 32 with M_I = 2. The author "
        "puts it down to the overhead of the benchmark's loop, and the loop that is measured here was made with that "
        "overhead, so this says little (workloads/micro/README.md)");
    for (const std::uint32_t ilp : {1U, 2U})
        never.tests.push_back(simulation_test(
            {fmt::format("time of an access with M_I = {}, 16 threads a core, over the least of all", ilp), "x",
             at_least(1.05)},
            {curves}, [curves, ilp](const Evidence& evidence) {
                const RunResult& run = evidence.run(curves);
                return between(run, "s", 16, ilp) / least_between(run, "s");
            }));
    claims.push_back(never);
    claims.push_back(claim_of(
        {"register-latency-6", "Karsin 4.4.1, p. 32; figure 4.3", "on algoparc registers saturate at M = 6", "6"},
        {simulation_test({"M at which they do, from the simulated curves of figure 4.3", "", within_a_tenth(6)},
                         {curves}, [curves](const Evidence& evidence) { return knee(evidence.run(curves), "r"); })}));
    claims.push_back(claim_of(
        {"register-bandwidth-measured", "Karsin 4.4.1, p. 32",
         "on algoparc the benchmark measures B_r = 0.86; the thesis goes on with 1", "0.86", Cause::kernel},
        {simulation_test(
            {"greatest throughput of the simulated curve, operations a cycle and core", "", within_a_tenth(0.86)},
            {curves}, [curves](const Evidence& evidence) { return 1 / least_between(evidence.run(curves), "r"); })},
        "the author takes the missing 14 % for noise of the benchmark"));
}

void add_synchronisation(std::vector<Claim>& claims) {
    const RunSpec curves = curves_on("algoparc", RunKind::curves);
    claims.push_back(claim_of(
        {"device-sync-is-constant", "Karsin 4.6, p. 34; figures 4.5, 4.6",
         "a DEVICESYNC takes the same time whatever the threads a core are", "constant"},
        {simulation_test({"cycles a kernel more (16 less 8 kernels), greatest over least of M_o", "x", {1, 1.1}},
                         {curves}, [curves](const Evidence& evidence) {
                             double least = INFINITY;
                             double most = 0;
                             for (const spt::SyncCell& more : evidence.run(curves).curves.syncs)
                                 for (const spt::SyncCell& fewer : evidence.run(curves).curves.syncs)
                                     if (more.oversubscription == fewer.oversubscription && more.kernels == 16 &&
                                         fewer.kernels == 8) {
                                         least = std::min(least, more.cycles - fewer.cycles);
                                         most = std::max(most, more.cycles - fewer.cycles);
                                     }
                             return most / least;
                         })}));
}

/// How many of L and B of four operations, and L_sync, are within a tenth of Table 4.2.
double constants_within_a_tenth(const RunResult& run, const std::string& name) {
    const spt::Instance& printed = machine(name);
    const auto fitted = spt::fit_curves(run.curves);
    if (!fitted) throw InvariantViolation("curves that cannot be fitted");
    double good = within_a_tenth(printed.sync_cycles).holds(fitted->sync.value) ? 1 : 0;
    for (const spt::FittedOperation& operation : fitted->operations) {
        const spt::Operation& wanted = *printed.find(operation.symbol);
        good += within_a_tenth(wanted.latency_cycles).holds(operation.fit.latency.value) ? 1 : 0;
        good += within_a_tenth(wanted.bandwidth).holds(operation.fit.bandwidth.value) ? 1 : 0;
    }
    return good;
}

void add_table(std::vector<Claim>& claims) {
    for (const char* name : table_machines) {
        const RunSpec ends = curves_on(name, RunKind::curve_ends);
        claims.push_back(claim_of(
            {fmt::format("table-4-2-{}", name), "Karsin table 4.2, p. 37",
             fmt::format("microbenchmarks measure L and B of four operations and L_sync on {}", name), "9 constants"},
            {noted(simulation_test(
                       {"how many of them the simulated microbenchmarks give within a tenth", "", exactly(9)}, {ends},
                       [ends, name](const Evidence& evidence) {
                           return constants_within_a_tenth(evidence.run(ends), name);
                       }),
                   "the modelled GPU was made so")}));
    }
}

double shared_peak(const char* name) {
    constexpr double bytes_a_bank = 4;
    constexpr double hertz = 1e6;
    constexpr double tera = 1e12;
    const spt::Instance& instance = machine(name);
    return instance.multiprocessors * instance.warp_lanes * bytes_a_bank * instance.clock_mhz * hertz / tera;
}

void add_hardware(std::vector<Claim>& claims) {
    Claim peak = claim_of({"peak-shared-bandwidth", "Karsin table 4.1, p. 28",
                           "peak bandwidth of shared memory on the three machines", "1.29, 1.07, 1.35 TB/s"},
                          {});
    constexpr std::array printed{1.29, 1.07, 1.35};
    for (std::size_t i = 0; i < table_machines.size(); ++i)
        peak.tests.push_back(formula_test(table_machines[i],
                                          {"SMs x 32 banks x 4 bytes x clock", "TB/s", within_a_tenth(printed[i])},
                                          [name = table_machines[i]] { return shared_peak(name); }));
    claims.push_back(peak);

    const auto ratios = [](Claim claim, const std::string& what, const Accepted& accepted, auto value) {
        for (const char* name : table_machines)
            claim.tests.push_back(formula_test(name, {what, "x", accepted}, [name, value] {
                return value(*machine(name).find("s"), *machine(name).find("g"));
            }));
        return claim;
    };
    const auto bandwidths = [](const spt::Operation& s, const spt::Operation& g) { return s.bandwidth / g.bandwidth; };
    const auto latencies = [](const spt::Operation& s, const spt::Operation& g) {
        return g.latency_cycles / s.latency_cycles;
    };
    claims.push_back(ratios(claim_of({"shared-over-global-bandwidth", "Karsin 7.1.4, p. 65",
                                      "for the three machines, B_s is about five times B_g", "5 x", Cause::source},
                                     {}, "Table 4.2 itself has 7.7 for algoparc: 0.233 / 0.0301"),
                            "B_s / B_g of Table 4.2", within_a_tenth(5), bandwidths));
    claims.push_back(ratios(
        claim_of({"shared-five-to-ten-times-faster", "ICS 2018, slide 17",
                  "shared memory is 5 to 10 times faster than global", "5 to 10 x", Cause::source},
                 {}, "by latency Table 4.2 has 2.2 to 3.1; its L_s is the time of a loop (docs/spt-instances.md)"),
        "B_s / B_g of Table 4.2", {5, 10}, bandwidths));
    claims.push_back(ratios(
        claim_of({"global-ten-times-slower", "Karsin 1.2.2, p. 4",
                  "global memory is at least an order of magnitude slower than other kinds, such as shared memory",
                  "10 x", Cause::source},
                 {}, "an LDS alone takes some 26 cycles on these GPUs, a tenth of L_g; Table 4.2 has 86 to 123"),
        "L_g / L_s of Table 4.2", at_least(10), latencies));
}

void add_sizes(std::vector<Claim>& claims) {
    const auto on_all = [](Claim claim, const std::string& what, const std::string& unit, const Accepted& accepted,
                           double (*value)(const spt::Instance&)) {
        for (const char* name : table_machines)
            claim.tests.push_back(
                formula_test(name, {what, unit, accepted}, [name, value] { return value(machine(name)); }));
        return claim;
    };
    claims.push_back(on_all(
        claim_of({"registers-over-500K", "Karsin 5.2.5, p. 43", "R is more than 500K words on the machines", "500K"},
                 {}),
        "R of Table 4.2", "words", at_least(500e3),
        [](const spt::Instance& instance) { return instance.register_words; }));
    Claim slide = claim_of(
        {"sms-and-cores", "ICS 2018, slide 8", "a GPU has fewer than 20 SMs of fewer than 200 cores", "20; 200"}, {});
    slide =
        on_all(slide, "SMs", "", at_most(19), [](const spt::Instance& instance) { return instance.multiprocessors; });
    claims.push_back(on_all(slide, "cores an SM", "", at_most(199),
                            [](const spt::Instance& instance) { return instance.cores / instance.multiprocessors; }));
    claims.push_back(on_all(claim_of({"shared-48-to-64-KB", "ICS 2018, slide 17",
                                      "an SM has 48 to 64 KB of shared memory", "48 to 64 KB", Cause::source},
                                     {}, "Table 4.2 has 312K words on 13 SMs for algoparc, 96 KB each"),
                            "M of Table 4.2 an SM", "KB", {48, 64}, [](const spt::Instance& instance) {
                                return instance.shared_words * 4 / 1024 / instance.multiprocessors;
                            }));
    claims.push_back(
        on_all(claim_of({"tree-top-of-16K-words", "Karsin 6.1.2, p. 49",
                         "M_TB, the top of a tree in a block's shared memory, is 2^14 words on all machines", "2^14"},
                        {}, "of the 64 KB of a Kepler SM a block can have 48: 2^13 words"),
               "log2 of the greatest power of two in M / SMs", "", exactly(14), [](const spt::Instance& instance) {
                   return std::floor(std::log2(instance.shared_words / instance.multiprocessors));
               }));
}

}  // namespace

void add_karsin_machines(std::vector<Claim>& claims) {
    add_hardware(claims);
    add_sizes(claims);
    add_saturation(claims);
    add_synchronisation(claims);
    add_table(claims);
}

}  // namespace sassafras::validate::claims
