// Memory that a program lends to the GPU under a device address.
#include <catch2/catch.hpp>

#include <array>
#include <cstddef>
#include <vector>

#include "sim/execute/memory_image.hpp"

using namespace sassafras;
using namespace sassafras::sim;

namespace {

struct alignas(64) LentBytes {
    std::array<std::byte, 4096> bytes{};
};

}  // namespace

TEST_CASE("lent memory has the address of an allocation, and the lender's bytes") {
    MemoryImage copied(Bytes{1U << 20U});
    MemoryImage image(Bytes{1U << 20U});
    LentBytes host;
    const auto lent = image.lend(host.bytes.data(), Bytes{1000});
    REQUIRE(lent);
    CHECK(lent->value == copied.allocate(Bytes{1000})->value);
    CHECK(image.allocate(Bytes{8})->value == copied.allocate(Bytes{8})->value);
    CHECK(image.translate(lent->value + 10, 990) == host.bytes.data() + 10);
    CHECK(image.translate(lent->value + 10, 991) == nullptr);

    const std::array<std::byte, 2> data{std::byte{1}, std::byte{2}};
    REQUIRE(image.write(*lent + Bytes{4}, data));
    CHECK(host.bytes[5] == std::byte{2});
    CHECK(image.untouched(*lent, Bytes{1000}).count == 0);
    REQUIRE(image.fill(*lent, std::byte{0}, Bytes{1000}));
    CHECK(host.bytes[5] == std::byte{0});
    host.bytes[7] = std::byte{9};
    std::array<std::byte, 1> read{};
    REQUIRE(image.read(read, *lent + Bytes{7}));
    CHECK(read[0] == std::byte{9});
}

TEST_CASE("kernels reach lent memory and nothing around it, and what shares its pages with exact bounds") {
    constexpr std::uint64_t page = 2U << 20U;
    MemoryImage image(Bytes{16 * page}, MemoryImage::base_address, {Bytes{page}, Bytes{page}});
    LentBytes host;
    const auto before = image.allocate(Bytes{100});
    CHECK(image.access(before->value + 4096, 4) != nullptr);
    const auto lent = image.lend(host.bytes.data(), Bytes{1000});
    CHECK(image.access(lent->value, 1000) == host.bytes.data());
    CHECK(image.access(lent->value + 999, 2) == nullptr);
    CHECK(image.access(lent->value - 1, 1) == nullptr);
    CHECK(image.access(before->value, 100) != nullptr);
    CHECK(image.access(before->value, 101) == nullptr);
    CHECK(image.allocations().size() == 1);
    REQUIRE(image.take_back(*lent));
    CHECK(image.access(before->value + 4096, 4) != nullptr);
}

TEST_CASE("what was lent is taken back once, and its address is given out again") {
    MemoryImage image(Bytes{1U << 20U});
    LentBytes host;
    const auto lent = image.lend(host.bytes.data() + 16, Bytes{64});
    REQUIRE(image.take_back(*lent));
    CHECK(image.translate(lent->value, 1) == nullptr);
    CHECK_FALSE(image.take_back(*lent));
    const auto again = image.lend(host.bytes.data(), Bytes{64});
    CHECK(again->value == lent->value);
    host.bytes[3] = std::byte{5};
    REQUIRE(image.free(*again));  // it stays the lender's
    CHECK(host.bytes[3] == std::byte{5});
    const auto own = image.allocate(Bytes{64});
    CHECK(own->value == lent->value);
    CHECK(*image.translate(own->value + 3, 1) == std::byte{0});
    CHECK_FALSE(image.take_back(*own));
    CHECK_FALSE(image.lend(host.bytes.data() + 8, Bytes{8}));
    CHECK_FALSE(image.lend(host.bytes.data(), Bytes{0}));
}
