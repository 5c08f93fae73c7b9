// L, B and L_sync from made-up curves whose constants are known.
#include <catch2/catch.hpp>

#include <cmath>
#include <vector>

#include "core/random.hpp"
#include "validate/models/spt/fit.hpp"

using namespace sassafras;
using namespace sassafras::validate::spt;

namespace {

/// t = max(M_o / B, L / M_I), each time up to `noise` of it too long or too short.
std::vector<CurvePoint> curve(double latency, double bandwidth, double noise = 0, std::uint64_t seed = 1) {
    Random random(seed);
    std::vector<CurvePoint> points;
    for (const double oversubscription : {1, 2, 4, 8, 16})
        for (const double ilp : {1, 2, 4, 8})
            points.push_back({oversubscription, ilp,
                              std::max(oversubscription / bandwidth, latency / ilp) *
                                  (1 + noise * static_cast<double>(random.signed_unit()))});
    return points;
}

}  // namespace

TEST_CASE("a curve of max(M_o / B, L / M_I) gives its L and B back") {
    // Table 4.2 of the thesis: L_g, L_s, L_r with their B.
    const double known[][2] = {{269.5, 0.0301}, {123.1, 0.130}, {6, 1}, {10, 1}, {291.2, 0.0275}};
    for (const auto& [latency, bandwidth] : known) {
        CAPTURE(latency, bandwidth);
        const auto fit = fit_operation(curve(latency, bandwidth));
        REQUIRE(fit.ok());
        CHECK(fit->latency.value == Approx(latency));
        CHECK(fit->bandwidth.value == Approx(bandwidth));
        CHECK(fit->greatest_error < 1e-9);
        REQUIRE(fit->bandwidth.interval);
        CHECK(fit->bandwidth.interval->least == Approx(bandwidth));
        CHECK(fit->bandwidth.interval->most == Approx(bandwidth));
    }
}

TEST_CASE("noise widens the intervals, and they hold the true constants nearly always") {
    int latency_held = 0;
    int bandwidth_near = 0;
    constexpr int draws = 200;
    for (int seed = 1; seed <= draws; ++seed) {
        const auto fit = fit_operation(curve(85.84, 0.233, 0.02, static_cast<std::uint64_t>(seed)));
        REQUIRE(fit.ok());
        REQUIRE((fit->latency.interval && fit->bandwidth.interval));
        CHECK(fit->latency.interval->least < fit->latency.interval->most);
        latency_held += fit->latency.interval->least <= 85.84 && 85.84 <= fit->latency.interval->most ? 1 : 0;
        bandwidth_near += std::abs(fit->bandwidth.value / 0.233 - 1) < 0.02 ? 1 : 0;
        CHECK(fit->typical_error < 0.03);
    }
    CHECK(latency_held > draws * 9 / 10);
    CHECK(bandwidth_near == draws);
}

TEST_CASE("a rounded knee moves neither constant far") {
    // Near L B both count: t = (a^6 + b^6)^(1/6).
    std::vector<CurvePoint> points = curve(100, 0.1);
    for (CurvePoint& point : points)
        point.cycles = std::pow(std::pow(point.oversubscription / 0.1, 6) + std::pow(100 / point.ilp, 6), 1.0 / 6);
    const auto fit = fit_operation(points);
    REQUIRE(fit.ok());
    CHECK(fit->latency.value == Approx(100).epsilon(0.01));
    CHECK(fit->bandwidth.value == Approx(0.1).epsilon(0.01));
    // The point nearest to the knee of M = 10 has M = 8: 80 cycles beside 100.
    CHECK(fit->greatest_error == Approx(1 - std::pow(1 + std::pow(0.8, 6), -1.0 / 6)).epsilon(0.02));
}

TEST_CASE("one point gives both constants, without intervals") {
    const std::vector<CurvePoint> one{{4, 2, 50}};
    const auto fit = fit_operation(one);
    REQUIRE(fit.ok());
    CHECK(fit->latency.value == Approx(100));
    CHECK(fit->bandwidth.value == Approx(0.08));
    CHECK_FALSE(fit->latency.interval);
    CHECK_FALSE(fit->bandwidth.interval);
}

TEST_CASE("points that mean nothing are refused") {
    CHECK_FALSE(fit_operation({}).ok());
    for (const CurvePoint bad : {CurvePoint{0, 1, 5}, CurvePoint{1, 0, 5}, CurvePoint{1, 1, 0}, CurvePoint{1, 1, -3},
                                 CurvePoint{1, 1, std::nan("")}, CurvePoint{1, 1, INFINITY}}) {
        const std::vector<CurvePoint> points{{1, 1, 5}, bad};
        CHECK_FALSE(fit_operation(points).ok());
    }
}

TEST_CASE("the slope of time in kernels is found whatever each M_o works") {
    std::vector<SyncPoint> points;
    for (const double oversubscription : {1.0, 4.0})
        for (const double kernels : {1.0, 2.0, 4.0, 8.0})
            points.push_back({oversubscription, kernels, 5000 * oversubscription + 7800 * kernels});
    const auto exact = fit_sync(points);
    REQUIRE(exact.ok());
    CHECK(exact->value == Approx(7800));
    REQUIRE(exact->interval);
    CHECK(exact->interval->most - exact->interval->least < 1e-6);
    // By hand: off by +30, -30 at the ends of one of two lines with kernels 1 and 3 (squares 2 each, 4 in all):
    // slope 100 + (1 * 30 + 1 * 30) / 4 = 115.
    const std::vector<SyncPoint> hand{{1, 1, 100 - 30}, {1, 3, 300 + 30}, {2, 1, 1100}, {2, 3, 1300}};
    const auto slope = fit_sync(hand);
    REQUIRE(slope.ok());
    CHECK(slope->value == Approx(115));
    // Residuals: 15 at every point, one degree of freedom: 12.706 sqrt(900 / 4).
    REQUIRE(slope->interval);
    CHECK(slope->interval->most - 115 == Approx(12.706 * 15).epsilon(1e-3));
    const std::vector<SyncPoint> flat{{1, 4, 100}, {2, 8, 300}};
    CHECK_FALSE(fit_sync(flat).ok());
}
