// Short forms for the rows of the table.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "validate/claims/claim.hpp"

namespace sassafras::validate::claims {

struct Heading {
    std::string id;
    std::string source;
    std::string statement;
    std::string figure;
    Cause cause = Cause::none;  ///< of a difference, if there is one
};
[[nodiscard]] Claim claim_of(const Heading& heading, std::vector<Test> tests, const std::string& remark = {});

/// What a value is, with its unit and what would agree with the claim.
struct Wanted {
    std::string what;
    std::string unit;
    Accepted accepted;
};
/// By formulas with the constants of `platform` in Table 4.2.
[[nodiscard]] Test formula_test(const std::string& platform, const Wanted& wanted, std::function<double()> value);
/// The source's own figures, worked out.
[[nodiscard]] Test arithmetic_test(const Wanted& wanted, double value);
/// By functional runs, or by simulated ones; the platform is that of the runs.
[[nodiscard]] Test counting_test(const Wanted& wanted, std::vector<RunSpec> runs,
                                 std::function<double(const Evidence&)> value);
[[nodiscard]] Test simulation_test(const Wanted& wanted, std::vector<RunSpec> runs,
                                   std::function<double(const Evidence&)> value);
/// Simulated time of the first run over that of the second.
[[nodiscard]] Test time_ratio(const Wanted& wanted, const RunSpec& slow, const RunSpec& quick);

[[nodiscard]] Test showing(Test test);
[[nodiscard]] Test lengthy(Test test);
[[nodiscard]] Test only_full(Test test);
[[nodiscard]] Test noted(Test test, const std::string& note);

/// At least the figure.
[[nodiscard]] inline Accepted at_least(double figure) { return {figure, std::numeric_limits<double>::infinity()}; }

/// The same run with each launch's counts, or with conflicts by phase, in place of its time.
[[nodiscard]] RunSpec with_counts(RunSpec run);
[[nodiscard]] RunSpec with_conflicts(RunSpec run);

}  // namespace sassafras::validate::claims
