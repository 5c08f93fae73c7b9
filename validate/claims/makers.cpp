#include "validate/claims/makers.hpp"

#include <algorithm>
#include <utility>

namespace sassafras::validate::claims {

namespace {

std::string platforms_of(const std::vector<RunSpec>& runs) {
    std::vector<std::string> names;
    for (const RunSpec& run : runs)
        if (std::find(names.begin(), names.end(), run.platform) == names.end()) names.push_back(run.platform);
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

Test test_by(Method method, const std::string& platform, const Wanted& wanted) {
    Test test;
    test.method = method;
    test.platform = platform;
    test.what = wanted.what;
    test.unit = wanted.unit;
    test.accepted = wanted.accepted;
    return test;
}

}  // namespace

Claim claim_of(const Heading& heading, std::vector<Test> tests, const std::string& remark) {
    Claim claim;
    claim.id = heading.id;
    claim.source = heading.source;
    claim.statement = heading.statement;
    claim.figure = heading.figure;
    claim.cause = heading.cause;
    claim.tests = std::move(tests);
    claim.remark = remark;
    return claim;
}

Test formula_test(const std::string& platform, const Wanted& wanted, std::function<double()> value) {
    Test test = test_by(Method::formula, platform, wanted);
    test.value = [value = std::move(value)](const Evidence&) { return value(); };
    return test;
}

Test arithmetic_test(const Wanted& wanted, double value) {
    Test test = test_by(Method::arithmetic, "source", wanted);
    test.value = [value](const Evidence&) { return value; };
    return test;
}

Test counting_test(const Wanted& wanted, std::vector<RunSpec> runs, std::function<double(const Evidence&)> value) {
    Test test = test_by(Method::counting, platforms_of(runs), wanted);
    test.runs = std::move(runs);
    test.value = std::move(value);
    return test;
}

Test simulation_test(const Wanted& wanted, std::vector<RunSpec> runs, std::function<double(const Evidence&)> value) {
    Test test = counting_test(wanted, std::move(runs), std::move(value));
    test.method = Method::simulation;
    return test;
}

Test time_ratio(const Wanted& wanted, const RunSpec& slow, const RunSpec& quick) {
    return simulation_test(wanted, {slow, quick}, [slow, quick](const Evidence& evidence) {
        return evidence.cycles(slow) / evidence.cycles(quick);
    });
}

Test showing(Test test) {
    test.role = Role::shows;
    return test;
}

Test lengthy(Test test) {
    test.lengthy = true;
    return test;
}

Test only_full(Test test) {
    test.full = true;
    return test;
}

Test noted(Test test, const std::string& note) {
    test.note = note;
    return test;
}

RunSpec with_counts(RunSpec run) {
    run.kind = RunKind::counted;
    return run;
}

RunSpec with_conflicts(RunSpec run) {
    run.kind = RunKind::conflicts;
    return run;
}

}  // namespace sassafras::validate::claims
