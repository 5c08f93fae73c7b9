// Runs of `sort` for tests, and sums over the instructions they executed.
#pragma once

#include <catch2/catch.hpp>

#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/program/targets.hpp"
#include "sim/device/modelled_devices.hpp"
#include "tests/h200.hpp"
#include "workloads/workload.hpp"

namespace sassafras::test {

using Parameters = std::map<std::string, std::int64_t>;

inline std::unique_ptr<sim::Device> functional_device() {
    sim::ModelOptions options;
    options.instruction_limit = 400'000'000;  // a kernel that never ends must fail the test, not hang it
    return sim::make_functional_device(h200(), options);
}

inline workloads::WorkloadRequest sort_request(const std::string& variant, std::uint64_t n,
                                               const Parameters& parameters = {}, const std::string& input = {},
                                               std::uint64_t seed = 1) {
    workloads::WorkloadRequest request;
    request.name = "sort";
    request.variant = variant;
    request.n = n;
    request.parameters = parameters;
    request.input = input;
    request.seed = seed;
    return request;
}

/// Runs it; it must be verified. Gives its launches.
inline std::vector<sim::KernelResult> verified_sort(sim::Device& device, const workloads::WorkloadRequest& request) {
    std::string parameters;
    for (const auto& [name, value] : request.parameters) parameters += name + " " + std::to_string(value) + " ";
    CAPTURE(request.variant, request.n.value_or(0), request.input, request.seed, parameters);
    device.clear_results();
    const auto run = workloads::run_workload(device, request);
    if (!run) FAIL(run.error().message());
    INFO((*run).mismatch);
    CHECK((*run).verified);
    return device.results();
}

inline bool is_called(const sim::KernelResult& kernel, std::string_view prefix) {
    return std::string_view(kernel.name).starts_with(prefix);
}

/// LDS.64 is "LDS".
inline bool is_operation(const sim::SourceRow& row, std::string_view operation) {
    return isa::mnemonic(row.instruction.opcode) == operation;
}
inline bool is_shared(const sim::SourceRow& row) { return is_operation(row, "LDS") || is_operation(row, "STS"); }
inline bool is_global(const sim::SourceRow& row) { return is_operation(row, "LDG") || is_operation(row, "STG"); }

/// Thread instructions of one operation in the kernels with this prefix.
inline std::uint64_t accesses(const std::vector<sim::KernelResult>& kernels, std::string_view prefix,
                              std::string_view operation) {
    std::uint64_t sum = 0;
    for (const sim::KernelResult& kernel : kernels)
        if (is_called(kernel, prefix))
            for (const sim::SourceRow& row : kernel.source)
                if (is_operation(row, operation)) sum += row.thread_inst_executed;
    return sum;
}

/// Sectors of global memory that an operation reaches. Unlike thread instructions, only lanes count whose predicate is
/// true.
inline std::uint64_t sectors(const std::vector<sim::KernelResult>& kernels, std::string_view prefix,
                             std::string_view operation) {
    std::uint64_t sum = 0;
    for (const sim::KernelResult& kernel : kernels)
        if (is_called(kernel, prefix))
            for (const sim::SourceRow& row : kernel.source)
                if (is_operation(row, operation)) sum += row.global_sectors;
    return sum;
}

/// Loops without another loop inside: first and last instruction, from backward branches.
inline std::vector<std::pair<std::uint64_t, std::uint64_t>> innermost_loops(const sim::KernelResult& kernel) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> loops;
    for (const sim::SourceRow& row : kernel.source) {
        if (row.instruction.opcode != isa::Opcode::BRA) continue;
        const auto target = isa::branch_target(row.instruction, row.pc);
        if (target && *target < row.pc) loops.emplace_back(*target, row.pc);
    }
    std::vector<std::pair<std::uint64_t, std::uint64_t>> innermost;
    for (const auto& loop : loops) {
        bool has_inner = false;
        for (const auto& other : loops)
            has_inner = has_inner || (other != loop && other.first >= loop.first && other.second <= loop.second);
        if (!has_inner) innermost.push_back(loop);
    }
    return innermost;
}

}  // namespace sassafras::test
