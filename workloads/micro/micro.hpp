// Microbenchmarks: the machine's latencies and rates, the same way on a modelled and on a real GPU.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "sim/device/device.hpp"

namespace sassafras::workloads::micro {

struct Row {
    std::string name;       ///< what is measured: "latency ffma"
    std::string parameter;  ///< under which conditions: "warps=1"
    double value = 0;
    std::string unit;  ///< "cycles", "warp instructions/cycle", "bytes/cycle", "cycles/warp load", "ns"
};

/// Rows in a fixed order; a row is the median of three runs. Times come from the SM's clock, so on a device without
/// time (functional) they mean nothing. Only rows whose "name parameter" contains `filter` are measured; nothing else
/// is launched. The launches are appended to device.results().
[[nodiscard]] Result<std::vector<Row>> run(sim::Device& device, const std::string& filter = {});

/// The values of the rows with these "name parameter", long ones too, in this order. Error bad_input if there is one
/// that no measurement gives.
[[nodiscard]] Result<std::vector<double>> run_rows(sim::Device& device, std::span<const std::string> rows);

}  // namespace sassafras::workloads::micro
