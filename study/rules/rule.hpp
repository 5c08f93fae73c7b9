// What a rule says of a launch, as Nsight Compute's rules do under the sections of its details page.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/metrics/metric_row.hpp"

namespace sassafras::study {

enum class RuleKind : std::uint8_t {
    opt,  ///< something to change
    inf,  ///< something to know
};
/// "OPT", "INF".
[[nodiscard]] std::string_view text_of(RuleKind kind);

struct RuleFinding {
    static constexpr double least_worth_naming = 1;  ///< per cent of the launch's time

    std::string_view rule;   ///< its name; Nsight Compute's where it has one
    std::string_view cause;  ///< what it names, in a few words: "bank conflicts"
    sim::Section section = sim::Section::none;
    RuleKind kind = RuleKind::opt;
    std::string text;          ///< what there is, by which number, and what to try
    std::string_view what_if;  ///< of sim::what_ifs(): the cost that it names; empty if none is like it
    /// The launch timed again without that cost: by how many per cent its time gets less, which is what Nsight Compute
    /// calls a global estimated speed-up. Never below 0. None if it was not timed again.
    std::optional<double> saved_percent;
    /// Where nothing can be timed again, what the counters leave at most, in per cent of the launch's time.
    std::optional<double> at_most_percent;

    /// It is known, and next to nothing: there is something to know, and nothing to change.
    [[nodiscard]] bool brings_nothing() const {
        return (saved_percent || at_most_percent) && weight() < least_worth_naming;
    }
    /// What findings are ordered by.
    [[nodiscard]] double weight() const { return saved_percent.value_or(at_most_percent.value_or(0)); }
};

/// Of one launch.
struct LaunchRules {
    std::string verdict;                ///< a sentence: what bounds it, and what would help most
    std::string_view bound;             ///< text_of(Bound), by units
    std::vector<RuleFinding> findings;  ///< those with most to win first
};

}  // namespace sassafras::study
