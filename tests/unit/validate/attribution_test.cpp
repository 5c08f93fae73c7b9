// A simulated run's time as parts of the SPT model, on launches made by hand.
#include <catch2/catch.hpp>

#include <string>
#include <utility>
#include <vector>

#include "sim/timing/sm/counters.hpp"
#include "validate/compare/attribution.hpp"

using namespace sassafras;
using namespace sassafras::validate;

namespace {

using Stalls = std::vector<std::pair<std::string, std::uint64_t>>;

sim::KernelResult launch(double cycles, const std::vector<std::pair<std::string, Stalls>>& rows) {
    sim::KernelResult made;
    made.metrics = {{"sm__cycles_elapsed.max", cycles}};
    for (const auto& [sass, stalls] : rows) {
        sim::SourceRow row;
        row.sass = sass;
        row.stalls = stalls;
        made.source.push_back(row);
    }
    return made;
}

/// The part that one reason at one instruction is counted to.
std::string part(const std::string& sass, const std::string& reason) {
    const Attribution all = attribute(std::vector{launch(10, {{sass, {{"stall_" + reason, 3}}}})}, 0);
    CHECK(all.total() == Approx(10));
    std::string found;
    for (const auto& [name, value] : {std::pair{"g", all.g},
                                      {"s", all.s},
                                      {"r", all.r},
                                      {"y", all.y},
                                      {"other", all.other},
                                      {"launch", all.launch}})
        if (value == 10) found += name;
    return found;
}

}  // namespace

TEST_CASE("a waiting warp's time goes to what it waits for") {
    CHECK(part("FADD R0, R1, R2", "long_scoreboard") == "g");
    CHECK(part("LDG.E R0, [R2]", "lg_throttle") == "g");
    CHECK(part("NOP", "membar") == "g");
    CHECK(part("FADD R0, R1, R2", "short_scoreboard") == "s");
    CHECK(part("LDS R0, [R2]", "mio_throttle") == "s");
    CHECK(part("BAR.SYNC.DEFER_BLOCKING 0x0", "barrier") == "y");
    CHECK(part("LDS R0, [R2]", "wait") == "r");
    CHECK(part("FADD R0, R1, R2", "math_pipe_throttle") == "r");
    CHECK(part("FADD R0, R1, R2", "dispatch_stall") == "r");
    for (const char* reason : {"no_instruction", "imc_miss", "branch_resolve", "sleeping"})
        CHECK(part("LDG.E R0, [R2]", reason) == "other");
}

TEST_CASE("a warp that issues, or could, spends its time on what it issues") {
    for (const char* reason : {"selected", "not_selected"}) {
        CHECK(part("@!P0 LDG.E R0, desc[UR4][R2.64]", reason) == "g");
        CHECK(part("STS [R0], R1", reason) == "s");
        CHECK(part("LDL R0, [R1]", reason) == "s");
        CHECK(part("BAR.SYNC.DEFER_BLOCKING 0x0", reason) == "y");
        CHECK(part("FFMA R0, R1, R2, R3", reason) == "r");
        CHECK(part("BRA 0x10", reason) == "r");
    }
}

TEST_CASE("every reason that the simulator has is known here") {
    for (const std::string_view reason : sim::stall_names) {
        if (reason == "no_instruction" || reason == "imc_miss" || reason == "branch_resolve" || reason == "sleeping")
            continue;
        CAPTURE(std::string(reason));
        CHECK(part("FADD R0, R1, R2", std::string(reason)) != "other");
    }
}

TEST_CASE("launches add up; each is divided by its own warps, without its overhead") {
    const std::vector launches{launch(1100, {{"LDG.E R0, [R2]", {{"stall_selected", 1}}},
                                             {"FADD R0, R1, R2", {{"stall_long_scoreboard", 2}, {"stall_wait", 1}}}}),
                               launch(300, {{"BAR.SYNC 0x0", {{"stall_barrier", 1000}}}}),
                               launch(60, {}),                                           // no warp at all
                               launch(50, {{"FADD R0, R1, R2", {{"stall_wait", 7}}}})};  // shorter than an overhead
    const Attribution all = attribute(launches, 100);
    CHECK(all.g == Approx(750));
    CHECK(all.r == Approx(250));
    CHECK(all.y == Approx(200));
    CHECK(all.s == 0);
    CHECK(all.other == 0);
    CHECK(all.launch == Approx(100 + 100 + 60 + 50));
    CHECK(all.total() == Approx(1100 + 300 + 60 + 50));
}
