// Any box, any number of chromosomes and steps, any input, every variant: bit-equal.
#include <catch2/catch.hpp>

#include <iterator>

#include "core/random.hpp"
#include "tests/contract/workloads/verified_run.hpp"
#include "tests/sanitized.hpp"

using namespace sassafras;
using namespace sassafras::test;

TEST_CASE("stencil of drawn boxes") {
    const auto device = functional();
    for (std::uint64_t seed = 1; seed <= test::draws(30U); ++seed) {
        Random random(seed);
        workloads::WorkloadRequest request;
        request.name = "stencil";
        request.seed = seed;
        request.n = random.below(150);
        request.parameters = {{"ny", static_cast<std::int64_t>(random.below(40))},
                              {"nz", static_cast<std::int64_t>(random.below(20))},
                              {"T", static_cast<std::int64_t>(1 + random.below(4))}};
        constexpr const char* inputs[] = {"random", "equal", "point"};
        request.input = inputs[random.below(3)];
        constexpr const char* variants[] = {"base", "tiled", "parboil-base", "parboil-tiled"};
        request.variant = variants[random.below(4)];
        if (request.variant == "base") request.parameters["b"] = static_cast<std::int64_t>(1 + random.below(300));
        const auto kernels = verified_run(*device, request);
        if (request.variant.ends_with("tiled"))
            for (const sim::KernelResult& kernel : kernels) (void)conflict_free_wavefronts(kernel);
    }
}

TEST_CASE("ode of drawn chromosomes") {
    const auto device = functional();
    for (std::uint64_t seed = 1; seed <= test::draws(40U); ++seed) {
        Random random(seed);
        workloads::WorkloadRequest request;
        request.name = "ode";
        request.seed = seed;
        request.n = random.below(400);
        request.parameters = {{"T", static_cast<std::int64_t>(random.below(12))}};
        request.input = random.below(2) == 0 ? "random" : "equal";
        constexpr const char* variants[] = {"base",     "coalesced", "shared",           "registers", "float-literals",
                                            "opt3",     "opt4",      "opt3-63",          "opt4-63",   "registers-63",
                                            "literals", "unrolled",  "unrolled-literals"};
        request.variant = variants[random.below(std::size(variants))];
        for (const sim::KernelResult& kernel : verified_run(*device, request)) (void)conflict_free_wavefronts(kernel);
    }
}
