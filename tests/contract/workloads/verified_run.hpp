// Runs a workload on a modelled device, demands that its result is right, and gives back what was counted.
#pragma once

#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include "tests/contract/workloads/checked_run.hpp"
#include "tests/sass_text.hpp"
#include "workloads/workload.hpp"

namespace sassafras::test {

/// The launches of one run of a workload.
inline std::vector<sim::KernelResult> verified_run(sim::Device& device, const workloads::WorkloadRequest& request) {
    std::string parameters;
    for (const auto& [name, value] : request.parameters) parameters += name + " " + std::to_string(value) + " ";
    CAPTURE(request.name, request.variant, request.n.value_or(0), request.input, request.seed, parameters);
    device.clear_results();
    const auto run = workloads::run_workload(device, request);
    if (!run) FAIL(run.error().message());
    INFO((*run).mismatch);
    CHECK((*run).verified);
    return device.results();
}

/// Executions (by warps) of the instructions whose text begins with `operation`, after a predicate if there is one.
inline std::uint64_t executed(const sim::KernelResult& kernel, const std::string& operation) {
    std::uint64_t sum = 0;
    for (const sim::SourceRow& row : kernel.source) {
        const std::string text = source_rows::sass(row);
        const std::size_t after = text.starts_with('@') ? text.find(' ') + 1 : 0;
        if (text.compare(after, operation.size(), operation) == 0) sum += row.inst_executed;
    }
    return sum;
}

/// Checks that no shared-memory access of the launch had a bank conflict, and says how many wavefronts there were.
inline std::uint64_t conflict_free_wavefronts(const sim::KernelResult& kernel) {
    std::uint64_t wavefronts = 0;
    for (const sim::SourceRow& row : kernel.source) {
        wavefronts += row.shared_wavefronts;
        if (row.shared_wavefronts == row.shared_wavefronts_ideal) continue;
        CAPTURE(kernel.name, row.pc, source_rows::sass(row));
        CHECK(row.shared_wavefronts == row.shared_wavefronts_ideal);
    }
    return wavefronts;
}

}  // namespace sassafras::test
