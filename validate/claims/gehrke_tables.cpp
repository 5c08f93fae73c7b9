// A. S. Gehrke, 2015: the framework's verdicts on the counters that its tables print.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/platform/platform_reader.hpp"
#include "study/diagnose/diagnosis.hpp"
#include "study/diagnose/xeon_phi.hpp"
#include "validate/claims/makers.hpp"
#include "validate/claims/table.hpp"
#include "validate/records/gehrke/printed_tables.hpp"

namespace sassafras::validate::claims {

namespace {

using study::Quantity;

nlohmann::json tables_of(std::string_view name) {
    for (const PrintedTables& printed : printed_tables())
        if (printed.name == name) return nlohmann::json::parse(printed.json).at("tables");
    throw InvariantViolation("no such tables are printed");
}

study::Machine gpu_named(const std::string& name) {
    const auto resolved = sim::load_platform(name);
    if (!resolved) throw InvariantViolation("a platform of the table is missing");
    return study::machine_of(resolved->platform);
}

/// "High" and the like as nvprof means them: the middle of their steps, percent.
double level_percent(const std::string& level) {
    if (level == "Low") return 20;
    if (level == "Mid") return 50;
    return level == "High" ? 80 : 100;
}

/// What the profiler counted, as far as the framework's decision asks: bytes and instructions from the printed rates.
study::Counters counters_of_table(const nlohmann::json& table, const study::Machine& machine) {
    constexpr double bytes_a_sector = 32;
    constexpr double bytes_a_gigabyte_microsecond = 1e3;
    constexpr double nanoseconds = 1e3;  // a microsecond
    constexpr double percent = 100;
    const auto row = [&](const char* name) { return table.at(name).get<double>(); };
    const double time = row("time_us");
    const auto sectors = [&](const char* rate) {
        return row(rate) * time * bytes_a_gigabyte_microsecond / bytes_a_sector;
    };
    const double l2 = sectors("l2_gb_per_s");
    study::Counters counters;
    counters.put(Quantity::time, time * nanoseconds);
    counters.put(Quantity::dram_read_sectors, sectors("dram_gb_per_s"));  // which of them are writes is not looked at
    counters.put(Quantity::dram_write_sectors, 0);
    counters.put(Quantity::l2_read_sectors, l2);
    counters.put(Quantity::l2_write_sectors, 0);
    counters.put(Quantity::l2_read_hit_sectors, l2 * row("l2_hit_percent") / percent);
    counters.put(Quantity::instructions_issued, row("l2_ratio") * l2);
    if (table.contains("issue_percent")) {
        const double clocks = time * machine.clock_hz / 1e6;
        counters.put(Quantity::clocks, clocks);
        counters.put(Quantity::instructions_executed, row("issue_percent") / percent * clocks * machine.sm_count);
    }
    if (!table.contains("units")) return counters;
    for (const auto& [name, level] : table.at("units").items()) {
        const double value = level_percent(level.get<std::string>());
        if (name == "tex_utilization") counters.put(Quantity::l1_utilisation, value);
        if (name == "shared_utilization") counters.put(Quantity::shared_utilisation, value);
        if (name == "single_precision_fu_utilization") counters.put(Quantity::fp32_utilisation, value);
        if (name == "double_precision_fu_utilization") counters.put(Quantity::fp64_utilisation, value);
    }
    return counters;
}

study::Diagnosis diagnosis_of(const nlohmann::json& table) {
    const study::Machine machine = gpu_named(table.at("platform").get<std::string>());
    auto diagnoses = study::diagnose({{"kernel", 1, counters_of_table(table, machine)}}, machine, {});
    return std::move(diagnoses.front());
}

Test class_test(const nlohmann::json& table, bool by_units, const std::string& author) {
    Test test;
    test.method = Method::counters;
    test.platform = table.at("platform").get<std::string>();
    test.what = fmt::format("the rule {} on its counters says \"{}\" (1: yes, 0: something else)",
                            by_units ? "with levels of units" : "as printed", author);
    test.accepted = exactly(1);
    test.value = [table, by_units, author](const Evidence&) {
        const study::Diagnosis diagnosis = diagnosis_of(table);
        const study::Bound bound = by_units ? diagnosis.by_units.bound : diagnosis.literal.bound;
        return study::text_of(bound) == author ? 1.0 : 0.0;
    };
    return test;
}

/// What each table is of.
std::string kernel_of(const std::string& table) {
    if (table == "6.1") return "SGEMM baseline, small matrices";
    if (table == "6.2" || table == "6.11") return "SGEMM baseline, medium matrices";
    if (table == "6.3" || table == "6.13") return "SGEMM optimised";
    if (table == "6.4" || table == "6.14") return "stencil baseline";
    if (table == "6.5" || table == "6.15") return "stencil optimised";
    if (table == "6.6" || table == "6.16") return "RK4 baseline";
    if (table == "6.7") return "RK4, access pattern mended";
    if (table == "6.8") return "RK4, shared memory";
    if (table == "6.9") return "RK4, registers";
    return table == "6.10" ? "RK4, yt and dym exchanged" : "RK4, float literals";
}

void add_classes(std::vector<Claim>& claims) {
    for (const nlohmann::json& table : tables_of("gehrke_tables")) {
        const auto name = table.at("table").get<std::string>();
        const auto author = table.at("author").get<std::string>();
        Claim claim = claim_of(
            {"class-of-table-" + name, "Gehrke table " + name,
             fmt::format("{} is bound by {} ({})", kernel_of(name), author, table.at("platform").get<std::string>()),
             author, Cause::source},
            {class_test(table, true, author), showing(class_test(table, false, author))});
        if (name == "6.2")
            claim.remark = "by the thesis' own rule no roof is near: 14 % of DRAM, 58 % of the instructions' peak";
        if (name == "6.3") claim.remark = "67 % of the instructions' peak, below the rule's 70";
        claims.push_back(claim);
    }
}

double share_of_peak(const nlohmann::json& table) {
    return diagnosis_of(table).figures.find(study::Figure::dram_share).value_or(0);
}

void add_shares(std::vector<Claim>& claims) {
    Claim shares = claim_of({"dram-shares", "Gehrke tables 6.1 to 6.17",
                             "each kernel's DRAM throughput is so much of the peak", "3 to 97 %"},
                            {}, "115.2 and 112.2 GB/s are the peaks");
    Test test;
    test.method = Method::counters;
    test.platform = "c2050, gtx960";
    test.what = "greatest distance of throughput over the modelled GPU's peak from the printed percentage";
    test.unit = "points";
    test.accepted = at_most(2);
    test.value = [](const Evidence&) {
        double greatest = 0;
        for (const nlohmann::json& table : tables_of("gehrke_tables"))
            greatest = std::max(greatest, std::abs(share_of_peak(table) - table.at("dram_percent").get<double>()));
        return greatest;
    };
    shares.tests = {test};
    claims.push_back(shares);
}

/// How many printed figures come out of the events, to half of the last printed digit or 1.1 %.
double phi_figures_that_agree(const nlohmann::json& table) {
    study::NamedValues events;
    for (const auto& [name, value] : table.at("events").items()) events[name] = value.get<double>();
    double agreeing = 0;
    for (const study::PhiFigure& figure : study::phi_figures(events)) {
        const auto printed = table.at("figures").find(std::string(figure.name));
        if (printed == table.at("figures").end() || !figure.value) continue;
        constexpr double of_value = 0.011;
        const double value = printed->get<double>();
        const double last = value >= 20 || value == std::floor(value) ? 0.51 : 0.051;
        agreeing += std::abs(*figure.value - value) <= std::max(last, of_value * value) ? 1 : 0;
    }
    return agreeing;
}

void add_phi_figures(std::vector<Claim>& claims) {
    for (const nlohmann::json& table : tables_of("xeon_phi_tables")) {
        const auto name = table.at("figures_table").get<std::string>();
        Test test;
        test.method = Method::counters;
        test.platform = "Xeon Phi";
        test.what = "how many of the printed figures come out of the printed events";
        test.accepted = exactly(static_cast<double>(table.at("figures").size()));
        test.value = [table](const Evidence&) { return phi_figures_that_agree(table); };
        claims.push_back(claim_of(
            {"phi-figures-" + name,
             fmt::format("Gehrke table {}; events of {}", name, table.at("events_table").get<std::string>()),
             table.at("kernel").get<std::string>() + " on a Xeon Phi has these efficiency figures",
             fmt::format("{} figures", table.at("figures").size()), Cause::source},
            {test},
            name == "6.26" ? "table 6.25 repeats a row in the three below it, and the latency impact does not come out"
                           : ""));
    }
}

/// Cycles of the same threads before over after, from the tables' events.
double phi_gain(const std::string& before, const std::string& after) {
    double slow = 0;
    double quick = 0;
    for (const nlohmann::json& table : tables_of("xeon_phi_tables")) {
        const double cycles = table.at("events").at("CPU_CLK_UNHALTED").get<double>();
        if (table.at("events_table") == before) slow = cycles;
        if (table.at("events_table") == after) quick = cycles;
    }
    return slow / quick;
}

Test phi_gain_test(const std::string& before, const std::string& after, double figure) {
    Test test;
    test.method = Method::counters;
    test.platform = "Xeon Phi";
    test.what = fmt::format("CPU_CLK_UNHALTED of table {} over {}, 224 threads", before, after);
    test.unit = "x";
    test.accepted = within_a_tenth(figure);
    test.value = [before, after](const Evidence&) { return phi_gain(before, after); };
    return test;
}

void add_phi_gains(std::vector<Claim>& claims) {
    const std::string what = "nothing here models a Xeon Phi: the thesis' times are held against its own events";
    claims.push_back(
        claim_of({"phi-sgemm-gain", "Gehrke table 6.31, p. 130; 6.3.1, p. 120",
                  "SGEMM with B transposed is some 2 times as fast on a Xeon Phi", "2 x", Cause::source},
                 {phi_gain_test("6.18", "6.20", 2),
                  showing(arithmetic_test({"times of table 6.30, 6.3 over 3.2 s", "x", within_a_tenth(2)}, 6.3 / 3.2))},
                 what));
    claims.push_back(claim_of(
        {"phi-stencil-gain", "Gehrke table 6.31, p. 130; 6.3.2, p. 126",
         "cache blocking makes the stencil 4.3 times as fast on a Xeon Phi", "4.3 x"},
        {phi_gain_test("6.25", "6.27", 4.3),
         showing(arithmetic_test({"times of table 6.29, 15.66 over 3.56 s", "x", within_a_tenth(4.3)}, 15.66 / 3.56))},
        what));
    claims.push_back(
        claim_of({"phi-rk4-gain", "Gehrke table 6.31, p. 130", "RK4 is 17 times as fast on a Xeon Phi", "17 x"},
                 {arithmetic_test({"times of table 6.30, 525 over 31 s", "x", within_a_tenth(17)}, 525.0 / 31)},
                 "its events are not printed: only its own times bear it out"));
}

}  // namespace

void add_gehrke_tables(std::vector<Claim>& claims) {
    add_classes(claims);
    add_shares(claims);
    add_phi_figures(claims);
    add_phi_gains(claims);
}

}  // namespace sassafras::validate::claims
