// Loads of constants whose lanes want different words, as validate/records/h200/probes/constant_lanes.csv has them.
#include "sim/timing/sm/constant_port.hpp"

#include <catch2/catch.hpp>

using namespace sassafras::sim;

TEST_CASE("a load of several addresses comes later by each, and takes the SM's time for each") {
    LsuParameters lsu{};
    lsu.constant_address_cycles = 11;
    lsu.constant_interval_cycles = 2;
    ConstantPort port(lsu);
    CHECK(port.read(1000, 1) == 1000);
    CHECK(port.read(2000, 4) == 2000 + 33);
    CHECK(port.read(2000, 1) == 2008);         // behind the four
    CHECK(port.read(3000, 32) == 3000 + 341);  // a chain of 32 addresses: 375 cycles, of which 34 are one's
    CHECK(port.read(3000, 32) == 3064 + 341);
    ConstantPort free(LsuParameters{});
    CHECK(free.read(1000, 32) == 1000);
    CHECK(free.read(1000, 32) == 1000);
}
