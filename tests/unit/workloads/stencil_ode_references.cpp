// The references of stencil and ode, each against an independent way to the same answer.
#include <array>
#include <cmath>
#include <numeric>

#include <catch2/catch.hpp>

#include "workloads/ode/ode.hpp"
#include "workloads/ode/scheme.hpp"
#include "workloads/stencil/stencil.hpp"

using namespace sassafras::workloads;

TEST_CASE("the stencil reference spreads a point by hand") {
    const stencil::Box box{5, 5, 5};
    const auto at = [](std::size_t x, std::size_t y, std::size_t z) { return (z * 5 + y) * 5 + x; };
    const auto once = stencil::reference(stencil::make_points("point", box, 1), box, 1);
    CHECK(once[at(2, 2, 2)] == -1.0F / 6.0F);
    const float sixth = 1.0F / 6.0F / 6.0F;
    for (const std::size_t neighbour : {at(1, 2, 2), at(3, 2, 2), at(2, 1, 2), at(2, 3, 2), at(2, 2, 1), at(2, 2, 3)})
        CHECK(once[neighbour] == sixth);
    CHECK(std::count(once.begin(), once.end(), 0.0F) == 125 - 7);
    // A second step: the centre keeps 1/36 of itself and gets 1/36 from each neighbour.
    const auto twice = stencil::reference(stencil::make_points("point", box, 1), box, 2);
    CHECK(twice[at(2, 2, 2)] == Approx(1.0 / 36 + 6.0 / 36 / 36));
    CHECK(twice[at(1, 1, 2)] == Approx(2.0 / 36 / 36));
}

TEST_CASE("the stencil's surface stays, and boxes without an inside do too") {
    const stencil::Box box{6, 4, 3};
    const auto before = stencil::make_points("random", box, 3);
    const auto after = stencil::reference(before, box, 5);
    std::size_t changed = 0;
    for (std::size_t z = 0; z < 3; ++z)
        for (std::size_t y = 0; y < 4; ++y)
            for (std::size_t x = 0; x < 6; ++x) {
                const std::size_t i = (z * 4 + y) * 6 + x;
                const bool surface = x == 0 || x == 5 || y == 0 || y == 3 || z == 0 || z == 2;
                if (surface) CHECK(after[i] == before[i]);
                changed += after[i] != before[i] ? 1U : 0U;
            }
    CHECK(changed == 4 * 2 * 1);
    const stencil::Box flat{6, 4, 2};
    const auto points = stencil::make_points("random", flat, 3);
    CHECK(stencil::reference(points, flat, 5) == points);
}

TEST_CASE("the ode reference is the exponential of the scheme's generator") {
    constexpr std::int64_t steps = 64;
    constexpr double time = 1.0;  // 64 steps of 1/64
    const auto rates = ode::make_rates("random", 3, 7);
    for (const ode::Literals literals : {ode::Literals::doubles, ode::Literals::floats}) {
        const auto result = ode::reference(rates, steps, literals);
        REQUIRE(result.size() == 3 * ode::states);
        for (std::size_t chromosome = 0; chromosome < 3; ++chromosome) {
            const float* const theta = rates.data() + chromosome * ode::parameters;
            // sum over j of (time M)^j y0 / j!
            std::array<double, ode::states> sum{1.0};
            std::array<double, ode::states> term{1.0};
            for (int j = 1; j < 80; ++j) {
                std::array<double, ode::states> next{};
                for (std::size_t t = 0; t < ode::transitions; ++t) {
                    const auto from = static_cast<std::size_t>(ode::scheme.from[t]);
                    const auto to = static_cast<std::size_t>(ode::scheme.to[t]);
                    const double flux = ode::scheme.forward_factor[t] *
                                            static_cast<double>(theta[ode::scheme.forward_parameter[t]]) * term[from] -
                                        ode::scheme.backward_factor[t] *
                                            static_cast<double>(theta[ode::scheme.backward_parameter[t]]) * term[to];
                    next[from] -= flux;
                    next[to] += flux;
                }
                for (std::size_t i = 0; i < ode::states; ++i) {
                    term[i] = next[i] * time / j;
                    sum[i] += term[i];
                }
            }
            const float* const y = result.data() + chromosome * ode::states;
            for (std::size_t i = 0; i < ode::states; ++i)
                CHECK(static_cast<double>(y[i]) == Approx(sum[i]).margin(2e-6));
            CHECK(std::accumulate(y, y + ode::states, 0.0) == Approx(1.0).margin(1e-5));  // nothing is lost
        }
    }
}

TEST_CASE("double and float literals round differently") {
    const auto rates = ode::make_rates("random", 20, 1);
    CHECK(ode::reference(rates, 10, ode::Literals::doubles) != ode::reference(rates, 10, ode::Literals::floats));
}
