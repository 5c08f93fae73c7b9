#include "core/types.hpp"

#include <catch2/catch.hpp>

using namespace sassafras;

TEST_CASE("lane masks") {
    CHECK(LaneMask{}.none());
    CHECK(LaneMask::full().all());
    CHECK(LaneMask::full().count() == warp_size);
    CHECK((~LaneMask::full()).none());
    CHECK((LaneMask{0b1100} & LaneMask{0b0110}) == LaneMask{0b0100});
    CHECK((LaneMask{0b1100} | LaneMask{0b0110}) == LaneMask{0b1110});
    CHECK(LaneMask{0x80000000U}.test(31));
    CHECK_FALSE(LaneMask{0x80000000U}.test(30));
}

TEST_CASE("the volume of a grid does not wrap at 32 bits") { CHECK(Dim3{65536, 65536, 4}.volume() == 17179869184U); }

TEST_CASE("cycles, bytes and addresses") {
    CHECK(Cycle{3} + Cycle{4} == Cycle{7});
    CHECK(Cycle{9} - Cycle{4} == Cycle{5});
    CHECK(Address{0x100} + Bytes{16} == Address{0x110});
    CHECK(Cycle{1} < Cycle{2});
}
