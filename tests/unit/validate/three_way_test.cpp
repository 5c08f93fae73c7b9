// Which runs are compared, and the figures and sentences over comparisons that are made by hand.
#include <catch2/catch.hpp>

#include <algorithm>

#include "validate/compare/cases.hpp"
#include "validate/compare/comparison.hpp"
#include "validate/compare/summary.hpp"

using namespace sassafras;
using namespace sassafras::validate;

namespace {

Comparison comparison(const Case& run, double spt, std::optional<double> simulated, std::optional<double> measured) {
    Comparison made;
    made.run = run;
    for (const std::string& name : model_names()) {
        ModelEstimate estimate;
        estimate.model = name;
        if (name == "spt-counted") {
            estimate.cycles = spt;
            estimate.kernel_cycles = spt - 10;
            estimate.parts = Parts{spt - 10, 0, 0, 0};
            estimate.misjudged = Misjudged{"g", spt - 10, 0};
        } else {
            estimate.reason = "not here";
        }
        made.models.push_back(estimate);
    }
    made.simulated = simulated;
    if (simulated) {
        made.attribution = Attribution{};
        made.attribution->g = *simulated - 10;
        made.attribution->launch = 10;
    }
    if (measured) made.measured = Measurement{*measured, *measured, *measured};
    return made;
}

const ModelSummary& row(const std::vector<ModelSummary>& rows, const std::string& model) {
    const auto found =
        std::find_if(rows.begin(), rows.end(), [&](const ModelSummary& one) { return one.model == model; });
    REQUIRE(found != rows.end());
    return *found;
}

std::vector<RecordedRun> record() {
    return {{"merge", "E15", 300, 1, 1, 1, 1},
            {"merge", "E15", 100, 1, 1, 1, 1},
            {"merge", "E15", 200, 1, 1, 1, 1},
            {"merge", "E8", 100, 1, 1, 1, 1},
            {"merge", "E8", 400, 1, 1, 1, 1},
            {"sort", "mgpu", 50, 1, 1, 1, 1},
            {"sort", "mgpu+E=11+b=128+input=sorted", 70, 1, 1, 1, 1},
            {"micro", "chase", 1024, 1, 1, 1, 1}};
}

std::vector<Case> chosen(const CaseChoice& choice) {
    const auto cases = choose_cases(choice, record());
    if (!cases) FAIL(cases.error().message());
    return *cases;
}

std::string refused(const CaseChoice& choice) {
    const auto cases = choose_cases(choice, record());
    REQUIRE_FALSE(cases.ok());
    return cases.error().message();
}

bool has(const std::vector<Case>& cases, const Case& one) {
    return std::find(cases.begin(), cases.end(), one) != cases.end();
}

}  // namespace

TEST_CASE("the error and the part that is misjudged most") {
    CHECK(error_percent(150, 100) == Approx(50));
    CHECK(error_percent(25, 100) == Approx(-75));
    Attribution simulated;
    simulated.g = 100;
    simulated.s = 50;
    simulated.r = 10;
    const Misjudged most = most_misjudged({90, 110, 10, 30}, simulated);
    CHECK(most.symbol == "s");
    CHECK(most.difference() == 60);
    CHECK(most_misjudged({0, 50, 10, 0}, simulated).symbol == "g");  // too little counts as too much does
    CHECK(most_misjudged({0, 50, 10, 0}, simulated).difference() == -100);
    CHECK(most_misjudged({100, 50, 10, 1}, simulated).symbol == "y");
}

TEST_CASE("sizes are the recorded ones") {
    CaseChoice choice;
    choice.workloads = {"merge"};
    choice.variants = {"E15", "E8"};
    CHECK(chosen(choice) == std::vector<Case>{{"merge", "E15", 200}, {"merge", "E8", 100}});
    choice.sizes = Sizes::smallest;
    CHECK(chosen(choice) == std::vector<Case>{{"merge", "E15", 100}, {"merge", "E8", 100}});
    choice.sizes = Sizes::all;
    CHECK(chosen(choice).size() == 5);
    choice.n = {77};
    CHECK(chosen(choice) == std::vector<Case>{{"merge", "E15", 77}, {"merge", "E8", 77}});
}

TEST_CASE("all variants are compared, but microbenchmarks only if they are named") {
    const std::vector<Case> all = chosen({});
    CHECK(has(all, {"merge", "E15", 200}));
    CHECK(has(all, {"sort", "mgpu+E=11+b=128+input=sorted", 70}));
    const auto stencil = workloads::find("stencil");
    CHECK(has(all, {"stencil", "base", stencil->default_n}));  // no record of it
    CHECK(std::none_of(all.begin(), all.end(), [](const Case& one) { return one.workload == "micro"; }));
    CaseChoice micro;
    micro.workloads = {"micro"};
    CHECK(has(chosen(micro), {"micro", "chase", 1024}));
    CaseChoice quick;
    quick.sizes = Sizes::smallest;
    CHECK_FALSE(has(chosen(quick), {"sort", "mgpu+E=11+b=128+input=sorted", 70}));
    CaseChoice theses;
    theses.theses_only = true;
    CHECK(chosen(theses).size() == 13);
    CaseChoice options;
    options.variants = {"bst+M_TB=4096"};
    options.n = {64};
    CHECK(chosen(options) == std::vector<Case>{{"search", "bst+M_TB=4096", 64}});
}

TEST_CASE("what cannot run is refused before anything runs") {
    CaseChoice wrong;
    wrong.workloads = {"marge"};
    CHECK_THAT(refused(wrong), Catch::Contains("did you mean \"merge\""));
    wrong.workloads = {"merge"};
    wrong.variants = {"mgpu"};
    CHECK_THAT(refused(wrong), Catch::Contains("no workload chosen has a variant \"mgpu\""));
    wrong.variants = {"E15+B=3"};
    CHECK_THAT(refused(wrong), Catch::Contains("no parameter B"));
    wrong.variants = {"E15"};
    wrong.theses_only = true;
    CHECK_THAT(refused(wrong), Catch::Contains("nothing is chosen"));
    CaseChoice large;
    large.workloads = {"ode"};
    large.n = {16777217};
    CHECK_FALSE(choose_cases(large, record()).ok());
}

TEST_CASE("errors are means over runs with a reference") {
    const std::vector<Comparison> runs{comparison({"a", "x", 1}, 150, 110, 100),
                                       comparison({"a", "y", 1}, 50, 190, 200),
                                       comparison({"a", "z", 1}, 999, 5, std::nullopt)};  // not measured
    const auto rows = summarise(runs);
    REQUIRE(rows.size() == model_names().size() + 1);
    const ModelSummary& spt = row(rows, "spt-counted");
    CHECK(spt.compared == 2);
    CHECK(spt.mean_absolute_percent == Approx((50 + 75) / 2.0));
    CHECK(spt.kernel_mean_absolute_percent == Approx((40 + 80) / 2.0));
    CHECK(spt.typical_factor == Approx(2.4494897428));  // sqrt(1.5 * 4)
    CHECK(row(rows, "simulated").mean_absolute_percent == Approx((10 + 5) / 2.0));
    CHECK(row(rows, "roofline").compared == 0);
}

TEST_CASE("where nothing is measured the simulation is the reference") {
    const std::vector<Comparison> runs{comparison({"a", "x", 1}, 150, 100, std::nullopt),
                                       comparison({"a", "y", 1}, 50, std::nullopt, std::nullopt)};
    const auto rows = summarise(runs);
    CHECK(rows.size() == model_names().size());
    CHECK(row(rows, "spt-counted").compared == 1);
    CHECK(row(rows, "spt-counted").mean_absolute_percent == Approx(50));
    CHECK(contests(runs).empty());
    CHECK(findings(runs).empty());
}

TEST_CASE("each run names what it is held against; means are over the measured ones wherever there is one") {
    const Comparison measured = comparison({"a", "x", 1}, 150, 110, 100);
    const Comparison simulated = comparison({"a", "y", 1}, 999, 5, std::nullopt);
    CHECK(measured.reference_name() == "measured");
    CHECK(simulated.reference_name() == "simulated");
    CHECK(comparison({"a", "z", 1}, 50, std::nullopt, std::nullopt).reference_name().empty());
    CHECK(any_measured(std::vector{measured, simulated}));
    CHECK_FALSE(any_measured(std::vector{simulated}));
    // A part of a platform's runs, of which none is measured, though others are: no mean, rather than one of errors to
    // the simulation.
    const auto rows = summarise(std::vector{simulated}, true);
    CHECK(row(rows, "spt-counted").compared == 0);
    CHECK(row(rows, "simulated").compared == 0);
    CHECK(row(summarise(std::vector{simulated}, false), "spt-counted").compared == 1);
}

TEST_CASE("ranks are compared over variants of one size and over sizes of one variant") {
    const std::vector<Comparison> runs{comparison({"a", "x", 1}, 30, 1, 100), comparison({"a", "y", 1}, 20, 2, 200),
                                       comparison({"a", "z", 1}, 10, 3, 300), comparison({"a", "x", 2}, 40, 4, 400),
                                       comparison({"a", "x", 3}, 50, 5, 500), comparison({"b", "x", 1}, 1, 1, 1)};
    const auto rows = summarise(runs);
    CHECK(row(rows, "spt-counted").over_variants.groups == 1);
    CHECK(row(rows, "spt-counted").over_variants.mean.value() == Approx(-1));
    CHECK(row(rows, "spt-counted").over_sizes.groups == 1);
    CHECK(row(rows, "spt-counted").over_sizes.mean.value() == Approx(1));
    CHECK(row(rows, "simulated").over_variants.mean.value() == Approx(1));
    CHECK_FALSE(row(rows, "pem").over_sizes.mean);
}

TEST_CASE("the simulator beside SPT, over all and by workload, with words for both outcomes") {
    const std::vector<Comparison> runs{comparison({"a", "x", 1}, 180, 110, 100),   // 80 % and 10 %
                                       comparison({"b", "x", 1}, 105, 104, 100)};  // 5 % and 4 %: less than twice
    const auto rows = contests(runs);
    REQUIRE(rows.size() == 3);
    CHECK(rows[0].scope == "all");
    CHECK(rows[0].spt_percent == Approx(42.5));
    CHECK(rows[0].simulator_percent == Approx(7));
    CHECK(rows[0].simulator_wins(2));
    CHECK(rows[1].scope == "a");
    CHECK(rows[1].simulator_wins(2));
    CHECK(rows[2].scope == "b");
    CHECK_FALSE(rows[2].simulator_wins(2));
    const auto sentences = findings(runs);
    REQUIRE(sentences.size() == 4);
    CHECK_THAT(sentences[0], Catch::Contains("all: ") && Catch::EndsWith(": half of it or less"));
    CHECK_THAT(sentences[0], Catch::Contains("over 2 runs is"));
    CHECK_THAT(sentences[2],
               Catch::Contains("b: ") && Catch::Contains("over 1 run is") && Catch::EndsWith("NOT half of it or less"));
    // parts: g 95 against 94, L_sync 10 against 10
    CHECK_THAT(sentences[3], Catch::Contains("b x, n 1: simulator +4.0 %, SPT +5.0 %") &&
                                 Catch::Contains("by 1 % of the time, without cancelling; most in g"));
}

TEST_CASE("errors of SPT's parts that cancel are told") {
    Comparison run = comparison({"a", "x", 1}, 101, 102, 100);
    run.models[2].parts = Parts{11, 80, 0, 0};  // with L_sync 101; the simulation has g 92
    run.models[2].misjudged = most_misjudged(*run.models[2].parts, *run.attribution);
    const auto sentences = findings(std::vector{run});
    REQUIRE(sentences.size() == 3);
    CHECK_THAT(sentences.back(),
               Catch::Contains("miss the simulation's by 161 % of the time and cancel to 1 %; most in g"));
}
