// The metrics of the framework, computed from counters: one list, a row a metric.
// Source: Gehrke 2015, tables 3.6 to 3.8 and 7.1, equations 3.1 to 3.9 and 7.1. Where the thesis prints one metric in
// two ways (serialisation in tables 6.1 to 6.5 and 6.6 to 6.10) both are here.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "study/diagnose/counters.hpp"
#include "study/diagnose/machine.hpp"

namespace sassafras::study {

enum class Figure : std::uint8_t {
    ideal_ratio,
    dram_ratio,
    l2_ratio,
    dram_throughput,
    dram_share,
    l2_throughput,
    l2_hit_rate,
    l1_global_hit_rate,
    l1_local_hit_rate,
    load_transactions,
    store_transactions,
    load_efficiency,
    store_efficiency,
    local_share_of_l2,
    local_share_of_dram,
    ipc,
    issue_share,
    serialisation,
    replays,
    conflicts_an_access,
    conflicts_an_instruction,
    spilling,
    local_memory,
    divergent_branches,
    divergence,
    theoretical_occupancy,
    occupancy,
    barrier_waits,
    bytes_in_flight,
    bytes_needed,
};
inline constexpr std::size_t figure_count = static_cast<std::size_t>(Figure::bytes_needed) + 1;

/// Values of a kernel on a machine; none where a counter is missing or a denominator is 0.
class Figures {
  public:
    void put(Figure figure, std::optional<double> value) { values_[static_cast<std::size_t>(figure)] = value; }
    [[nodiscard]] std::optional<double> find(Figure figure) const { return values_[static_cast<std::size_t>(figure)]; }
    /// Whether it is known and greater.
    [[nodiscard]] bool exceeds(Figure figure, double bound) const { return find(figure).value_or(bound) > bound; }
    [[nodiscard]] bool is_below(Figure figure, double bound) const { return find(figure).value_or(bound) < bound; }

  private:
    std::array<std::optional<double>, figure_count> values_{};
};

struct FigureRow {
    Figure figure{};
    std::string_view name{};
    std::string_view unit{};
    std::string_view formula{};  ///< in the names of counters
    std::optional<double> (*value)(const Counters& counters, const Machine& machine) = nullptr;
};

/// The list, in the order in which it is printed.
[[nodiscard]] std::span<const FigureRow> figure_rows();
[[nodiscard]] const FigureRow& row_of(Figure figure);

[[nodiscard]] Figures figures_of(const Counters& counters, const Machine& machine);

}  // namespace sassafras::study
