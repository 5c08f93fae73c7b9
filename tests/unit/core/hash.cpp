#include "core/hash.hpp"

#include <catch2/catch.hpp>

using sassafras::fnv1a_64;

// Vectors of the FNV draft (draft-eastlake-fnv).
TEST_CASE("FNV-1a of the published vectors") {
    CHECK(fnv1a_64("") == 0xcbf29ce484222325U);
    CHECK(fnv1a_64("a") == 0xaf63dc4c8601ec8cU);
    CHECK(fnv1a_64("foobar") == 0x85944171f73967e8U);
    CHECK(fnv1a_64("\xff") != fnv1a_64("\x7f"));
}
