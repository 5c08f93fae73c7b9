// What the SPT model knows of a machine: Table 4.2 of Karsin's thesis as a value, and as a JSON file.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace sassafras::validate::spt {

/// The least and the greatest value that a measurement allows (a confidence interval).
struct Interval {
    double least = 0;
    double most = 0;
};

/// One element of Phi, the operations that cost time (thesis 3.1, Definitions 3.1.9 and 3.1.10).
struct Operation {
    std::string symbol;         ///< "g", "s", "r", "y" on GPUs (thesis, chapter 4); any other on other machines
    std::string name;           ///< "global memory access"
    double latency_cycles = 0;  ///< L: time of one operation at multiplicity 1
    double bandwidth = 0;       ///< B: operations a cycle and core at best; infinity: no bound
    bool hidden_by_ilp = true;  ///< false: M is M_o alone (barriers, thesis 4.5.1)
    std::optional<Interval> latency_interval;    ///< of latency_cycles, where it was fitted
    std::optional<Interval> bandwidth_interval;  ///< of bandwidth
};

/// A machine. Counts of memory are of the whole GPU in 4-byte words, as in Table 4.2.
struct Instance {
    std::string name;
    std::string description;
    std::string provenance;       ///< where the numbers come from, in words
    double cores = 0;             ///< P
    double warp_lanes = 32;       ///< w; banks of shared memory too
    double shared_words = 0;      ///< M
    double register_words = 0;    ///< R
    double threads_per_core = 0;  ///< resident threads the hardware allows a core: a bound on M_o
    double multiprocessors = 0;   ///< SMs; SPT itself has no use for it, its rivals have
    double clock_mhz = 0;         ///< turns cycles into time
    double sync_cycles = 0;       ///< L_sync: a device-wide synchronisation, one a kernel
    std::optional<Interval> sync_interval;
    std::vector<Operation> operations;  ///< Phi

    /// Null if Phi has no such operation.
    [[nodiscard]] const Operation* find(std::string_view symbol) const;
};

/// The three machines of Table 4.2: algoparc, gibson, uhhpc.
[[nodiscard]] const std::vector<Instance>& built_in_instances();

/// Reads an instance. Strict: unknown or missing keys, wrong types and values out of range are reported together.
/// `origin` names the text in errors. docs/spt.md shows the format.
[[nodiscard]] Result<Instance> parse_instance(std::string_view text, std::string_view origin);

/// The JSON that parse_instance reads back to the same value; two spaces of indentation, newline at the end.
[[nodiscard]] std::string instance_json(const Instance& instance);

}  // namespace sassafras::validate::spt
