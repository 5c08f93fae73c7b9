// What bounds a launch by the shares of Speed Of Light, at the limits that Nsight Compute's rule SOLBottleneck has.
#include <catch2/catch.hpp>

#include "study/rules/speed_of_light.hpp"

using namespace sassafras;
using namespace sassafras::study;

namespace {

sim::KernelResult with_shares(double compute, double memory, double l1, double dram, double shared = 0) {
    sim::KernelResult result;
    result.metrics = {{"sm__throughput.avg.pct_of_peak_sustained_elapsed"_metric, compute},
                      {"gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"_metric, memory},
                      {"l1tex__throughput.avg.pct_of_peak_sustained_elapsed"_metric, l1},
                      {"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"_metric, dram},
                      {"l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed"_metric, shared}};
    return result;
}

const Verdict latency{Bound::latency, "", 16, "no unit is near its peak"};

}  // namespace

TEST_CASE("a copy at 69 % of DRAM's peak uses memory more than compute") {
    const auto shares = speed_of_light(with_shares(12, 69, 20, 69));
    REQUIRE(shares.has_value());
    const Verdict verdict = verdict_of(*shares, latency);
    CHECK(verdict.bound == Bound::memory);
    CHECK(verdict.unit == "DRAM");
    CHECK(verdict.because == "DRAM at 69 % of its peak, compute at 12 %");
    CHECK(advice_of(*shares).starts_with("Memory is more heavily utilized than compute: DRAM at 69 %"));
}

TEST_CASE("memory's level is whose share it is") {
    CHECK(speed_of_light(with_shares(1, 56, 35, 0))->level == "L2");  // neither L1 nor DRAM have so much
    CHECK(speed_of_light(with_shares(1, 56, 56, 0))->level == "L1");
    CHECK(speed_of_light(with_shares(1, 56, 56, 0, 50))->level == "shared memory");
    CHECK(verdict_of(*speed_of_light(with_shares(1, 90, 90, 0, 80)), latency).bound == Bound::shared_memory);
}

TEST_CASE("below 60 % both are low, and a unit of the model that is near its peak is named") {
    const auto shares = speed_of_light(with_shares(2, 59.9, 59.9, 0));
    CHECK(verdict_of(*shares, latency).bound == Bound::latency);
    CHECK(verdict_of(*shares, latency).because == "compute at 2 % and memory at 60 % (L1) of their peaks");
    const Verdict lines{Bound::memory, "L1/texture", 90, "L1/texture at 90 % of its peak"};
    CHECK(verdict_of(*shares, lines).unit == "L1/texture");
    CHECK(advice_of(*shares).starts_with("Both are low"));
}

TEST_CASE("compute, and both together") {
    const auto compute = speed_of_light(with_shares(85, 20, 20, 5));
    CHECK(verdict_of(*compute, latency).bound == Bound::instructions);
    CHECK(advice_of(*compute).find("Little is left to win") != std::string::npos);
    CHECK(advice_of(*speed_of_light(with_shares(70, 65, 65, 5))).starts_with("Compute and memory are well-balanced"));
}

TEST_CASE("without the full set there are no shares") { CHECK_FALSE(speed_of_light(sim::KernelResult()).has_value()); }
