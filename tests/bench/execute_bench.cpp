// Warp instructions a second of the functional core, on a GEMM-like and a merge-like kernel of tests/fixtures/execute.
#include <chrono>
#include <cstdio>

#include "tests/unit/execute/harness.hpp"

namespace {

void report(const char* what, sassafras::Result<sassafras::test::RunResult> result, double seconds) {
    if (!result) {
        std::printf("%-8s %s\n", what, result.error().message().c_str());
        return;
    }
    std::printf("%-8s %10llu warp instructions in %6.3f s: %7.2f million/s\n", what,
                static_cast<unsigned long long>(result->instructions), seconds,
                static_cast<double>(result->instructions) / seconds * 1e-6);
}

template <class F>
void timed(const char* what, F run) {
    const auto begin = std::chrono::steady_clock::now();
    auto result = run();
    report(what, std::move(result), std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
}

}  // namespace

int main() {
    using namespace sassafras;
    const std::string fixtures = std::string(SASSAFRAS_SOURCE_DIR) + "/tests/fixtures/execute/";
    test::Module module(fixtures + "bench.cubin");
    {
        const int depth = 64;
        const std::uint32_t blocks = 64;
        std::vector<float> a(4 * 256 * (depth + 2), 1.0F);
        const Address pa = module.upload(a);
        const Address pb = module.upload(a);
        const Address pc = module.upload(std::vector<float>(64ULL * 256 * blocks));
        timed("gemm", [&] {
            return module.run("gemm_like", {blocks, 1, 1}, {256, 1, 1},
                              test::Parameters().add(pa.value).add(pb.value).add(pc.value).add(depth));
        });
    }
    {
        const std::uint32_t n = 1U << 20U;
        std::vector<std::uint32_t> keys(n);
        std::uint32_t state = 1;
        for (std::uint32_t half = 0; half < 2; ++half) {
            std::uint32_t key = 0;
            for (std::uint32_t i = 0; i < n / 2; ++i) {
                state = state * 1664525U + 1013904223U;
                keys[half * (n / 2) + i] = key += state >> 28U;
            }
        }
        const Address in = module.upload(keys);
        const Address out = module.upload(keys);
        timed("merge", [&] {
            return module.run("merge_like", {n / (128 * 15) + 1, 1, 1}, {128, 1, 1},
                              test::Parameters().add(in.value).add(out.value).add(n / 2).add(n));
        });
    }
    return 0;
}
