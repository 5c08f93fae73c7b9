// How many addresses the lanes of an LDC have, which timing asks for.
#include <catch2/catch.hpp>

#include <string>

#include "tests/unit/execute/harness.hpp"

using namespace sassafras;

namespace {

const std::string cubin = std::string(SASSAFRAS_SOURCE_DIR) + "/tests/fixtures/check/constants.cubin";

/// Of the LDCs of a kernel of tests/fixtures/check/constants.cu, run by one warp of so many threads.
std::vector<std::uint64_t> addresses(const char* kernel, int n, std::uint32_t threads) {
    test::Module module(cubin);
    const Address a = module.upload(std::vector<int>(1024));
    const Address b = module.upload(std::vector<int>(1024));
    const auto done =
        module.run(kernel, {1, 1, 1}, {threads, 1, 1}, test::Parameters{}.add(a.value).add(b.value).add(n));
    if (!done) FAIL(done.error().message());
    return done->constant_addresses;
}

}  // namespace

TEST_CASE("an LDC by a register has as many addresses as its lanes differ") {
    using Found = std::vector<std::uint64_t>;
    CHECK(addresses("constant_misaligned", 0, 32) == Found{1});
    CHECK(addresses("constant_misaligned", 4, 32) == Found{32});
    CHECK(addresses("constant_misaligned", 8, 7) == Found{7});
    CHECK(addresses("constant_misaligned", 4, 1) == Found{1});
}
