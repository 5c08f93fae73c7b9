// RK4 of the kinetic scheme: bit-equal at awkward sizes on both modelled devices, and what each step of the
// optimisation changes, as counted.
#include <catch2/catch.hpp>

#include <initializer_list>

#include "tests/contract/workloads/verified_run.hpp"

using namespace sassafras;
using namespace sassafras::test;
using workloads::WorkloadRequest;

namespace {

constexpr const char* variants[] = {"base",     "coalesced", "shared",           "registers", "float-literals",
                                    "opt3",     "opt4",      "opt3-63",          "opt4-63",   "registers-63",
                                    "literals", "unrolled",  "unrolled-literals"};

WorkloadRequest ode(const char* variant, std::uint64_t n, std::int64_t steps) {
    WorkloadRequest request;
    request.name = "ode";
    request.variant = variant;
    request.n = n;
    request.seed = n + 1;
    request.parameters = {{"T", steps}};
    return request;
}

double load_sectors(const sim::KernelResult& kernel) {
    return kernel.metric("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"_metric);
}

}  // namespace

TEST_CASE("ode is bit-equal at every size and on every input") {
    const auto device = functional();
    for (const char* variant : variants) {
        for (const std::uint64_t n : std::initializer_list<std::uint64_t>{0, 1, 31, 32, 33, 127, 128, 129, 211, 256})
            verified_run(*device, ode(variant, n, 3));
        for (const std::int64_t steps : {0, 1, 40})
            for (const char* input : {"random", "equal"}) {
                WorkloadRequest request = ode(variant, 50, steps);
                request.input = input;
                verified_run(*device, request);
            }
    }
}

TEST_CASE("a large ode") {
    const auto device = functional();
    for (const char* variant : variants) verified_run(*device, ode(variant, 2500, 2));
}

TEST_CASE("ode is bit-equal under the timing model") {
    const auto device = simulated();
    for (const char* variant : variants)
        for (const std::uint64_t n : std::initializer_list<std::uint64_t>{0, 1, 31, 32, 33, 64, 257})
            verified_run(*device, ode(variant, n, 2));
}

TEST_CASE("each step of ode's optimisation does what it says") {
    const auto device = functional();
    constexpr std::uint64_t warps = 8;
    constexpr std::uint64_t steps = 5;
    constexpr std::uint64_t transitions = warps * steps * 4 * 19;  // taken by warps: four evaluations a step
    const auto counted = [&](const char* variant) {
        return verified_run(*device, ode(variant, warps * 32, steps)).at(0);
    };

    const auto base = counted("base");
    CHECK(executed(base, "LDL") > 4 * transitions);  // two of y, two of dydx, and more outside the scheme
    CHECK(executed(base, "STL") > 2 * transitions);
    CHECK(executed(base, "LDG") == 2 * transitions);
    CHECK(load_sectors(base) == 32 * 2 * transitions);  // lanes are 36 bytes apart: a sector each
    CHECK(executed(base, "DADD") == 2 * transitions);
    CHECK(executed(base, "LDS") == 0);

    const auto coalesced = counted("coalesced");
    CHECK(executed(coalesced, "LDG") == 2 * transitions);
    CHECK(load_sectors(coalesced) == 4 * 2 * transitions);
    CHECK(executed(coalesced, "LDL") == executed(base, "LDL"));

    const auto shared = counted("shared");
    CHECK(executed(shared, "LDG") == warps * 9);
    CHECK(executed(shared, "LDS") == 2 * transitions);
    CHECK(executed(shared, "LDL") == executed(base, "LDL"));
    CHECK(conflict_free_wavefronts(shared) > 0);

    const auto registers = counted("registers");
    CHECK(executed(registers, "LDL") == 0);
    CHECK(executed(registers, "STL") == 0);
    CHECK(executed(registers, "DADD") > 0);
    CHECK(executed(registers, "F2F") > 0);

    const auto literals = counted("float-literals");
    CHECK(executed(literals, "LDL") == 0);
    for (const char* wide : {"DADD", "DMUL", "DFMA", "F2F"}) CHECK(executed(literals, wide) == 0);
    CHECK(executed(literals, "FFMA") > transitions);
}

TEST_CASE("ode's steps as the thesis takes them") {
    const auto device = functional();
    constexpr std::uint64_t warps = 8;
    constexpr std::uint64_t steps = 5;
    constexpr std::uint64_t evaluations = warps * steps * 4;
    constexpr std::uint64_t states = 16;
    const auto counted = [&](const char* variant) {
        return verified_run(*device, ode(variant, warps * 32, steps)).at(0);
    };

    // Only the literals differ, so all that moves data stays.
    const auto base = counted("base");
    const auto literals = counted("literals");
    for (const char* moves : {"LDG", "LDL", "STL", "STG"}) CHECK(executed(literals, moves) == executed(base, moves));
    for (const char* wide : {"DADD", "DMUL", "DFMA", "F2F"}) CHECK(executed(literals, wide) == 0);

    for (const char* variant : {"unrolled", "unrolled-literals"}) {
        const auto unrolled = counted(variant);
        CHECK(executed(unrolled, "LDL") == 0);
        CHECK(executed(unrolled, "STL") == 0);
    }
    CHECK(executed(counted("unrolled-literals"), "DADD") == 0);
    CHECK(executed(counted("unrolled"), "DADD") > evaluations * states);

    // y at first and in each step, and the array that is in global memory: yt three times a step, dym once as the
    // third evaluation's slopes (more, as each transition adds to it) and once for the sum.
    const auto opt3 = counted("opt3");
    const auto opt4 = counted("opt4");
    CHECK(executed(opt3, "STG") == warps * states + warps * steps * (1 + 3) * states);
    CHECK(executed(opt4, "STG") >= warps * states + warps * steps * (1 + 2) * states);
    CHECK(load_sectors(opt3) == static_cast<double>(4 * executed(opt3, "LDG")));  // lanes are side by side
    CHECK(load_sectors(opt4) == static_cast<double>(4 * executed(opt4, "LDG")));
    for (const auto* in_registers : {&opt3, &opt4}) CHECK(executed(*in_registers, "LDL") == 0);

    // 63 registers are too few for three arrays and doubles, and for five more so.
    for (const char* variant : {"opt3-63", "opt4-63", "registers-63"}) {
        const auto spilled = counted(variant);
        CHECK(spilled.registers_per_thread <= 64);
        CHECK(executed(spilled, "LDL") > 0);
        CHECK(executed(spilled, "STL") > 0);
        CHECK(executed(spilled, "DADD") == executed(counted("opt3"), "DADD"));
    }
}
