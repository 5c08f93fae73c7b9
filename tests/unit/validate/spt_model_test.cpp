// The SPT model on values worked by hand, at its limits, and its laws on random machines and algorithms.
#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

#include "core/random.hpp"
#include "validate/models/spt/model.hpp"

using namespace sassafras;
using namespace sassafras::validate::spt;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// L = 10, B = 1/2; barriers with the same numbers; L_sync = 100; 1 MHz, so a cycle is a microsecond.
Instance small_machine() {
    Instance machine;
    machine.name = "small";
    machine.cores = 4;
    machine.clock_mhz = 1;
    machine.sync_cycles = 100;
    machine.operations = {{"m", "memory", 10, 0.5, true, {}, {}}, {"b", "barrier", 10, 0.5, false, {}, {}}};
    return machine;
}

Algorithm one_kernel(std::string symbol, double count, double oversubscription, double ilp,
                     LatencyRounding rounding = LatencyRounding::fraction) {
    return {"test", {{"kernel", 1, oversubscription, {{std::move(symbol), "", count, ilp, rounding}}}}, {}};
}

double cycles(const Algorithm& algorithm, const Instance& machine) {
    const auto result = estimate(algorithm, machine);
    REQUIRE(result.ok());
    return result->cycles;
}

}  // namespace

TEST_CASE("a term is A max(1/B, L/M), and says which side it is") {
    const auto result = estimate(one_kernel("m", 7, 2, 2), small_machine());
    REQUIRE(result.ok());
    REQUIRE(result->terms.size() == 1);
    const Term& term = result->terms[0];
    CHECK(term.multiplicity == 4);
    CHECK(term.bandwidth_cycles == 2);
    CHECK(term.hidden_cycles == 2.5);  // 10 / 4
    CHECK(term.bound == Bound::latency);
    CHECK(term.cycles == 17.5);  // 7 * 2.5
    CHECK(result->kernels == 1);
    CHECK(result->sync_cycles == 100);
    CHECK(result->cycles == 117.5);
    CHECK(result->seconds == Approx(117.5e-6));
    CHECK(term.share == Approx(17.5 / 117.5));
    CHECK(cycles(one_kernel("m", 7, 5, 2), small_machine()) == 114);  // 10 / 10 = 1 < 2: bandwidth
}

TEST_CASE("latency in whole cycles is rounded up (3.1.4)") {
    CHECK(cycles(one_kernel("m", 7, 4, 1, LatencyRounding::whole_cycles), small_machine()) == 100 + 7 * 3);
}

TEST_CASE("barriers are hidden by oversubscription alone (4.5.1)") {
    CHECK(cycles(one_kernel("b", 7, 1, 8), small_machine()) == 100 + 7 * 10);
    CHECK(cycles(one_kernel("b", 7, 2, 8), small_machine()) == 100 + 7 * 5);
}

TEST_CASE("kernels and operations add up by rows and by columns (figure 3.1)") {
    Algorithm algorithm = one_kernel("m", 7, 2, 2);
    algorithm.kernels.push_back({"second", 3, 1, {{"m", "", 2, 1}, {"b", "", 1, 1}}});
    const auto result = estimate(algorithm, small_machine());
    REQUIRE(result.ok());
    CHECK(result->operation_cycles("m") == 17.5 + 20);
    CHECK(result->operation_cycles("b") == 10);
    CHECK(result->kernels == 4);
    CHECK(result->cycles == 400 + 17.5 + 20 + 10);
}

TEST_CASE("limits: no latency, infinite bandwidth, one thread a core") {
    Instance machine = small_machine();
    CHECK(cycles(one_kernel("m", 7, 1, 1), machine) == 100 + 70);  // M = 1: t = L (Definition 3.1.9)
    machine.operations[0].bandwidth = infinite;
    CHECK(cycles(one_kernel("m", 7, 40, 1), machine) == 100 + 7 * 0.25);
    machine = small_machine();
    machine.operations[0].latency_cycles = 0;
    CHECK(cycles(one_kernel("m", 7, 1, 1), machine) == 100 + 14);
    machine.operations[0].bandwidth = infinite;
    CHECK(cycles(one_kernel("m", 7, 1, 1), machine) == 100);
}

TEST_CASE("what cannot be an algorithm on the machine is an error") {
    const auto unknown = estimate(one_kernel("x", 1, 1, 1), small_machine());
    REQUIRE_FALSE(unknown.ok());
    CHECK(unknown.error().message().find("\"x\"") != std::string::npos);
    CHECK_FALSE(estimate(one_kernel("m", -1, 1, 1), small_machine()).ok());
    CHECK_FALSE(estimate(one_kernel("m", std::nan(""), 1, 1), small_machine()).ok());
    CHECK_FALSE(estimate(one_kernel("m", 1, 0, 1), small_machine()).ok());
    CHECK_FALSE(estimate(one_kernel("m", 1, 1, 0), small_machine()).ok());
}

TEST_CASE("time never falls with A, L or 1/B, nor rises with M") {
    Random random(7);
    const auto number = [&](double most) {
        return 0.01 + most * static_cast<double>(random.next_u64() >> 11) * 0x1p-53;
    };
    for (int round = 0; round < 2000; ++round) {
        Instance machine = small_machine();
        machine.operations[0].latency_cycles = number(500);
        machine.operations[0].bandwidth = number(2);
        const auto rounding = round % 2 == 0 ? LatencyRounding::fraction : LatencyRounding::whole_cycles;
        const Algorithm algorithm = one_kernel("m", number(1000), number(32), number(8), rounding);
        const double before = cycles(algorithm, machine);
        const double factor = 1 + number(3);
        Algorithm more = algorithm;
        more.kernels[0].operations[0].count *= factor;
        CHECK(cycles(more, machine) > before);
        Algorithm hidden = algorithm;
        hidden.kernels[0].oversubscription *= factor;
        CHECK(cycles(hidden, machine) <= before);
        hidden = algorithm;
        hidden.kernels[0].operations[0].ilp *= factor;
        CHECK(cycles(hidden, machine) <= before);
        Instance slower = machine;
        slower.operations[0].latency_cycles *= factor;
        CHECK(cycles(algorithm, slower) >= before);
        slower = machine;
        slower.operations[0].bandwidth /= factor;
        CHECK(cycles(algorithm, slower) >= before);
        slower = machine;
        slower.sync_cycles *= factor;
        CHECK(cycles(algorithm, slower) > before);
    }
}
