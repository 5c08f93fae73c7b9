// Chapter 5.
#include <array>

#include <fmt/format.h>

#include "validate/claims/quantities.hpp"
#include "validate/claims/table.hpp"

namespace sassafras::validate::claims {

namespace {

using spt::Bound;
using spt::Reading;

constexpr std::array<double, 7> formula_tiles{32, 64, 96, 128, 160, 192, 256};
constexpr std::array<std::int64_t, 5> simulated_tiles{64, 96, 128, 160, 192};
constexpr double order = 1e4;  // n = m = k of figure 5.3
constexpr std::int64_t algoparc_multiprocessors = 13;
constexpr std::int64_t short_depth = 32;
constexpr std::int64_t long_depth = 96;

double thesis_gemm(double tile, bool local_memory) {
    return estimate_on("algoparc",
                       spt::magma_gemm(machine("algoparc"), {order, order, order}, {tile, 16, 256}, local_memory))
        .cycles;
}

double best_formula_tile() {
    std::vector<Candidate> candidates;
    candidates.reserve(formula_tiles.size());
    for (const double tile : formula_tiles) candidates.push_back({tile, thesis_gemm(tile, true)});
    return best_parameter(candidates);
}

/// C of 12 tiles for each SM of algoparc: whole waves of 1, 2, 3, 4 or 6 blocks an SM, so no SM waits at the end.
RunSpec full_gpu(std::int64_t tile, std::int64_t depth, std::int64_t threads = 256) {
    constexpr std::uint64_t tiles_down = 12;
    return {"algoparc",
            "gemm",
            "magma",
            static_cast<std::uint64_t>(tile) * tiles_down,
            {{"M", tile * algoparc_multiprocessors}, {"K", depth}, {"N_TB", tile}, {"lambda", 16}, {"b", threads}}};
}

/// Cycles of a multiplication and element of C in the steady state: of what `long_depth` takes more than `short_depth`.
double steady(const Evidence& evidence, std::int64_t tile, std::int64_t threads = 256) {
    const double more =
        evidence.cycles(full_gpu(tile, long_depth, threads)) - evidence.cycles(full_gpu(tile, short_depth, threads));
    return more / static_cast<double>(tile * tile);
}

std::vector<RunSpec> steady_runs(std::initializer_list<std::int64_t> tiles) {
    std::vector<RunSpec> runs;
    for (const std::int64_t tile : tiles)
        for (const std::int64_t depth : {short_depth, long_depth}) runs.push_back(full_gpu(tile, depth));
    return runs;
}

/// 5.3.1 varies k at n = m = 10^4; here n = m = 1,536, 256 tiles.
std::vector<RunSpec> varying_depth(const std::string& platform) {
    std::vector<RunSpec> runs;
    for (const std::int64_t depth : {64, 128, 192})
        runs.push_back({platform, "gemm", "magma", 1536, {{"K", depth}, {"N_TB", 96}, {"lambda", 16}, {"b", 256}}});
    return runs;
}

Claim gemm_error(const std::string& platform, double figure) {
    Claim claim;
    claim.id = "gemm-error-" + platform;
    claim.source = "Karsin 5.3.1, p. 45";
    claim.statement = "SPT estimates MAGMA's GEMM (n = m = 10^4, k varied) with this mean error on " + platform;
    claim.figure = fmt::format("{} %", figure);
    claim.cause = Cause::model;
    claim.remark =
        "T and the error bound the author's measured time, which is published as a figure only; the verdict says "
        "whether the simulated time lies within";
    Test test;
    test.method = Method::simulation;
    test.platform = platform;
    test.what = "mean |T / simulated - 1| of gemm magma, n = m = 1,536, k = 64, 128, 192";
    test.unit = "%";
    test.accepted = at_most(figure);
    test.runs = varying_depth(platform);
    test.value = [runs = test.runs](const Evidence& evidence) {
        return mean_error_percent(evidence, runs, Reading::printed);
    };
    test.lengthy = true;
    test.note = "the modelled GPU was fitted to Table 4.2, not to this kernel; it runs our kernel, compiled for sm_90";
    claim.tests = {test};
    return claim;
}

void add_bandwidth_bound(std::vector<Claim>& claims) {
    Claim bound;
    bound.id = "gemm-bandwidth-bound";
    bound.source = "Karsin 5.2.5, p. 43";
    bound.statement = "global and shared accesses of MAGMA's GEMM are bound by bandwidth on the three machines";
    bound.figure = "all";
    bound.tests = {{Method::formula,
                    "algoparc, gibson, uhhpc",
                    Role::decides,
                    "of g and s on three machines, how many have 1 / B > L / M (N_TB = 96)",
                    "",
                    exactly(6),
                    {},
                    [](const Evidence&) {
                        double bandwidth_bound = 0;
                        for (const spt::Instance& instance : spt::built_in_instances()) {
                            const auto estimate = estimate_on(
                                instance.name, spt::magma_gemm(instance, {order, order, order}, {96, 16, 256}, false));
                            for (const char* symbol : {"g", "s"})
                                bandwidth_bound += bound_of(estimate, symbol) == Bound::bandwidth ? 1 : 0;
                        }
                        return bandwidth_bound;
                    }}};
    claims.push_back(bound);
}

void add_best_tile(std::vector<Claim>& claims) {
    Claim tile;
    tile.id = "gemm-best-tile";
    tile.source = "Karsin 5.3.2, p. 46";
    tile.statement = "on algoparc N_TB = 128 is better than MAGMA's 96; the model says so, the measurement confirms it";
    tile.figure = "128";
    tile.tests = {{Method::formula,
                   "algoparc",
                   Role::decides,
                   "best N_TB of 32 to 256, n = m = k = 10^4",
                   "",
                   exactly(128),
                   {},
                   [](const Evidence&) { return best_formula_tile(); }}};
    Test simulated;
    simulated.method = Method::simulation;
    simulated.platform = "algoparc";
    simulated.what =
        "best N_TB of 64 to 192: cycles a multiplication in the steady state (k = 96 less k = 32), 12 tiles an SM";
    simulated.accepted = exactly(128);
    simulated.runs = steady_runs({64, 96, 128, 160, 192});
    simulated.value = [](const Evidence& evidence) {
        std::vector<Candidate> candidates;
        candidates.reserve(simulated_tiles.size());
        for (const std::int64_t size : simulated_tiles)
            candidates.push_back({static_cast<double>(size), steady(evidence, size)});
        return best_parameter(candidates);
    };
    simulated.lengthy = true;
    tile.cause = Cause::kernel;
    tile.tests.push_back(simulated);
    simulated.what = "time with N_TB = 96 over time with 128, as above";
    simulated.unit = "x";
    simulated.accepted = longer();
    simulated.runs = steady_runs({96, 128});
    simulated.value = [](const Evidence& evidence) { return steady(evidence, 96) / steady(evidence, 128); };
    tile.tests.push_back(simulated);
    tile.remark =
        "192 was best here, and 128 beat 96 by 10 %, when every LDS of algoparc took L_s, 86 cycles, in place of the "
        "published 24 (docs/spt-instances.md)";
    claims.push_back(tile);
}

void add_local_memory(std::vector<Claim>& claims) {
    Claim local;
    local.id = "gemm-local-memory";
    local.source = "Karsin 5.3.2, p. 46; figure 5.3";
    local.statement =
        "for large N_TB, where a thread needs more than 255 registers, local memory bends the curve upwards";
    local.figure = "bend";
    const auto factor = [](double size) { return thesis_gemm(size, true) / thesis_gemm(size, false); };
    local.tests = {{Method::formula,
                    "algoparc",
                    Role::decides,
                    "T with over T without the correction, N_TB = 192",
                    "x",
                    exactly(1),
                    {},
                    [factor](const Evidence&) { return factor(192); }},
                   {Method::formula,
                    "algoparc",
                    Role::decides,
                    "the same, N_TB = 320",
                    "x",
                    {1.1, 10},
                    {},
                    [factor](const Evidence&) { return factor(320); }}};
    Test spilling;
    spilling.method = Method::simulation;
    spilling.platform = "algoparc";
    spilling.role = Role::shows;
    spilling.what = "time of N_TB = 96 with 64 threads, which need more than 255 registers, over 256 threads";
    spilling.unit = "x";
    spilling.accepted = longer();
    spilling.runs = steady_runs({96});
    for (const std::int64_t depth : {short_depth, long_depth}) spilling.runs.push_back(full_gpu(96, depth, 64));
    spilling.value = [](const Evidence& evidence) { return steady(evidence, 96, 64) / steady(evidence, 96); };
    spilling.lengthy = true;
    spilling.note = "no kernel of this tree has 256 threads and so large a tile; fewer threads need more registers too";
    local.tests.push_back(spilling);
    local.remark = "the author's measured curve is a figure without numbers";
    claims.push_back(local);
}

}  // namespace

void add_karsin_gemm(std::vector<Claim>& claims) {
    claims.push_back(gemm_error("algoparc", 3.8));
    claims.push_back(gemm_error("gibson", 5.7));
    add_bandwidth_bound(claims);
    add_best_tile(claims);
    add_local_memory(claims);
}

}  // namespace sassafras::validate::claims
