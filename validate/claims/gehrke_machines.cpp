// A. S. Gehrke, 2015: peaks, ceilings and limits of the machines, and what the thesis works out of its measurements.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "sim/platform/platform_reader.hpp"
#include "study/diagnose/machine.hpp"
#include "validate/claims/makers.hpp"
#include "validate/claims/quantities.hpp"
#include "validate/claims/table.hpp"

namespace sassafras::validate::claims {

namespace {

constexpr double giga = 1e9;

sim::Platform gpu(const std::string& name) {
    auto resolved = sim::load_platform(name);
    if (!resolved) throw InvariantViolation("a platform of the table is missing");
    return std::move(resolved->platform);
}

/// Of the modelled GPU, by its description.
Test described(const std::string& platform, const Wanted& wanted, double (*value)(const sim::Platform&)) {
    return formula_test(platform, wanted, [platform, value] { return value(gpu(platform)); });
}

double fp32_peak(const sim::Platform& platform) {
    return 2 * 32 * study::machine_of(platform).instructions_per_second / giga;
}
double fp64_peak(const sim::Platform& platform) {
    return fp32_peak(platform) * platform.pipes.fma.issue_interval_cycles / platform.pipes.fp64.issue_interval_cycles;
}
double memory_peak(const sim::Platform& platform) { return study::machine_of(platform).dram_bytes_per_second / giga; }
double ideal_ratio(const sim::Platform& platform) { return study::machine_of(platform).ideal_ratio(); }

void add_peaks(std::vector<Claim>& claims) {
    struct Peaks {
        const char* platform;
        const char* gpu;
        double single, twice, memory, ratio;
    };
    for (const Peaks& printed :
         {Peaks{"c2050", "Tesla C2050", 1030, 515, 115.2, 4.5}, Peaks{"gtx960", "GTX 960", 2412, 75, 112.2, 10.7}}) {
        const std::string name = printed.platform;
        claims.push_back(claim_of(
            {"peaks-" + name, "Gehrke tables 5.4, 5.6, p. 70",
             fmt::format("peaks of a {}: FP32, FP64, memory (with ECC, where it has it)", printed.gpu),
             fmt::format("{}, {} GFLOP/s; {} GB/s", printed.single, printed.twice, printed.memory)},
            {described(name, {"2 FP32 operations of all lanes", "GFLOP/s", within_a_tenth(printed.single)}, fp32_peak),
             described(name, {"the same in double precision", "GFLOP/s", within_a_tenth(printed.twice)}, fp64_peak),
             described(name, {"DRAM, what error correction leaves", "GB/s", within_a_tenth(printed.memory)},
                       memory_peak)},
            name == "gtx960" ? "table 5.4 has 2,308 and 72 for 1.18 GHz, table 5.6 these for 1,279 MHz" : ""));
        claims.push_back(
            claim_of({"ideal-ratio-" + name, "Gehrke table 5.6, p. 72",
                      fmt::format("the {} is balanced at so many instructions a byte", printed.gpu),
                      fmt::format("{}", printed.ratio)},
                     {described(name, {"peak of instructions over peak of sectors", "", within_a_tenth(printed.ratio)},
                                ideal_ratio)}));
    }
    claims.push_back(
        claim_of({"double-precision-share", "Gehrke 5.2, p. 71; table 5.6",
                  "FP64 runs at 1/2 of FP32's rate on Fermi, at 1/32 on Maxwell", "1/2; 1/32"},
                 {described("c2050", {"FP32 peak over FP64 peak", "x", within_a_tenth(2)},
                            [](const sim::Platform& platform) { return fp32_peak(platform) / fp64_peak(platform); }),
                  described("gtx960", {"FP32 peak over FP64 peak", "x", within_a_tenth(32)},
                            [](const sim::Platform& platform) { return fp32_peak(platform) / fp64_peak(platform); })}));
    constexpr double per_clock = 128 * 0.05 + 128 * 0.70 + 64 * 0.01 + 32 * 0.09 + 64 * 0.15;
    claims.push_back(claim_of(
        {"mix-lowers-the-ceiling", "Gehrke 5.2, p. 73",
         "SGEMM's instruction mix lowers a GTX 960's ceiling from 2,308 to 2,057 GFLOP/s, by 11 %", "11 %"},
        {arithmetic_test({"operations a clock and SM of the mix, of 109", "", within_a_tenth(109)}, per_clock),
         arithmetic_test({"what is lost of 128 a clock, percent", "%", {10, 16}}, 100 * (1 - per_clock / 128))},
        "109 of 128 is 15 % less; 2,057 of 2,308 is 11 %, as 109 x 2 x 8 x 1.18 is 2,057 and the peak of table 5.3's "
        "1.18 GHz would be 2,417"));
    claims.push_back(claim_of(
        {"occupancy-example", "Gehrke 5.2, p. 70",
         "256 threads a block of 48 bytes of shared memory each leave 1,024 threads of 1,536 on an SM of Fermi: 67 %",
         "67 %"},
        {described("c2050", {"threads of the blocks that fit, of those that an SM holds", "%", {66, 67}},
                   [](const sim::Platform& platform) {
                       constexpr double threads = 256;
                       constexpr double bytes = threads * 48;
                       const double blocks = std::floor(platform.sm.shared_bytes / bytes);
                       return 100 * blocks * threads / (platform.sm.max_warps * 32);
                   })},
        "the thesis writes 1,024 of 1,056"));
}

void add_measurements(std::vector<Claim>& claims) {
    struct Rate {
        const char* id;
        const char* table;
        const char* what;
        double printed, products, microseconds;
    };
    constexpr double small = 128.0 * 96 * 160;
    constexpr double medium = 1024.0 * 992 * 1056;
    for (const Rate& rate : {Rate{"sgemm-rate-6-1", "6.1", "SGEMM of small matrices on a C2050", 30, small, 80.62},
                             Rate{"sgemm-rate-6-2", "6.2", "SGEMM of medium matrices on a C2050", 59, medium, 35960},
                             Rate{"sgemm-rate-6-3", "6.3", "optimised SGEMM on a C2050", 396, medium, 5420}})
        claims.push_back(claim_of(
            {rate.id, fmt::format("Gehrke table {}", rate.table), fmt::format("{} runs at so many GFLOP/s", rate.what),
             fmt::format("{} GFLOP/s", rate.printed), Cause::source},
            {arithmetic_test({"2 products over the table's wall time", "GFLOP/s", within_a_tenth(rate.printed)},
                             2 * rate.products / rate.microseconds / 1e3)},
            rate.printed == 30 ? "the kernel reports its own time, which is not printed" : ""));
    claims.push_back(claim_of(
        {"rk4-chromosome-rate", "Gehrke 6.1.2, p. 97", "the RK4 baseline does 377,859 chromosomes a second on a C2050",
         "377,859"},
        {arithmetic_test({"8,192 over the 20,920 us of table 6.6", "1/s", within_a_tenth(377859)}, 8192 / 0.02092)},
        "the text divides by 0.02168 s"));
    claims.push_back(
        claim_of({"rk4-fifteen-times-the-instructions", "Gehrke 4.4, p. 64; table 4.2",
                  "RK4 executes some 15 times as many instructions as the stencil", "15 x"},
                 {arithmetic_test({"374,047,500 over 24,753,000", "x", within_a_tenth(15)}, 374047500.0 / 24753000)}));
    claims.push_back(claim_of(
        {"stencil-operations-a-byte", "Gehrke 4.1, p. 60",
         "a point of the stencil takes 8 operations and 16 bytes at least: 0.5 operations a byte", "0.5",
         Cause::source},
        {arithmetic_test({"8 / 16", "", exactly(0.5)}, 8.0 / 16),
         [] {
             const RunSpec run = with_counts({"c2050", "stencil", "base", 128, {{"ny", 64}, {"nz", 32}, {"T", 1}}});
             return counting_test({"operations a point: FADDs, FMULs and twice the FFMAs", "", within_a_tenth(8)},
                                  {run}, [run](const Evidence& evidence) {
                                      const auto& executed = evidence.run(run).instructions;
                                      const auto of = [&](const char* name) {
                                          const auto found = executed.find(name);
                                          return found == executed.end() ? 0.0 : found->second;
                                      };
                                      constexpr double points = 126.0 * 62 * 30;
                                      constexpr double lanes = 32;
                                      return (of("FADD") + of("FMUL") + 2 * of("FFMA")) * lanes / points;
                                  });
         }()},
        "seven reads and a write of 4 bytes are 32; with each point read once 8"));
    Claim distribution = claim_of({"kingen-distribution", "Gehrke table A.4, p. 187",
                                   "of 50 chromosomes the core with most has 6, 3, 2, 2, 2, 1 of them on 10, 20, ... "
                                   "60 cores, one of them the master",
                                   "6, 3, 2, 2, 2, 1"},
                                  {});
    constexpr std::array most{6.0, 3.0, 2.0, 2.0, 2.0, 1.0};
    for (std::size_t i = 0; i < most.size(); ++i) {
        const double cores = 10 * static_cast<double>(i + 1);
        distribution.tests.push_back(
            arithmetic_test({fmt::format("50 over {} cores, rounded up", cores - 1), "", exactly(most[i])},
                            std::ceil(50 / (cores - 1))));
    }
    claims.push_back(distribution);
    Claim processors = claim_of({"kingen-on-processors", "Gehrke appendix A.3, pp. 176 to 186",
                                 "Kingen gains 9.4 times by another compiler, 2 by hand, 15 and more by cores", "15 x"},
                                {});
    processors.obstacle = "a program of 2010 on processors of then, whose source and data are not published";
    claims.push_back(processors);
}

}  // namespace

void add_gehrke_machines(std::vector<Claim>& claims) {
    add_peaks(claims);
    add_measurements(claims);
}

}  // namespace sassafras::validate::claims
