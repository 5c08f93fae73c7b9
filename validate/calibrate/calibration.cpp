#include "validate/calibrate/calibration.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/median.hpp"
#include "sim/platform/platform_numbers.hpp"

namespace sassafras::validate::calibrate {

namespace {

constexpr int most_passes = 3;

/// The row of each repetition, less the second one.
Result<Measurement> measurement_of(const Rule& rule, const Measurements& measurements) {
    std::vector<double> values;
    for (const std::string& row : rows_of(rule)) {
        const auto found = measurements.rows.find(row);
        if (found == measurements.rows.end() || (!values.empty() && found->second.size() != values.size()))
            return Error{ErrorKind::bad_input,
                         found == measurements.rows.end() ? "the measurements lack a row"
                                                          : "two rows of one number were not measured equally often",
                         row, "measure again with this version of sassafras"};
        if (values.empty())
            values = found->second;
        else
            for (std::size_t i = 0; i < values.size(); ++i) values[i] -= found->second[i];
    }
    std::sort(values.begin(), values.end());
    // A run in which something else went on must not widen what fits: the middle half counts.
    const std::size_t quarter = values.size() / 4;
    const double low = values[quarter];
    const double high = values[values.size() - 1 - quarter];
    return Measurement{median(values), low, high};
}

/// The rule's row, less the second one.
Result<double> simulate_rule(const Rule& rule, const Request& request, const sim::Platform& platform) {
    const auto rows = request.simulate(platform, rows_of(rule));
    if (!rows) return rows.error();
    return rows->size() == 2 ? (*rows)[0] - (*rows)[1] : (*rows)[0];
}

Result<Solution> solve_rule(const Rule& rule, const Request& request, const sim::Platform& platform,
                            const Measurement& measured) {
    const auto number = sim::number_at(platform, rule.pointer);
    require_invariant(number.has_value(), "a rule is of no number of a platform");
    const Grid grid(number->integer ? Grid::Kind::whole : Grid::Kind::three_digits);
    return solve(rule, grid, number->value, measured, [&](double value) -> Result<double> {
        sim::Platform candidate = platform;
        if (auto set = sim::set_number(candidate, rule.pointer, value); !set) return set.error();
        return simulate_rule(rule, request, candidate);
    });
}

CalibratedNumber* find(Calibration& calibration, std::string_view pointer) {
    const auto found = std::find_if(calibration.numbers.begin(), calibration.numbers.end(),
                                    [&](const CalibratedNumber& number) { return number.pointer == pointer; });
    return found == calibration.numbers.end() ? nullptr : &*found;
}

/// The rules that this GPU has a row for, and whose number the driver does not say.
std::vector<Rule> usable_rules(const Request& request, Calibration& calibration) {
    std::vector<Rule> usable;
    for (const Rule& rule : request.rules) {
        const CalibratedNumber* number = find(calibration, rule.pointer);
        require_invariant(number != nullptr, "a rule is of no number of a platform");
        if (has_row(rule, request.measurements.capability) && number->how != How::attribute) usable.push_back(rule);
    }
    return usable;
}

/// What the driver says, in whatever order the platform takes it: one number may break a relation that it keeps when
/// another is there.
void take_attributes(Calibration& calibration, const GpuAttributes& attributes) {
    std::vector<const GpuAttribute*> waiting;
    for (const GpuAttribute& attribute : attributes.values) waiting.push_back(&attribute);
    for (bool moved = true; moved;) {
        moved = false;
        for (auto next = waiting.begin(); next != waiting.end();) {
            CalibratedNumber* number = find(calibration, (*next)->pointer);
            require_invariant(number != nullptr, "an attribute is of no number of a platform");
            number->said_by = (*next)->said_by;
            number->how = How::refused;
            if (!sim::set_number(calibration.platform, number->pointer, (*next)->value)) {
                ++next;
                continue;
            }
            number->how = How::attribute;
            number->value = number->least = number->greatest = (*next)->value;
            next = waiting.erase(next);
            moved = true;
        }
    }
}

How how_of(Outcome outcome) {
    switch (outcome) {
        case Outcome::found: return How::measured;
        case Outcome::insensitive: return How::insensitive;
        case Outcome::out_of_reach: return How::out_of_reach;
    }
    return How::left;
}

}  // namespace

bool differs(const CalibratedNumber& number) {
    switch (number.how) {
        case How::attribute:
        case How::measured: return number.value != number.before;
        case How::out_of_reach:
        case How::refused: return true;
        case How::insensitive:
        case How::left: return false;
    }
    return false;
}

Result<Calibration> calibrate(const Request& request) {
    Calibration calibration{request.base.platform, {}};
    for (const sim::PlatformNumber& number : sim::platform_numbers(request.base.platform))
        calibration.numbers.push_back({.pointer = number.pointer, .value = number.value, .before = number.value});
    for (const GpuAttribute& attribute : request.measurements.attributes.values)
        if (find(calibration, attribute.pointer) == nullptr)
            return Error{ErrorKind::bad_input, "the measurements have an attribute of no number of a platform",
                         attribute.pointer, "measure again with this version of sassafras"};
    take_attributes(calibration, request.measurements.attributes);

    const auto say = [&](const std::string& line) {
        if (request.progress) request.progress(line);
    };
    const std::vector<Rule> rules = usable_rules(request, calibration);
    std::vector<Measurement> measured;
    for (const Rule& rule : rules) {
        const auto measurement = measurement_of(rule, request.measurements);
        if (!measurement) return measurement.error();
        measured.push_back(*measurement);
    }
    for (int pass = 0; pass < most_passes; ++pass) {
        bool moved = false;
        for (std::size_t i = 0; i < rules.size(); ++i) {
            const Rule& rule = rules[i];
            CalibratedNumber* number = find(calibration, rule.pointer);
            say(fmt::format("pass {}: {}", pass + 1, rule.pointer));
            if (pass != 0) {
                // Where the row is what it was, so is the answer.
                const auto again = simulate_rule(rule, request, calibration.platform);
                if (!again) return again.error();
                if (*again == number->simulated) continue;
            }
            const auto solution = solve_rule(rule, request, calibration.platform, measured[i]);
            if (!solution) return solution.error();
            moved = moved || solution->value != number->value;
            if (auto set = sim::set_number(calibration.platform, rule.pointer, solution->value); !set)
                return set.error();
            number->how = how_of(solution->outcome);
            number->value = solution->value;
            number->rule = rule;
            number->measured = measured[i];
            number->simulated = solution->simulated;
            number->least = solution->least;
            number->greatest = solution->greatest;
        }
        calibration.settled = !moved;
        if (!moved) break;
    }
    return calibration;
}

}  // namespace sassafras::validate::calibrate
