// The workloads are clean under --check, and give the same results and counts with it as without.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>

#include "sim/device/modelled_devices.hpp"
#include "sim/platform/platform_reader.hpp"
#include "tests/sanitized.hpp"
#include "workloads/workload.hpp"

namespace {

using namespace sassafras;

/// Small, but several blocks and several rounds of each algorithm.
const std::map<std::string, std::uint64_t> sizes{{"gemm", 128},  {"search", 3000}, {"merge", 5000}, {"sort", 9000},
                                                 {"scan", 9000}, {"stencil", 70},  {"ode", 256}};

}  // namespace

TEST_CASE("every variant of every workload is clean and counts the same") {
    const auto platform = sim::load_platform("h200");
    REQUIRE(platform.ok());
    std::size_t variants = 0;
    for (const workloads::WorkloadInfo& info : workloads::list()) {
        const auto size = sizes.find(info.name);
        if (size == sizes.end())
            continue;  // micro: microbenchmarks, some of which race on purpose to see what it costs
        for (const workloads::VariantInfo& variant : info.variants) {
            CAPTURE(info.name, variant.name);
            if (!test::is_tried(variants++)) continue;
            workloads::WorkloadRequest request;
            request.name = info.name;
            request.variant = variant.name;
            request.n = std::min(size->second / (test::sanitized ? 4 : 1), info.greatest_n);
            sim::ModelOptions options;
            const auto plain = sim::make_functional_device((*platform).platform, options);
            options.check = true;
            const auto checked = sim::make_functional_device((*platform).platform, options);
            const auto without = workloads::run_workload(*plain, request);
            if (!without) FAIL(without.error().message());
            const auto with = workloads::run_workload(*checked, request);
            if (!with) FAIL(with.error().message());
            CHECK((*with).verified);
            INFO(sim::sanitizer_report(checked->findings()));
            CHECK(checked->findings().empty());
            CHECK(plain->findings().empty());
            REQUIRE(plain->results().size() == checked->results().size());
            for (std::size_t i = 0; i < plain->results().size(); ++i)
                CHECK(plain->results()[i].metrics == checked->results()[i].metrics);
        }
    }
    CHECK(variants > 20);
}
