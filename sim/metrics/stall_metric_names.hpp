// Names of the metrics of warp states, which are put together from the states' own.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "sim/metrics/stall.hpp"

namespace sassafras::sim {

namespace detail {

/// A name that is put together from others.
struct ComposedName {
    std::array<char, 80> text{};
    std::size_t size = 0;
    constexpr ComposedName() = default;
    constexpr ComposedName(std::string_view prefix, std::string_view middle, std::string_view suffix) {
        for (const std::string_view part : {prefix, middle, suffix})
            for (const char c : part) text[size++] = c;
    }
    [[nodiscard]] constexpr std::string_view view() const { return {text.data(), size}; }
};

struct StallNames {
    std::array<ComposedName, stall_count> ratio;
    std::array<ComposedName, stall_count> cycles;
    std::array<ComposedName, stall_count> label;
};

/// "Stall Long Scoreboard" for the reason long_scoreboard.
constexpr ComposedName stall_label(std::string_view reason) {
    ComposedName label("Stall ", reason, "");
    bool capital = true;
    for (char& c : std::span(label.text).first(label.size)) {
        if (c == '_') c = ' ';
        if (capital && c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
        capital = c == ' ';
    }
    return label;
}

inline constexpr StallNames stall_metric_names = [] {
    StallNames names;
    for (std::size_t i = 0; i < stall_count; ++i) {
        const std::string_view reason = stall_rows[i].name;
        const std::string_view other = stall_rows[i].in_metrics;
        const std::string_view in_metrics = other.empty() ? reason : other;
        names.ratio[i] = {"smsp__average_warps_issue_stalled_", in_metrics, "_per_issue_active.ratio"};
        names.cycles[i] = {"smsp__warps_issue_stalled_", in_metrics, ".sum"};
        names.label[i] = stall_label(reason);
    }
    return names;
}();

}  // namespace detail

}  // namespace sassafras::sim
