// The list of rules: a row each, with when it speaks and what it says.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sim/device/device.hpp"
#include "study/diagnose/diagnosis.hpp"
#include "study/rules/rule.hpp"
#include "study/rules/speed_of_light.hpp"

namespace sassafras::study {

/// What a rule may look at.
struct RuledLaunch {
    const sim::KernelResult& result;
    const Diagnosis& diagnosis;
    const Machine& machine;
    /// What bounds it: the diagnosis', or by these shares where they are known.
    const Verdict& verdict;
    std::optional<SpeedOfLight> shares = std::nullopt;

    /// Blocks that are on an SM at a time, by what limits occupancy; none where that is not known.
    [[nodiscard]] std::optional<double> blocks_an_sm() const;
};

struct Said {
    std::string text;
    std::optional<double> at_most_percent = std::nullopt;
};

struct Rule {
    std::string_view name{};
    std::string_view cause{};
    sim::Section section = sim::Section::none;
    RuleKind kind = RuleKind::opt;
    std::string_view what_if{};  ///< empty: nothing can be timed again
    std::optional<Said> (*says)(const RuledLaunch& launch) = nullptr;
};

[[nodiscard]] std::span<const Rule> rules();

}  // namespace sassafras::study
