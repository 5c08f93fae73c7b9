// Any m, n, k, any variant and shape, any input: bit-equal, magma never with a bank conflict.
#include <catch2/catch.hpp>

#include "core/random.hpp"
#include "tests/contract/workloads/verified_run.hpp"
#include "tests/sanitized.hpp"

using namespace sassafras;
using namespace sassafras::test;

TEST_CASE("gemm of drawn sizes, variants and inputs") {
    const auto device = functional();
    for (std::uint64_t seed = 1; seed <= test::draws(60U); ++seed) {
        Random random(seed);
        workloads::WorkloadRequest request;
        request.name = "gemm";
        request.seed = seed;
        request.n = random.below(260);
        request.parameters = {{"M", static_cast<std::int64_t>(random.below(260))},
                              {"K", static_cast<std::int64_t>(random.below(120))}};
        request.input = random.below(2) == 0 ? "random" : "integers";
        constexpr const char* variants[] = {"naive", "tiled",        "regtile",         "magma",
                                            "magma", "parboil-base", "parboil-regtile", "magma"};
        request.variant = variants[random.below(std::size(variants))];
        const bool magma = request.variant == "magma";
        if (magma) {
            request.parameters["N_TB"] = 32 * static_cast<std::int64_t>(1 + random.below(6));
            const bool shallow = request.parameters["N_TB"] > 32 && random.below(2) == 0;
            request.parameters["lambda"] = shallow ? 8 : 16;
        }
        for (const sim::KernelResult& kernel : verified_run(*device, request))
            if (magma) (void)conflict_free_wavefronts(kernel);
    }
}
