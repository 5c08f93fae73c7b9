// What only the full set of metrics has (--set full): computed when a launch has ended, by sim/device/full_set. A
// metric is a row in the list of its family, and a line where that family is computed.
#pragma once

#include <array>
#include <cstddef>

#include "sim/metrics/instruction_metric_rows.hpp"
#include "sim/metrics/l2_metric_rows.hpp"
#include "sim/metrics/launch_metric_rows.hpp"
#include "sim/metrics/memory_metric_rows.hpp"
#include "sim/metrics/pipe_metric_rows.hpp"
#include "sim/metrics/scheduler_metric_rows.hpp"

namespace sassafras::sim {

namespace detail {

template <std::size_t... sizes>
constexpr auto joined(const std::array<MetricRow, sizes>&... families) {
    std::array<MetricRow, (sizes + ...)> all{};
    std::size_t next = 0;
    const auto append = [&](const auto& family) {
        for (const MetricRow& row : family) all[next++] = row;
    };
    (append(families), ...);
    return all;
}

}  // namespace detail

inline constexpr auto full_set_rows = detail::joined(launch_metric_rows, instruction_metric_rows, pipe_metric_rows,
                                                     scheduler_metric_rows, memory_metric_rows, l2_metric_rows);

}  // namespace sassafras::sim
