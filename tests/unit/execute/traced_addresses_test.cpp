// Where traces have memory that the host's allocator placed.
#include <catch2/catch.hpp>

#include "sim/execute/traced_addresses.hpp"

namespace sassafras::sim {
namespace {

TEST_CASE("Traced addresses depend on order and size, not on the host's address") {
    constexpr std::uint64_t first = TracedAddresses::first_address;
    TracedAddresses one;
    TracedAddresses other;
    CHECK(one.is_empty());
    CHECK(one.of(0x5555'0010) == 0x5555'0010);
    one.add(0x5555'0010, 1000);
    one.add(0x1000, 16);
    other.add(0x7777'7770, 1000);
    other.add(0x9999'0000, 16);
    CHECK(one.of(0x5555'0010) == first);
    CHECK(one.of(0x5555'0010 + 999) == first + 999);
    CHECK(one.of(0x5555'0010 + 1000) == 0x5555'0010 + 1000);
    CHECK(one.of(0x1000) == first + 1024);  // 1000 bytes take two times 512
    CHECK(other.of(0x7777'7770) == one.of(0x5555'0010));
    CHECK(other.of(0x9999'0000) == one.of(0x1000));

    one.remove(0x5555'0010);
    CHECK(one.of(0x5555'0010) == 0x5555'0010);
    one.add(0x8003, 100);  // its place is the one that is free; accesses are aligned as they were
    CHECK(one.of(0x8003) == first + 3);
    CHECK(one.of(0x1000) == first + 1024);
    one.remove(0x4242);  // nothing begins there
    one.remove(0x8003);
    one.remove(0x1000);
    CHECK(one.is_empty());
}

}  // namespace
}  // namespace sassafras::sim
