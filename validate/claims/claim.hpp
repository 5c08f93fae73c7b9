// What the sources claim in numbers, how each claim is tested, and how a verdict follows. A claim is data: its
// criterion stands in the table (karsin_*.cpp, slides.cpp, lv*.cpp, gehrke*.cpp, poster.cpp) and knows nothing of what
// comes out.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "validate/claims/evidence.hpp"

namespace sassafras::validate::claims {

enum class Verdict : std::uint8_t {
    reproduced,
    differs,
    not_run,          ///< what decides it was left out this time
    cannot_be_tested  ///< no test decides it
};

/// Where a difference comes from. A claim that differs names one.
enum class Cause : std::uint8_t {
    none,
    algorithm,  ///< the algorithm does not do what the source says of it
    kernel,     ///< ours is another kernel than the source's
    model,      ///< the source's model leaves out, or miscounts, what matters here
    gpu,        ///< the modelled GPU lacks, or guesses, something of the real one
    source      ///< another figure of the source, or a published one, contradicts it
};

/// How much is evaluated.
enum class Extent : std::uint8_t {
    quick,  ///< not what takes more than seconds
    usual,  ///< not what takes minutes
    full
};

/// How a figure comes about.
enum class Method : std::uint8_t {
    formula,     ///< the SPT model's formula with the constants of Table 4.2
    counting,    ///< a functional run; no time
    simulation,  ///< simulated cycles on a modelled GPU
    recording,   ///< what a real H200 took (validate/records/h200/measured)
    arithmetic,  ///< the source's own figures, worked out
    counters     ///< study/diagnose on counters that the source prints
};

/// Whether a test decides its claim's verdict, or shows something beside it: another machine, another reading, a weaker
/// statement.
enum class Role : std::uint8_t { decides, shows };

/// The values that agree with the claim, both ends included.
struct Accepted {
    double least = -std::numeric_limits<double>::infinity();
    double most = std::numeric_limits<double>::infinity();

    [[nodiscard]] bool holds(double value) const { return value >= least && value <= most; }
};

/// Figures with a unit or a ratio: a tenth to either side, as the simulated constants of Table 4.2 are held to.
[[nodiscard]] inline Accepted within_a_tenth(double figure) {
    constexpr double tolerance = 0.1;
    return {figure * (1 - tolerance), figure * (1 + tolerance)};
}
/// A ratio of times that is to say how much one gains on the other: a tenth to either side, but no more than half of
/// the gain. A tenth of 1.11 would accept a loss.
[[nodiscard]] inline Accepted gain_of(double ratio) {
    constexpr double of_ratio = 0.1;
    constexpr double of_gain = 0.5;
    const double tolerance = std::min(of_ratio * ratio, of_gain * std::abs(ratio - 1));
    return {ratio - tolerance, ratio + tolerance};
}
[[nodiscard]] inline Accepted exactly(double figure) { return {figure, figure}; }
[[nodiscard]] inline Accepted at_most(double figure) { return {-std::numeric_limits<double>::infinity(), figure}; }
/// More than 1: a ratio of times that says only which one is longer.
[[nodiscard]] inline Accepted longer() { return {std::nextafter(1.0, 2.0), std::numeric_limits<double>::infinity()}; }

struct Test {
    Method method = Method::formula;
    std::string platform;  ///< an SPT instance, a modelled GPU, or "h200" for recordings
    Role role = Role::decides;
    std::string what;  ///< what the value is, with sizes
    std::string unit;  ///< "%", "x" (a ratio), "" for a number
    Accepted accepted;
    std::vector<RunSpec> runs{};  ///< what `value` asks the evidence for
    std::function<double(const Evidence&)> value{};
    bool lengthy = false;  ///< --quick leaves it out
    bool full = false;     ///< takes minutes or gigabytes: only --full runs it
    std::string note{};    ///< what to know of this test; true whatever comes out
};

struct Claim {
    std::string id;
    std::string source;     ///< work, section, page or table
    std::string statement;  ///< in our words
    std::string figure;     ///< as the source has it
    std::vector<Test> tests;
    std::string obstacle;       ///< why the claim as it stands cannot be tested; empty if some test decides it
    std::string remark;         ///< what is known about the difference, or what the verdict does not say
    Cause cause = Cause::none;  ///< of the difference, if it differs
};

/// One test's outcome.
struct Outcome {
    double value = 0;
    bool ran = false;     ///< false: left out
    bool agrees = false;  ///< the value is accepted
};

struct Finding {
    const Claim* claim = nullptr;
    std::vector<Outcome> outcomes;  ///< as the claim's tests
    Verdict verdict = Verdict::cannot_be_tested;
    std::string reason;
    Cause cause = Cause::none;  ///< the claim's, if it differs
};

/// reproduced if every test that decides agrees; differs if one that ran does not; else it was not run, or cannot be
/// tested. The reason names the tests that decided.
[[nodiscard]] Finding judge(const Claim& claim, std::vector<Outcome> outcomes);

/// Asks each test for its value, but those that `extent` leaves out.
[[nodiscard]] std::vector<Finding> evaluate(const std::vector<Claim>& claims, const Evidence& evidence, Extent extent);

/// Every run that the tests need, each once, in order.
[[nodiscard]] std::vector<RunSpec> needed_runs(const std::vector<Claim>& claims, Extent extent);

[[nodiscard]] std::string name_of(Verdict verdict);  ///< "cannot be tested"
[[nodiscard]] std::string name_of(Method method);
[[nodiscard]] std::string name_of(Cause cause);  ///< empty for none
/// "2.68 to 3.28 x", "at most 3.8 %", "31"
[[nodiscard]] std::string text_of(const Accepted& accepted, const std::string& unit);
/// Three significant digits, whole numbers whole.
[[nodiscard]] std::string text_of(double value, const std::string& unit);

}  // namespace sassafras::validate::claims
