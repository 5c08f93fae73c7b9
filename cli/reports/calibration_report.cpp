#include "cli/reports/calibration_report.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/reports/columns.hpp"
#include "cli/reports/report.hpp"
#include "cli/reports/result_text.hpp"
#include "sim/platform/platform_reader.hpp"

namespace sassafras::cli {

namespace {

using validate::calibrate::CalibratedNumber;
using validate::calibrate::How;

std::string_view word_of(How how) {
    switch (how) {
        case How::attribute: return "driver";
        case How::measured: return "measured";
        case How::insensitive: return "not shown";
        case How::out_of_reach: return "out of reach";
        case How::refused: return "refused";
        case How::left: return "left";
    }
    return "";
}

std::string digits(double value) { return fmt::format("{:.6g}", value); }

std::string row_of(const CalibratedNumber& number) {
    if (!number.rule) return number.said_by;
    std::string text(number.rule->row);
    if (!number.rule->less.empty()) text += fmt::format(", less {}", number.rule->less);
    return text;
}

std::size_t count(const CalibrationReport& report, How how) {
    const auto& numbers = report.calibration.numbers;
    return static_cast<std::size_t>(std::count_if(numbers.begin(), numbers.end(),
                                                  [&](const CalibratedNumber& number) { return number.how == how; }));
}

/// The names of a list, a line for each group: "/lsu: queue_entries, l1_ways". Long lines are wrapped.
std::string listed(const CalibrationReport& report, How how, std::string_view what) {
    constexpr std::size_t widest = 110;
    std::size_t all = 0;
    std::string text;
    std::string line;
    std::string group;
    for (const CalibratedNumber& number : report.calibration.numbers) {
        if (number.how != how) continue;
        ++all;
        const std::size_t cut = number.pointer.find_last_of('/');
        const std::string name = number.pointer.substr(cut + 1);
        const bool same_group = all != 1 && number.pointer.compare(0, cut, group) == 0;
        if (same_group && line.size() + name.size() + 2 <= widest) {
            line += ", " + name;
            continue;
        }
        if (!line.empty()) text += line + (same_group ? ",\n" : "\n");
        group = number.pointer.substr(0, cut);
        line = same_group ? "      " + name : fmt::format("    {}: {}", group, name);
    }
    if (all == 0) return {};
    return fmt::format("  {} {}, as on {}:\n", all, what, report.base) + text + line + "\n";
}

}  // namespace

std::string to_table(const CalibrationReport& report) {
    std::vector<std::vector<std::string>> rows{
        {"Number", "From", report.base, "Found", "Fits", "Measured", "Simulated", "Row"}};
    std::size_t moved = 0;
    for (const CalibratedNumber& number : report.calibration.numbers) {
        const bool changed = number.value != number.before;
        moved += validate::calibrate::differs(number) ? 1U : 0U;
        const bool said = number.how == How::attribute && changed;
        if (!number.rule && !said) continue;
        rows.push_back({number.pointer, std::string(word_of(number.how)), digits(number.before), digits(number.value),
                        number.least == number.greatest
                            ? ""
                            : fmt::format("{} to {}", digits(number.least), digits(number.greatest)),
                        number.rule ? digits(number.measured.median) : "", number.rule ? digits(number.simulated) : "",
                        row_of(number)});
    }
    std::string text = fmt::format("  calibrate, {}, from {}\n", report.attributes.name, report.base);
    text += fmt::format("  {} numbers from the driver, {} measured; {} are not as on {}\n",
                        count(report, How::attribute), count(report, How::measured), moved, report.base);
    constexpr std::size_t names = 2;
    text += aligned(rows, names);
    if (!report.calibration.settled) text += "  not settled: numbers still moved in the last pass over the rules\n";
    text += listed(report, How::insensitive, "numbers have a row that does not depend on them on this GPU");
    text += listed(report, How::out_of_reach, "numbers have a row that no value gives");
    text += listed(report, How::refused, "numbers are, as the driver says them, outside of what a platform can be");
    text += listed(report, How::left, "numbers nothing tells");
    return text;
}

std::string to_csv(const CalibrationReport& report) {
    std::string text = csv_line({"pointer", "how", "base", "value", "least", "greatest", "row", "less", "measured",
                                 "measured_least", "measured_greatest", "simulated"});
    for (const CalibratedNumber& number : report.calibration.numbers) {
        std::vector<std::string> fields{number.pointer, std::string(word_of(number.how)), number_text(number.before),
                                        number_text(number.value)};
        if (number.rule)
            for (const std::string& field : {number_text(number.least), number_text(number.greatest),
                                             std::string(number.rule->row), std::string(number.rule->less),
                                             number_text(number.measured.median), number_text(number.measured.least),
                                             number_text(number.measured.greatest), number_text(number.simulated)})
                fields.push_back(field);
        else
            fields.insert(fields.end(), {"", "", number.said_by, "", "", "", "", ""});
        text += csv_line(fields);
    }
    return text;
}

std::string to_json(const CalibrationReport& report) {
    auto numbers = nlohmann::ordered_json::array();
    for (const CalibratedNumber& number : report.calibration.numbers) {
        nlohmann::ordered_json entry{{"pointer", number.pointer},
                                     {"how", word_of(number.how)},
                                     {"base", number.before},
                                     {"value", number.value}};
        if (!number.said_by.empty()) entry["said_by"] = number.said_by;
        if (number.rule) {
            entry["least"] = number.least;
            entry["greatest"] = number.greatest;
            entry["row"] = number.rule->row;
            if (!number.rule->less.empty()) entry["less"] = number.rule->less;
            entry["measured"] = number.measured.median;
            entry["measured_least"] = number.measured.least;
            entry["measured_greatest"] = number.measured.greatest;
            entry["simulated"] = number.simulated;
        }
        numbers.push_back(std::move(entry));
    }
    nlohmann::ordered_json json{{"command", report.command},
                                {"gpu", report.attributes.name},
                                {"driver", report.attributes.driver_version},
                                {"base", report.base},
                                {"base_hash", report.base_hash},
                                {"hash", sim::platform_hash(report.calibration.platform)},
                                {"settled", report.calibration.settled},
                                {"numbers", std::move(numbers)}};
    return result_text("calibration", std::move(json));
}

}  // namespace sassafras::cli
