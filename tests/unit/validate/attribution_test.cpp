// A simulated run's time as parts of the SPT model, on launches made by hand.
#include <catch2/catch.hpp>

#include <string>
#include <utility>
#include <vector>

#include "tests/sass_text.hpp"
#include "validate/compare/attribution.hpp"

using namespace sassafras;
using namespace sassafras::validate;

namespace {

using isa::Opcode;
using sim::Stall;
using Stalls = std::vector<std::pair<Stall, std::uint64_t>>;

sim::KernelResult launch(double cycles, const std::vector<std::pair<Opcode, Stalls>>& rows) {
    sim::KernelResult made;
    made.metrics = {{"sm__cycles_elapsed.max"_metric, cycles}};
    for (const auto& [opcode, stalls] : rows) {
        sim::SourceRow row = source_rows::row_of(opcode);
        for (const auto& [reason, warp_cycles] : stalls) row.stalls[index_of(reason)] = warp_cycles;
        made.source.push_back(row);
    }
    return made;
}

/// The part that one reason at one instruction is counted to.
std::string part(Opcode opcode, Stall reason) {
    const Attribution all = attribute(std::vector{launch(10, {{opcode, {{reason, 3}}}})}, 0);
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
    CHECK(part(Opcode::FADD, Stall::long_scoreboard) == "g");
    CHECK(part(Opcode::LDG, Stall::lg_throttle) == "g");
    CHECK(part(Opcode::NOP, Stall::membar) == "g");
    CHECK(part(Opcode::FADD, Stall::short_scoreboard) == "s");
    CHECK(part(Opcode::LDS, Stall::mio_throttle) == "s");
    CHECK(part(Opcode::BAR, Stall::barrier) == "y");
    CHECK(part(Opcode::LDS, Stall::wait) == "r");
    CHECK(part(Opcode::FADD, Stall::math_pipe_throttle) == "r");
    CHECK(part(Opcode::FADD, Stall::dispatch_stall) == "r");
    for (const Stall reason : {Stall::no_instruction, Stall::imc_miss, Stall::branch_resolve, Stall::sleeping})
        CHECK(part(Opcode::LDG, reason) == "other");
}

TEST_CASE("a warp that issues, or could, spends its time on what it issues") {
    for (const Stall reason : {Stall::selected, Stall::not_selected}) {
        CHECK(part(Opcode::LDG, reason) == "g");
        CHECK(part(Opcode::STS, reason) == "s");
        CHECK(part(Opcode::LDL, reason) == "s");
        CHECK(part(Opcode::BAR, reason) == "y");
        CHECK(part(Opcode::FFMA, reason) == "r");
        CHECK(part(Opcode::BRA, reason) == "r");
    }
}

TEST_CASE("launches add up; each is divided by its own warps, without its overhead") {
    const std::vector launches{launch(1100, {{Opcode::LDG, {{Stall::selected, 1}}},
                                             {Opcode::FADD, {{Stall::long_scoreboard, 2}, {Stall::wait, 1}}}}),
                               launch(300, {{Opcode::BAR, {{Stall::barrier, 1000}}}}),
                               launch(60, {}),                                     // no warp at all
                               launch(50, {{Opcode::FADD, {{Stall::wait, 7}}}})};  // shorter than an overhead
    const Attribution all = attribute(launches, 100);
    CHECK(all.g == Approx(750));
    CHECK(all.r == Approx(250));
    CHECK(all.y == Approx(200));
    CHECK(all.s == 0);
    CHECK(all.other == 0);
    CHECK(all.launch == Approx(100 + 100 + 60 + 50));
    CHECK(all.total() == Approx(1100 + 300 + 60 + 50));
}
