// Numbers that a kind of input makes, given as a user's own, are the same input: each workload that takes some, each
// variant.
#include <catch2/catch.hpp>

#include "sim/device/modelled_devices.hpp"
#include "sim/platform/platform_reader.hpp"
#include "study/adversary/climb_start.hpp"
#include "tests/contract/workloads/verified_run.hpp"
#include "workloads/workload.hpp"

using namespace sassafras;
using namespace sassafras::workloads;

namespace {

std::map<std::string, std::uint64_t> small_sizes() {
    return {{"gemm", 20}, {"search", 300}, {"merge", 500}, {"sort", 1000}, {"scan", 1500}, {"stencil", 9}, {"ode", 40}};
}

}  // namespace

TEST_CASE("own numbers are the input that they were made as") {
    const auto resolved = sim::load_platform("h200-half");
    REQUIRE(resolved.ok());
    const auto device = sim::make_functional_device(resolved->platform, {});
    std::size_t takers = 0;
    for (const WorkloadInfo& info : list()) {
        if (info.own_input.empty()) continue;
        ++takers;
        for (const VariantInfo& variant : info.variants)
            for (const std::string& input : info.inputs) {
                WorkloadRequest request;
                request.name = info.name;
                request.variant = variant.name;
                request.n = small_sizes().at(info.name);
                request.input = input;
                request.seed = 3;
                if (info.name == "search") request.parameters["K"] = 200;
                CAPTURE(info.name, variant.name, input);
                auto start = study::adversary::begin_climb(request, study::adversary::Goal::worst);
                if (!start) {  // all numbers are equal: nothing to permute
                    CHECK(start.error().message().find("are equal") != std::string::npos);
                    continue;
                }
                const auto made = test::verified_run(*device, request);
                const auto given = test::verified_run(*device, start->request_of(start->numbers));
                REQUIRE(made.size() == given.size());
                for (std::size_t i = 0; i < made.size(); ++i) {
                    CHECK(made[i].name == given[i].name);
                    CHECK(made[i].metrics == given[i].metrics);
                }
            }
    }
    CHECK(takers == small_sizes().size());
}

TEST_CASE("what takes no numbers of one's own says so") {
    WorkloadRequest request;
    request.name = "micro";
    const auto start = study::adversary::begin_climb(request, study::adversary::Goal::worst);
    REQUIRE_FALSE(start.ok());
    CHECK(start.error().message().find("micro takes no numbers of one's own") != std::string::npos);
}
