#include <catch2/catch.hpp>

#include "isa/sass/sleep.hpp"

using namespace sassafras;

// Words that nvdisasm 13.0 prints as in the comments (tests/golden/isa/warp.tsv).
TEST_CASE("which NANOSLEEPs make lanes sleep") {
    const auto sleeps = [](isa::Word128 word) {
        const auto decoded = isa::decode(word);
        if (!decoded) FAIL(decoded.error().message());
        return isa::is_sleep(*decoded);
    };
    CHECK(sleeps({0x000000640000795d, 0x000fea0003800000}));        // NANOSLEEP 0x64
    CHECK(sleeps({0x000000080000735d, 0x000fea0003800000}));        // NANOSLEEP R8
    CHECK_FALSE(sleeps({0x0000000f0000835d, 0x002fea0003900000}));  // @!P0 NANOSLEEP.SYNCS R15
    CHECK_FALSE(sleeps({0x000000000000794d, 0x000fea0003800000}));  // EXIT
}
