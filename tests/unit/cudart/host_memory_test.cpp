#include "cudart/host_memory.hpp"

#include <array>
#include <catch2/catch.hpp>

namespace sassafras::cudart {
namespace {

TEST_CASE("Host allocations do not overlap, read as zero, and are found by any address in them") {
    HostMemory memory;
    std::byte* const first = memory.allocate(5000, HostMemoryKind::managed, 1);
    std::byte* const second = memory.allocate(1, HostMemoryKind::pinned, 0);
    REQUIRE(first != nullptr);
    REQUIRE(second != nullptr);
    CHECK((second >= first + 5000 || second + 1 <= first));
    CHECK(first[4999] == std::byte{0});
    first[4999] = std::byte{5};
    const auto found = memory.find(first + 4999);
    REQUIRE(found);
    CHECK(found->begin == first);
    CHECK(found->kind == HostMemoryKind::managed);
    CHECK(found->flags == 1);
    CHECK_FALSE(memory.find(first + 5000));
    REQUIRE(memory.remove(first));
    CHECK_FALSE(memory.find(first));
    CHECK_FALSE(memory.remove(first));
    std::byte* const again = memory.allocate(8000, HostMemoryKind::pinned, 0);
    CHECK(again == first);  // the same pages, so that addresses repeat from run to run
    CHECK(again[4999] == std::byte{0});
}

TEST_CASE("The program's own memory is noted once") {
    HostMemory memory;
    std::array<std::byte, 100> own{};
    CHECK(memory.add(own.data(), 50, 0));
    CHECK_FALSE(memory.add(own.data() + 49, 10, 0));
    CHECK_FALSE(memory.add(own.data(), 1, 0));
    CHECK(memory.add(own.data() + 50, 50, 0));
    own[3] = std::byte{9};
    CHECK(memory.remove(own.data()));
    CHECK(own[3] == std::byte{9});
}

TEST_CASE("Sizes that cannot be are refused") {
    HostMemory memory;
    CHECK(memory.allocate(0, HostMemoryKind::pinned, 0) == nullptr);
    CHECK(memory.allocate(std::uint64_t{1} << 50U, HostMemoryKind::pinned, 0) == nullptr);
}

}  // namespace
}  // namespace sassafras::cudart
