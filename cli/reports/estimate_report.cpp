#include "cli/reports/estimate_report.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "cli/reports/columns.hpp"
#include "cli/reports/kernel_name.hpp"
#include "cli/reports/report.hpp"
#include "cli/reports/result_text.hpp"
#include "core/json_text.hpp"
#include "core/number_text.hpp"

namespace sassafras::cli {

namespace {

using validate::rivals::RivalEstimate;
using validate::spt::Bound;
using validate::spt::Term;

constexpr double hertz_a_megahertz = 1e6;
constexpr double nanoseconds_a_second = 1e9;
constexpr double percent = 100;

using Row = std::vector<std::string>;

std::string bound_text(Bound bound) { return bound == Bound::latency ? "L/M" : "1/B"; }

/// Three decimals where they say something, as latencies are fractions of a cycle apart.
std::string cycles_text(double value) {
    constexpr double large = 10'000;
    return value < large ? fmt::format("{:.3f}", value) : rounded(std::round(value));
}

std::string share_text(double share) { return fmt::format("{:.1f} %", percent * share); }

std::string spt_table(const EstimateReport& report) {
    const auto& spt = *report.spt;
    std::vector<Row> rows{
        {"Kernel", "Op", "Part", "A", "L", "1/B", "M_o", "M_I", "L/M", "max", "t", "Cycles", "Share"}};
    for (const Term& term : spt.terms)
        rows.push_back({kernel_name(term.kernel), term.symbol, term.part, cycles_text(term.count),
                        cycles_text(term.latency_cycles), cycles_text(term.bandwidth_cycles),
                        cycles_text(term.oversubscription), cycles_text(term.ilp), cycles_text(term.hidden_cycles),
                        bound_text(term.bound), cycles_text(term.operation_cycles), cycles_text(term.cycles),
                        share_text(term.share)});
    const double sync_share = spt.cycles > 0 ? spt.sync_cycles / spt.cycles : 0;
    rows.push_back({"device synchronisation", "", "", cycles_text(spt.kernels),
                    cycles_text(report.instance.sync_cycles), "", "", "", "", "", "", cycles_text(spt.sync_cycles),
                    share_text(sync_share)});
    rows.push_back({"total", "", "", "", "", "", "", "", "", "", "", cycles_text(spt.cycles), share_text(1)});
    const Quantity time = quantity(spt.seconds * nanoseconds_a_second, "ns");
    return aligned(rows, 3) + fmt::format("  spt: {} cycles, {} {} at {} MHz\n", rounded(std::round(spt.cycles)),
                                          time.value, time.unit, number_text(report.instance.clock_mhz));
}

std::string rivals_table(const EstimateReport& report) {
    std::vector<Row> rows{{"Model", "Source", "Unit", "Value"}};
    for (const RivalEstimate& rival : report.rivals) {
        rows.push_back({rival.model, rival.source, rival.unit, cycles_text(rival.value)});
        for (const validate::rivals::Part& part : rival.parts)
            rows.push_back({"  " + part.name, "", rival.unit, cycles_text(part.value)});
    }
    return aligned(rows, 3);
}

nlohmann::ordered_json term_json(const Term& term) {
    auto json = named_kernel("kernel", term.kernel);
    json.update({{"operation", term.symbol},
                 {"part", term.part},
                 {"A", term.count},
                 {"L", term.latency_cycles},
                 {"B", std::isfinite(term.bandwidth) ? nlohmann::ordered_json(term.bandwidth) : nullptr},
                 {"M_o", term.oversubscription},
                 {"M_I", term.ilp},
                 {"M", term.multiplicity},
                 {"bandwidth_cycles", term.bandwidth_cycles},
                 {"latency_cycles", term.hidden_cycles},
                 {"bound", term.bound == Bound::latency ? "latency" : "bandwidth"},
                 {"t", term.operation_cycles},
                 {"cycles", term.cycles},
                 {"share", term.share}});
    return json;
}

}  // namespace

std::string to_table(const EstimateReport& report) {
    std::string text = fmt::format("  estimate {}, {}, reading {}, counts {}\n", report.algorithm, report.instance.name,
                                   report.reading, report.counts);
    if (report.spt) text += spt_table(report);
    if (!report.rivals.empty()) text += rivals_table(report);
    for (const std::string& note : report.notes) text += "  note: " + note + "\n";
    for (const RivalEstimate& rival : report.rivals) text += fmt::format("  note: {}: {}\n", rival.model, rival.note);
    return text;
}

std::string to_csv(const EstimateReport& report) {
    std::string text = csv_line({"model", "kernel", "operation", "part", "A", "L", "B", "M_o", "M_I", "latency_cycles",
                                 "bound", "t", "value", "unit", "share"});
    const auto number = [](double value) { return std::isfinite(value) ? number_text(value) : std::string(); };
    if (report.spt) {
        for (const Term& term : report.spt->terms)
            text += csv_line({"spt", kernel_name(term.kernel), term.symbol, term.part, number(term.count),
                              number(term.latency_cycles), number(term.bandwidth), number(term.oversubscription),
                              number(term.ilp), number(term.hidden_cycles), bound_text(term.bound),
                              number(term.operation_cycles), number(term.cycles), "cycles", number(term.share)});
        const auto& spt = *report.spt;
        text += csv_line({"spt", "device synchronisation", "", "", number(spt.kernels),
                          number(report.instance.sync_cycles), "", "", "", "", "", "", number(spt.sync_cycles),
                          "cycles", number(spt.cycles > 0 ? spt.sync_cycles / spt.cycles : 0)});
        text += csv_line({"spt", "total", "", "", "", "", "", "", "", "", "", "", number(spt.cycles), "cycles", "1"});
    }
    for (const RivalEstimate& rival : report.rivals) {
        for (const validate::rivals::Part& part : rival.parts)
            text += csv_line({rival.model, "", "", part.name, "", "", "", "", "", "", "", "", number(part.value),
                              rival.unit, number(rival.value > 0 ? part.value / rival.value : 0)});
        text += csv_line(
            {rival.model, "total", "", "", "", "", "", "", "", "", "", "", number(rival.value), rival.unit, ""});
    }
    return text;
}

std::string to_json(const EstimateReport& report) {
    nlohmann::ordered_json json{{"command", report.command},
                                {"instance", own_json(instance_json(report.instance))},
                                {"workload", report.workload},
                                {"verified", report.verified ? nlohmann::ordered_json(*report.verified) : nullptr},
                                {"reading", report.reading},
                                {"counts", report.counts},
                                {"algorithm", report.algorithm},
                                {"notes", report.notes}};
    if (report.spt) {
        auto terms = nlohmann::ordered_json::array();
        for (const Term& term : report.spt->terms) terms.push_back(term_json(term));
        json["terms"] = std::move(terms);
        json["kernels"] = report.spt->kernels;
        json["sync_cycles"] = report.spt->sync_cycles;
        json["total"] = {{"cycles", report.spt->cycles}, {"time_ns", report.spt->seconds * nanoseconds_a_second}};
    }
    auto models = nlohmann::ordered_json::array();
    for (const RivalEstimate& rival : report.rivals) {
        const bool timed = rival.unit == "cycles";
        const double seconds = rival.value / (report.instance.clock_mhz * hertz_a_megahertz);
        auto parts = nlohmann::ordered_json::object();
        for (const validate::rivals::Part& part : rival.parts) parts[part.name] = part.value;
        models.push_back({{"model", rival.model},
                          {"source", rival.source},
                          {"unit", rival.unit},
                          {"value", rival.value},
                          {"parts", std::move(parts)},
                          {"time_ns", timed ? nlohmann::ordered_json(seconds * nanoseconds_a_second) : nullptr},
                          {"note", rival.note}});
    }
    json["models"] = std::move(models);
    return result_text("estimate", std::move(json));
}

}  // namespace sassafras::cli
