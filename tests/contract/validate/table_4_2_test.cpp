// The modelled machines of Table 4.2 of B. Karsin's thesis ("A performance model for GPU architectures", 2018),
// measured as the thesis measured the real ones: each L, B and L_sync within 10 %. Expected values are the thesis'
// (built_in_instances).
#include <catch2/catch.hpp>

#include <algorithm>

#include "sim/device/modelled_devices.hpp"
#include "sim/platform/platform_reader.hpp"
#include "validate/models/spt/curves.hpp"

using namespace sassafras;
using namespace sassafras::validate::spt;

namespace {

constexpr double table_tolerance = 0.10;

struct Outcome {
    Machine machine;
    FittedMachine fitted;
};

Outcome measure(const sim::Platform& platform) {
    const auto device = sim::make_simulated_device(platform, {});
    Outcome outcome{machine_of(platform), {}};
    const auto curves = measure_curves(*device, outcome.machine, {.ends_only = true});
    if (!curves) FAIL(curves.error().message());
    auto fitted = fit_curves(*curves);
    REQUIRE(fitted.ok());
    outcome.fitted = std::move(*fitted);
    return outcome;
}

sim::Platform loaded(const std::string& name) {
    auto resolved = sim::load_platform(name);
    REQUIRE(resolved.ok());
    return std::move(resolved->platform);
}

/// For what does not depend on how many SMs there are: what an SM does by itself, and texts.
sim::Platform few_sms(const std::string& name) {
    sim::Platform platform = loaded(name);
    platform.gpu.sm_count = 2;
    return platform;
}

}  // namespace

TEST_CASE("simulated microbenchmarks give Table 4.2 back within 10 %", "[release]") {
    REQUIRE(built_in_instances().size() == 3);
    for (const Instance& paper : built_in_instances()) {
        CAPTURE(paper.name);
        const Outcome outcome = measure(loaded(paper.name));
        const Instance simulated = outcome.fitted.instance(outcome.machine, "simulated");
        CHECK(simulated.cores == paper.cores);
        CHECK(simulated.clock_mhz == paper.clock_mhz);
        CHECK(simulated.threads_per_core == Approx(paper.threads_per_core));
        CHECK(simulated.register_words == paper.register_words);
        CHECK(simulated.sync_cycles == Approx(paper.sync_cycles).epsilon(table_tolerance));
        REQUIRE(simulated.operations.size() == paper.operations.size());
        for (const Operation& operation : paper.operations) {
            CAPTURE(operation.symbol);
            const Operation* found = simulated.find(operation.symbol);
            REQUIRE(found != nullptr);
            CHECK(found->latency_cycles == Approx(operation.latency_cycles).epsilon(table_tolerance));
            CHECK(found->bandwidth == Approx(operation.bandwidth).epsilon(table_tolerance));
        }
    }
}

// Karsin 2018, 4.3.1, on ALGOPARC: "when ILP is 1 or 2, we never reach B_s", for more "we clearly see that B_s is
// reached when 16 < M_o M_I < 24".
TEST_CASE("the loop in shared memory reaches its bandwidth as the thesis says", "[release]") {
    const sim::Platform platform = few_sms("algoparc");
    const auto device = sim::make_simulated_device(platform, {});
    const auto curves = measure_curves(*device, machine_of(platform), {});
    REQUIRE(curves.ok());
    constexpr double bandwidth = 0.233;
    for (const CurveCell& cell : curves->cells) {
        if (cell.symbol != "s") continue;
        CAPTURE(cell.oversubscription, cell.ilp);
        CHECK(cell.variant == "shared-loop-indexed");
        const double multiplicity = cell.oversubscription * cell.ilp;
        const double throughput = cell.oversubscription / cell.cycles;
        if (cell.ilp <= 2 || multiplicity <= 16)
            CHECK(throughput < 0.9 * bandwidth);
        else
            CHECK(throughput > bandwidth);  // 32 is the next multiplicity that is measured
    }
}

TEST_CASE("an instance that was measured reads back as it is") {
    const Outcome outcome = measure(few_sms("algoparc"));
    const Instance instance = outcome.fitted.instance(outcome.machine, "a test");
    const auto read = parse_instance(instance_json(instance), "instance");
    REQUIRE(read.ok());
    CHECK(read->name == "algoparc");
    CHECK(read->provenance == "a test");
    CHECK(read->sync_cycles == instance.sync_cycles);
    REQUIRE(read->operations.size() == 4);
    for (std::size_t i = 0; i < 4; ++i) {
        CHECK(read->operations[i].symbol == instance.operations[i].symbol);
        CHECK(read->operations[i].latency_cycles == instance.operations[i].latency_cycles);
        CHECK(read->operations[i].bandwidth == instance.operations[i].bandwidth);
        CHECK(read->operations[i].hidden_by_ilp == (read->operations[i].symbol != "y"));
    }
}

TEST_CASE("M_o goes up in powers of two to what an SM holds") {
    Machine machine;
    machine.cores = 128;
    machine.threads = 2048;
    CHECK(oversubscriptions(machine) == std::vector<std::uint32_t>{1, 2, 4, 8, 16});
    machine.cores = 192;
    CHECK(oversubscriptions(machine) == std::vector<std::uint32_t>{1, 2, 4, 8, 10});
    machine.cores = 2048;
    CHECK(oversubscriptions(machine) == std::vector<std::uint32_t>{1});
}

TEST_CASE("a device without time is refused") {
    const auto resolved = sim::load_platform("algoparc");
    REQUIRE(resolved.ok());
    const auto device = sim::make_functional_device(resolved->platform, {});
    const auto curves = measure_curves(*device, machine_of(resolved->platform), {.ends_only = true});
    REQUIRE_FALSE(curves.ok());
    CHECK(curves.error().kind == ErrorKind::bad_input);
}
