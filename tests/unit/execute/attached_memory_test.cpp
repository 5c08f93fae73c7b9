// Host memory that the GPU sees under its own address.
#include <array>
#include <catch2/catch.hpp>

#include "sim/execute/memory_image.hpp"

namespace sassafras::sim {
namespace {

std::uint64_t address_of_bytes(const std::byte* bytes) { return reinterpret_cast<std::uint64_t>(bytes); }

TEST_CASE("Attached memory is found at its host address, inside its range only") {
    MemoryImage memory(Bytes{1 << 20});
    std::array<std::byte, 256> host{};
    REQUIRE(memory.attach(host.data(), Bytes{128}));
    const std::uint64_t address = address_of_bytes(host.data());
    CHECK(memory.translate(address, 128) == host.data());
    CHECK(memory.translate(address + 100, 28) == host.data() + 100);
    CHECK(memory.translate(address + 100, 29) == nullptr);
    CHECK(memory.translate(address + 128, 1) == nullptr);
    CHECK(memory.translate(address - 1, 1) == nullptr);
    REQUIRE(memory.detach(host.data()));
    CHECK(memory.translate(address, 1) == nullptr);
    CHECK_FALSE(memory.detach(host.data()));
}

TEST_CASE("Ranges that overlap, are empty, or lie in device memory are refused") {
    MemoryImage memory(Bytes{1 << 20});
    std::array<std::byte, 256> host{};
    REQUIRE(memory.attach(host.data() + 64, Bytes{64}));
    CHECK_FALSE(memory.attach(host.data(), Bytes{65}));
    CHECK_FALSE(memory.attach(host.data() + 127, Bytes{1}));
    CHECK_FALSE(memory.attach(host.data() + 64, Bytes{64}));
    CHECK_FALSE(memory.attach(host.data(), Bytes{0}));
    CHECK(memory.attach(host.data(), Bytes{64}));
    CHECK(memory.attach(host.data() + 128, Bytes{64}));
    auto* const inside = reinterpret_cast<std::byte*>(memory.first_address() + 4096);  // NOLINT: an address only
    CHECK_FALSE(memory.attach(inside, Bytes{16}));
}

TEST_CASE("What is available shrinks by an allocation and comes back") {
    MemoryImage memory(Bytes{1 << 20}, 0x7000'0000'0000);
    CHECK(memory.available().count == 1 << 20);
    const auto first = memory.allocate(Bytes{1000});
    const auto second = memory.allocate(Bytes{1000});
    REQUIRE(first);
    REQUIRE(second);
    CHECK(first->value == 0x7000'0000'0000);
    const std::uint64_t left = memory.available().count;
    CHECK(left < (1 << 20) - 2000);
    REQUIRE(memory.free(*first));
    CHECK(memory.available().count > left);
    REQUIRE(memory.free(*second));
    CHECK(memory.available().count == 1 << 20);
}

TEST_CASE("A fill with zeros clears all of its range and nothing beside it") {
    MemoryImage memory(Bytes{1 << 20});
    const auto at = memory.allocate(Bytes{100000});
    REQUIRE(at);
    REQUIRE(memory.fill(*at, std::byte{7}, Bytes{100000}));
    REQUIRE(memory.fill(Address{at->value + 100}, std::byte{0}, Bytes{90000}));
    const std::byte* bytes = memory.translate(at->value, 100000);
    REQUIRE(bytes != nullptr);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < 100000; ++i) wrong += bytes[i] != (i >= 100 && i < 90100 ? std::byte{0} : std::byte{7});
    CHECK(wrong == 0);
}

}  // namespace
}  // namespace sassafras::sim
