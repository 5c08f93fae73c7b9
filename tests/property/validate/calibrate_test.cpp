// A modelled GPU gives its own numbers back: some of them are changed, and microbenchmarks on the GPU say what they
// were.
#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/random.hpp"
#include "sim/device/modelled_devices.hpp"
#include "sim/platform/platform_numbers.hpp"
#include "tests/sanitized.hpp"
#include "validate/calibrate/calibration.hpp"
#include "validate/calibrate/platform_file.hpp"
#include "workloads/micro/micro.hpp"

namespace sassafras::validate::calibrate {

namespace {

constexpr std::size_t changed_numbers = 7;  ///< of each platform; which, the seed says

/// Rows that take the simulator seconds, each time: docs/platforms.md has the command for all rules.
constexpr auto slow = std::to_array<std::string_view>(
    {"stream", "read l2", "load l2", "load cold", "scatter", "turnover", "rate hmma", "block gap", "straight line"});

std::vector<Rule> quick_rules() {
    std::vector<Rule> rules = all_rules();
    std::erase_if(rules, [](const Rule& rule) {
        return std::any_of(slow.begin(), slow.end(),
                           [&](std::string_view begin) { return rule.row.starts_with(begin); });
    });
    return rules;
}

Result<std::vector<double>> simulate(const sim::Platform& platform, const std::vector<std::string>& rows) {
    return workloads::micro::run_rows(*sim::make_simulated_device(platform, {}), rows);
}

/// Up or down by a quarter, by one at least; the other way where that is no platform.
bool disturb(sim::Platform& platform, const Rule& rule, Random& random) {
    const auto number = sim::number_at(platform, rule.pointer);
    REQUIRE(number.has_value());
    const double step = number->integer ? std::max(1.0, std::floor(number->value / 4)) : number->value / 4;
    const double first = random.below(2) == 0 ? step : -step;
    for (const double change : {first, -first}) {
        const double value = number->value + change;
        if (value < rule.least || value > rule.greatest) continue;
        if (sim::set_number(platform, rule.pointer, value).ok()) return true;
    }
    return false;
}

}  // namespace

TEST_CASE("every platform gives back numbers that were changed", "[calibrate]") {
    Random random(20261126);
    std::size_t exact = 0;
    std::size_t platforms = 0;
    std::size_t index = 0;
    for (const std::string& name : sim::platform_names()) {
        if (!sassafras::test::is_tried(index++, 4)) continue;
        ++platforms;
        auto truth = sim::load_platform(name);
        REQUIRE(truth.ok());
        const sim::Platform platform = truth->platform;
        sim::ResolvedPlatform base = *truth;
        std::vector<Rule> rules = quick_rules();
        while (rules.size() > changed_numbers)
            rules.erase(rules.begin() + static_cast<std::ptrdiff_t>(random.below(rules.size())));
        std::erase_if(rules, [&](const Rule& rule) { return !disturb(base.platform, rule, random); });

        Measurements measurements{modelled_attributes(platform),
                                  {platform.gpu.compute_capability_major, platform.gpu.compute_capability_minor},
                                  name,
                                  {}};
        REQUIRE(measure(measurements, rules, 1, [&](const auto& rows) { return simulate(platform, rows); }, {}).ok());
        // As if it had been kept in a file.
        const auto kept = read_measurements(measurements_json(measurements), "kept");
        REQUIRE(kept.ok());
        const auto found = calibrate({*kept, base, rules, simulate, {}});
        REQUIRE(found.ok());
        for (const CalibratedNumber& number : found->numbers) {
            if (!number.rule) continue;
            INFO(name << " " << number.pointer << " by " << number.rule->row << ": " << number.before << " became "
                      << number.value);
            CHECK(number.how != How::out_of_reach);
            if (number.how == How::insensitive) {  // then the row is right as it is
                CHECK(number.simulated == Approx(number.measured.median).epsilon(0.02));
                continue;
            }
            const double wanted = sim::number_at(platform, number.pointer)->value;
            CHECK(number.least <= wanted);
            CHECK(number.greatest >= wanted);
            if (number.least != number.greatest) continue;
            CHECK(number.value == wanted);
            ++exact;
        }
        // What it says in a file is the platform that it found.
        const std::string text = platform_file(*found, measurements.attributes, "found", name);
        const auto read = sim::parse_platform(text, "found");
        REQUIRE(read.ok());
        for (const CalibratedNumber& number : found->numbers)
            if (number.how == How::measured)
                CHECK(sim::number_at(read->platform, number.pointer)->value == number.value);
    }
    CHECK(exact > 3 * platforms);
}

}  // namespace sassafras::validate::calibrate
