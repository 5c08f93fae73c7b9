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

TEST_CASE("Under --check freed addresses are kept back, and allocations do not touch") {
    HostMemory memory;
    memory.keep_freed();
    std::byte* const first = memory.allocate(4096, HostMemoryKind::managed, 0);
    std::byte* const second = memory.allocate(4096, HostMemoryKind::pinned, 0);
    REQUIRE(first != nullptr);
    REQUIRE(second != nullptr);
    CHECK(second > first + 4096);
    first[7] = std::byte{3};
    REQUIRE(memory.remove(first));
    CHECK(memory.allocate(4096, HostMemoryKind::managed, 0) != first);
    CHECK_FALSE(memory.find(first));
    // With half of all addresses kept back, the oldest come again. Each time a half but a little, in address space
    // only.
    const std::uint64_t most = (std::uint64_t{1} << 39U) - (1U << 20U);
    std::byte* const half = memory.allocate(most, HostMemoryKind::pinned, 0);
    if (half == nullptr) return;  // this machine gives no such address space
    REQUIRE(memory.remove(half));
    std::byte* const again = memory.allocate(most, HostMemoryKind::pinned, 0);
    REQUIRE(again != nullptr);
    CHECK(again != half);
    REQUIRE(memory.remove(again));
    std::byte* const next = memory.allocate(4096, HostMemoryKind::managed, 0);
    CHECK(next == first);
    CHECK(next[7] == std::byte{0});
}

TEST_CASE("Clearing says what was given back: not managed variables, nor the program's own memory") {
    HostMemory memory;
    std::array<std::byte, 64> own{};
    std::byte* const pinned = memory.allocate(100, HostMemoryKind::pinned, 0);
    std::byte* const variable = memory.allocate(8, HostMemoryKind::managed_variable, 0);
    REQUIRE(memory.add(own.data(), own.size(), 0));
    const auto gone = memory.clear();
    REQUIRE(gone.size() == 1);
    CHECK(gone[0].begin == pinned);
    CHECK(gone[0].size == 100);
    CHECK(memory.find(variable));
    CHECK_FALSE(memory.find(own.data()));
    CHECK_FALSE(memory.find(pinned));
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
