// Constructed inputs of search and merge on the functional device: their shared reads cost what is predicted.
#include <algorithm>

#include <catch2/catch.hpp>

#include "tests/contract/workloads/sort_runs.hpp"
#include "workloads/adversary/construction.hpp"
#include "workloads/adversary/merge_reads.hpp"

using namespace sassafras;
using namespace sassafras::test;
using namespace sassafras::workloads;
using namespace sassafras::workloads::adversary;

namespace {

WorkloadRequest request_of(const std::string& name, const std::string& variant, std::uint64_t n,
                           const Parameters& parameters = {}) {
    WorkloadRequest request;
    request.name = name;
    request.variant = variant;
    request.n = n;
    request.parameters = parameters;
    return request;
}

/// Runs what was built; gives its last launch.
sim::KernelResult run_built(const std::string& name, const Construction& built) {
    const auto device = functional_device();
    WorkloadRequest request = request_of(name, built.variant, built.count);
    for (const auto& [parameter, value] : built.parameters) request.parameters[parameter] = value;
    request.seed = built.seed;
    request.keys = std::vector<std::uint32_t>(built.count);
    built.make(0, *request.keys);
    const auto run = run_workload(*device, request);
    if (!run) FAIL(run.error().message());
    CHECK((*run).verified);
    return device->results().back();
}

SerialisedReads loads(const sim::KernelResult& kernel, std::uint64_t least_executed = 0) {
    SerialisedReads reads;
    for (const sim::SourceRow& row : kernel.source)
        if (is_operation(row, "LDS") && row.inst_executed > least_executed)
            reads.add({row.inst_executed, row.shared_wavefronts});
    return reads;
}

SerialisedReads predicted(const Construction& built) {
    SerialisedReads reads;
    for (const PartCost& part : built.parts) reads.add({part.requests, part.accesses});
    return reads;
}

}  // namespace

TEST_CASE("worst and best queries of pbs cost what is predicted, and what the theorems say") {
    constexpr std::uint64_t warps = 64;
    // log2 N - 2 log2 w accesses of w (theorem 6.2.1, N >= 2 w^2), log2 N - log2 w of them (the corollary).
    for (const auto& [keys, w_way] :
         {std::pair<std::int64_t, std::uint64_t>{1024, 5}, {4096, 7}, {8192, 8}, {3000, 1}, {5000, 2}, {2049, 1}}) {
        CAPTURE(keys);
        const auto built = construct(request_of("search", "pbs", 32 * warps, {{"K", keys}}), Goal::worst);
        REQUIRE(built.ok());
        const SerialisedReads counted = loads(run_built("search", *built));
        CHECK(counted == predicted(*built));
        CHECK(counted.accesses >= warps * 32 * w_way);
        for (const PartCost& part : built->parts) CHECK(part.accesses <= part.bound);
        const auto best = construct(request_of("search", "pbs", 32 * warps, {{"K", keys}}), Goal::best);
        REQUIRE(best.ok());
        const SerialisedReads least = loads(run_built("search", *best));
        CHECK(least == predicted(*best));
        CHECK(least.accesses == least.requests);
    }
}

TEST_CASE("constructions of the other searches run") {
    for (const char* variant : {"pbs-cf", "pbs-cl", "halving", "bisection", "sorted", "bst", "btree"})
        for (const Goal goal : {Goal::worst, Goal::best}) {
            const auto built = construct(request_of("search", variant, 1000), goal);
            REQUIRE(built.ok());
            run_built("search", *built);
        }
}

TEST_CASE("worst and best lists of merge cost what is predicted where keys are selected") {
    for (const char* variant : {"single-buffer-select", "single-buffer-half-select", "double-buffer-select"}) {
        CAPTURE(variant);
        for (const Goal goal : {Goal::worst, Goal::best}) {
            const auto built = construct(request_of("merge", variant, 20 * 17 * 128), goal);
            REQUIRE(built.ok());
            CHECK(built->count == 20 * 17 * 128);
            const sim::KernelResult kernel = run_built("merge", *built);
            const auto found = std::find_if(kernel.source.begin(), kernel.source.end(), [&](const sim::SourceRow& row) {
                return is_operation(row, "LDS") && row.shared_wavefronts == predicted(*built).accesses;
            });
            for (const auto& row : kernel.source)
                if (is_operation(row, "LDS"))
                    UNSCOPED_INFO(row.sass << " " << row.inst_executed << " " << row.shared_wavefronts);
            CAPTURE(predicted(*built).accesses, predicted(*built).requests);
            CHECK(found != kernel.source.end());
        }
    }
}
