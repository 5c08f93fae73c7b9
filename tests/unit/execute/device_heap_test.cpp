// malloc's heap: blocks do not overlap, and what is freed can be had again.
#include <catch2/catch.hpp>

#include <map>
#include <vector>

#include "core/random.hpp"
#include "sim/execute/device_heap.hpp"

using namespace sassafras;

TEST_CASE("blocks of the heap are apart, aligned and inside, in any order of taking and freeing") {
    sim::MemoryImage memory(Bytes{1U << 24U});
    constexpr std::uint64_t size = 1U << 18U;
    sim::DeviceHeap heap(memory, Bytes{size});
    Random random(7);
    std::map<std::uint64_t, std::uint64_t> live;  // address -> bytes
    std::uint64_t begin = 0;
    for (int step = 0; step < 20000; ++step) {
        if (random.below(2) == 0 || live.empty()) {
            const std::uint64_t bytes = random.below(3000);
            const std::uint64_t alignment = std::uint64_t{1} << random.below(9);
            const std::uint64_t address = heap.allocate(bytes, alignment);
            if (address == 0) continue;
            if (begin == 0) begin = memory.find(address).begin;
            REQUIRE(address % 16 == 0);
            REQUIRE(address % alignment == 0);
            REQUIRE(address >= begin);
            REQUIRE(address + bytes <= begin + size);
            const auto after = live.lower_bound(address);
            if (after != live.end()) REQUIRE(address + bytes <= after->first);
            if (after != live.begin()) REQUIRE(std::prev(after)->first + std::prev(after)->second <= address);
            live[address] = bytes;
        } else {
            auto chosen = live.begin();
            std::advance(chosen, static_cast<std::ptrdiff_t>(random.below(live.size())));
            REQUIRE(heap.free(chosen->first));
            REQUIRE_FALSE(heap.free(chosen->first));
            live.erase(chosen);
        }
    }
    for (const auto& [address, bytes] : live) REQUIRE(heap.free(address));
    CHECK(heap.allocate(size - 16) != 0);  // no hole is left over
    CHECK_FALSE(heap.resize(Bytes{1}));
}

TEST_CASE("with exact bounds the heap says which freed block an address was in") {
    sim::MemoryImage memory(Bytes{1U << 24U});
    sim::DeviceHeap heap(memory, Bytes{1U << 12U});
    const std::uint64_t first = heap.allocate(40);
    const std::uint64_t second = heap.allocate(24);
    REQUIRE(heap.free(first));
    CHECK(heap.freed(first).begin == first);
    CHECK(heap.freed(first + 39).end == first + 40);
    CHECK(heap.freed(first + 40).end == 0);
    CHECK(heap.freed(first - 1).end == 0);
    CHECK(heap.freed(second).end == 0);
    // Nothing else is left: the block goes to a new owner.
    while (heap.allocate(16) != 0) {}
    CHECK(heap.freed(first).end == 0);
}
