// Launches with their metrics, whoever measured them: what two reports are compared by.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/types.hpp"

namespace sassafras::study {

struct MeasuredMetric {
    std::string name;  ///< Nsight Compute's
    std::string unit;  ///< a base unit: metric_unit.hpp
    double value = 0;
};

/// An instruction of a source page. Counts that the page does not have are 0.
struct MeasuredInstruction {
    std::uint64_t pc = 0;  ///< bytes into the kernel
    std::string sass;
    double inst_executed = 0;
    double thread_inst_executed = 0;
    double shared_wavefronts = 0;
    double shared_wavefronts_ideal = 0;
    double global_sectors = 0;
    std::map<std::string, double> stalls;  ///< samples by reason, those that are not 0
};

struct MeasuredLaunch {
    std::string name;       ///< as the file has it
    std::string demangled;  ///< the same where the file has no other
    std::optional<Dim3> grid;
    std::optional<Dim3> block;
    std::string stream;                             ///< empty: not known
    std::vector<MeasuredMetric> metrics;            ///< in the file's order, each name once
    std::vector<MeasuredInstruction> instructions;  ///< by address; empty where there is no source page

    [[nodiscard]] const MeasuredMetric* find(const std::string& metric) const;
};

struct MeasuredReport {
    std::string file;
    std::string profiler;  ///< "sassafras" or "Nsight Compute"
    std::string page;      ///< of Nsight Compute: raw, details or source; empty
    std::string device;    ///< the platform's or the GPU's name; empty: not known
    std::vector<MeasuredLaunch> launches;
};

}  // namespace sassafras::study
