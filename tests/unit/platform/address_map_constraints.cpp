// What the numbers of the address map xor_modulo have to keep to.
#include <catch2/catch.hpp>

#include <string>

#include "sim/platform/platform_reader.hpp"
#include "tests/unit/platform/fixture.hpp"

using namespace sassafras::sim;
using namespace sassafras::sim::test;
using Catch::Contains;

TEST_CASE("xor_modulo: partitions change between granules only, two have a bit that says which, and 32 bits count") {
    const auto parsed = [](const std::string& changes) {
        return parse_platform(R"({"name": "x", "base": "h200", "l2": {)" + changes + "}}", "x.json");
    };
    // Bit 5 of a line's number of 128 bytes is the first above granules of 4 KiB.
    CHECK(parsed(R"("partition_hash": [0, 0, 0, 0, 0, 1])").ok());
    CHECK_THAT(fault_text(parsed(R"("partition_hash": [0, 0, 0, 0, 1])")),
               Contains("[x.json#/l2/partition_hash]") && Contains("number 4 flips the partition within a granule"));
    CHECK_THAT(fault_text(parsed(R"("partition_hash": [0, 0])")), Contains("one of two would be empty"));
    CHECK(parsed(R"("partition_hash": [0, 0], "partitions": 1)").ok());
    CHECK(parsed(R"("partition_hash": [0, 0], "address_map": "hashed")").ok());
    CHECK_THAT(fault_text(parsed(R"("partition_granule_bytes": 3072)")), Contains("3072 is no power of two"));
    std::string bits = "1";
    for (int bit = 1; bit < 33; ++bit) bits += ", 1";
    CHECK_THAT(fault_text(parsed(R"("slice_hash": [)" + bits + "]")),
               Contains("[x.json#/l2/slice_hash]") && Contains("more than 32 bits are not looked at"));
}
