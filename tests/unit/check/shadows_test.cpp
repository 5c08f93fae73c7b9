#include <catch2/catch.hpp>

#include <array>
#include <vector>

#include "sim/check/barrier_watch.hpp"
#include "sim/check/global_shadow.hpp"
#include "sim/check/shared_shadow.hpp"
#include "sim/execute/memory_image.hpp"

namespace {

using namespace sassafras;
using namespace sassafras::sim;
using Kind = WarpAccess::Kind;

struct Found final : HazardSink {
    std::vector<Hazard> hazards;
    std::vector<UninitialisedRead> reads;
    void hazard(const Hazard& found) override { hazards.push_back(found); }
    void uninitialised(const UninitialisedRead& read) override { reads.push_back(read); }
};

/// One block of two warps with 1 KiB of shared memory behind the first.
struct Bench {
    explicit Bench(std::uint32_t piece = 4) {
        clock.start(2);
        shadow.start(2, {.end = 2048, .variables_end = 2048}, piece);
    }
    void lane(Kind kind, std::uint32_t thread, std::uint64_t at, std::uint32_t width = 4, std::uint32_t value = 0) {
        std::array<std::uint64_t, 32> address{};
        std::vector<std::uint32_t> stored(std::size_t{32} * 4, value);
        address[thread % 32] = at;
        WarpAccess access;
        access.kind = kind;
        access.strong = kind == Kind::atomic;
        access.instruction = 100 + thread;
        access.warp = thread / 32;
        access.lanes = 1U << (thread % 32);
        access.width = width;
        access.address = address.data();
        access.stored = kind == Kind::write ? stored.data() : nullptr;
        shadow.access(access, clock, memory.data(), found);
    }
    void barrier() {
        clock.arrive(0, 0, true);
        clock.arrive(1, 0, true);
        clock.complete(0, true);
    }
    BlockClock clock;
    SharedShadow shadow;
    Found found;
    std::array<std::byte, 4096> memory{};
};

}  // namespace

TEST_CASE("each kind of hazard has its name, its sides and its bytes") {
    Bench bench;
    SECTION("read after write") {
        bench.lane(Kind::write, 3, 0x404);
        bench.lane(Kind::read, 40, 0x404);
        REQUIRE(bench.found.hazards.size() == 1);
        CHECK(bench.found.hazards[0].kind == HazardKind::read_after_write);
        CHECK(bench.found.hazards[0].earlier.thread == 3);
        CHECK(bench.found.hazards[0].earlier.instruction == 103);
        CHECK(bench.found.hazards[0].later.thread == 40);
        CHECK(bench.found.hazards[0].address == 0x404);
        CHECK(bench.found.hazards[0].bytes == 4);
    }
    SECTION("write after read") {
        bench.lane(Kind::write, 40, 0x404);
        bench.barrier();
        bench.lane(Kind::read, 3, 0x404);
        bench.lane(Kind::write, 40, 0x404, 4, 7);
        REQUIRE(bench.found.hazards.size() == 1);
        CHECK(bench.found.hazards[0].kind == HazardKind::write_after_read);
    }
    SECTION("write after write counts the bytes that differ") {
        bench.lane(Kind::write, 3, 0x404, 4, 0x11223344);
        bench.lane(Kind::write, 40, 0x404, 4, 0x11003355);
        REQUIRE(bench.found.hazards.size() == 1);
        CHECK(bench.found.hazards[0].kind == HazardKind::write_after_write);
        CHECK(bench.found.hazards[0].bytes == 2);
    }
    SECTION("the same value twice is none") {
        bench.lane(Kind::write, 3, 0x404, 4, 9);
        bench.lane(Kind::write, 40, 0x404, 4, 9);
        CHECK(bench.found.hazards.empty());
    }
    SECTION("an access of 16 bytes meets each of its words") {
        bench.lane(Kind::write, 3, 0x400);
        bench.lane(Kind::write, 3, 0x40c);
        bench.lane(Kind::read, 40, 0x400, 16);
        CHECK(bench.found.hazards.size() == 2);
    }
}

TEST_CASE("a write is compared with both of the readers that a cell keeps") {
    Bench bench;
    bench.lane(Kind::write, 3, 0x404);
    bench.barrier();
    bench.lane(Kind::read, 3, 0x404);
    bench.lane(Kind::read, 40, 0x404);
    bench.lane(Kind::write, 3, 0x404, 4, 7);
    REQUIRE(bench.found.hazards.size() == 1);
    CHECK(bench.found.hazards[0].earlier.thread == 40);
}

TEST_CASE("atomics do not race with one another, but with what is none") {
    Bench bench;
    bench.lane(Kind::write, 0, 0x404);
    bench.barrier();
    bench.lane(Kind::atomic, 3, 0x404);
    bench.lane(Kind::atomic, 40, 0x404);
    CHECK(bench.found.hazards.empty());
    bench.lane(Kind::read, 3, 0x404);
    CHECK(bench.found.hazards.size() == 1);
}

TEST_CASE("pieces as small as the smallest access keep neighbours apart") {
    Bench bytes(1);
    bytes.lane(Kind::write, 3, 0x404, 1);
    bytes.lane(Kind::write, 40, 0x405, 1, 1);
    CHECK(bytes.found.hazards.empty());
    bytes.lane(Kind::read, 3, 0x405, 1);
    CHECK(bytes.found.hazards.size() == 1);
    CHECK(bytes.found.hazards[0].bytes == 1);
}

TEST_CASE("what nothing has written is told once a lane, with the width of its read") {
    Bench bench;
    bench.lane(Kind::write, 3, 0x400, 8);
    bench.lane(Kind::read, 3, 0x400, 8);
    CHECK(bench.found.reads.empty());
    bench.lane(Kind::read, 3, 0x400, 16);
    REQUIRE(bench.found.reads.size() == 1);
    CHECK(bench.found.reads[0].bytes == 16);
    CHECK(bench.found.reads[0].address == 0x400);
    bench.lane(Kind::atomic, 3, 0x500);
    CHECK(bench.found.reads.size() == 2);
}

TEST_CASE("a copy is there when its group has been waited for, for others after a barrier besides") {
    Bench bench;
    bench.lane(Kind::copy, 3, 0x404);
    bench.shadow.close_copies(0);
    SECTION("nobody waits") {
        bench.barrier();
        bench.lane(Kind::read, 3, 0x404);
        REQUIRE(bench.found.hazards.size() == 1);
        CHECK(bench.found.hazards[0].copy);
    }
    SECTION("a later group is waited for only") {
        bench.lane(Kind::copy, 3, 0x408);
        bench.shadow.close_copies(0);
        bench.shadow.wait_for_copies(0, 1, bench.clock.now());
        bench.lane(Kind::read, 3, 0x404);
        CHECK(bench.found.hazards.empty());
        bench.lane(Kind::read, 3, 0x408);
        CHECK(bench.found.hazards.size() == 1);
    }
    SECTION("its thread waits") {
        bench.shadow.wait_for_copies(0, 0, bench.clock.now());
        bench.lane(Kind::read, 3, 0x404);
        CHECK(bench.found.hazards.empty());
        bench.lane(Kind::read, 40, 0x404);
        REQUIRE(bench.found.hazards.size() == 1);
        CHECK_FALSE(bench.found.hazards[0].copy);
    }
    SECTION("its thread waits, and a barrier follows") {
        bench.shadow.wait_for_copies(0, 0, bench.clock.now());
        bench.barrier();
        bench.lane(Kind::read, 40, 0x404);
        CHECK(bench.found.hazards.empty());
    }
}

TEST_CASE("a copy that arrives at a barrier in memory is there for who waits at it") {
    Bench bench;
    bench.lane(Kind::copy, 3, 0x404);
    bench.lane(Kind::copy, 4, 0x408);
    bench.shadow.arrive_with_copies(0, 1U << 3U, 0x500, bench.clock.now());
    bench.clock.release_all(0, 0x500);
    SECTION("nobody waits at it, although a barrier of the block follows") {
        bench.barrier();
        bench.lane(Kind::read, 40, 0x404);
        REQUIRE(bench.found.hazards.size() == 1);
        CHECK(bench.found.hazards[0].copy);
    }
    SECTION("another barrier is waited at") {
        bench.clock.acquire(1, 1U << 8U, 0x508);
        bench.shadow.finish_copies(0x508);
        bench.lane(Kind::read, 40, 0x404);
        REQUIRE(bench.found.hazards.size() == 1);
        CHECK(bench.found.hazards[0].copy);
    }
    SECTION("who waits may read it, who does not may not") {
        bench.clock.acquire(1, 1U << 8U, 0x500);
        bench.shadow.finish_copies(0x500);
        bench.lane(Kind::read, 40, 0x404);
        CHECK(bench.found.hazards.empty());
        bench.lane(Kind::read, 5, 0x404);
        REQUIRE(bench.found.hazards.size() == 1);
        CHECK_FALSE(bench.found.hazards[0].copy);
    }
    SECTION("copies of lanes that have not arrived are not there") {
        bench.clock.acquire(1, 1U << 8U, 0x500);
        bench.shadow.finish_copies(0x500);
        bench.lane(Kind::read, 40, 0x408);
        REQUIRE(bench.found.hazards.size() == 1);
        CHECK(bench.found.hazards[0].copy);
    }
    SECTION("its thread may wait for its group as well") {
        bench.shadow.close_copies(0);
        bench.shadow.wait_for_copies(0, 0, bench.clock.now());
        bench.lane(Kind::read, 3, 0x404);
        CHECK(bench.found.hazards.empty());
    }
}

TEST_CASE("warps may come to a barrier at a copy of its instruction, not at another") {
    BarrierWatch watch;
    watch.start(96);
    const auto come = [&](std::uint32_t warp, std::uint32_t instruction, bool anywhere) {
        return watch.reach({0, warp, instruction, 0xffffffffU, 0xffffffffU}, 0, 0, true, anywhere);
    };
    CHECK_FALSE(come(0, 10, true));
    CHECK_FALSE(come(1, 20, false));
    CHECK(come(2, 30, false));
    watch.start(96);
    CHECK_FALSE(come(0, 20, false));
    CHECK_FALSE(come(1, 10, true));
    CHECK(come(2, 30, false));
}

TEST_CASE("the shadow of global memory takes pages as they are touched and gives way above its limit") {
    constexpr std::size_t page = (4096 / 4) * 48;
    GlobalShadow shadow(4 * page);
    shadow.start(4);
    BlockClock clock;
    clock.start(1);
    const GridClock grid;
    Found found;
    std::array<std::uint64_t, 32> address{};
    WarpAccess access;
    access.kind = Kind::write;
    access.width = 4;
    access.lanes = 1;
    access.address = address.data();
    const auto write = [&](std::uint32_t block, std::uint64_t at) {
        access.block = block;
        address[0] = MemoryImage::base_address + at;
        shadow.access(access, clock, grid, found);
    };
    write(0, 0);
    CHECK(shadow.bytes() == page);
    write(0, std::uint64_t{8} << 30U);
    CHECK(shadow.bytes() == 2 * page);
    CHECK_FALSE(shadow.has_forgotten());
    write(1, 0);
    CHECK(found.hazards.size() == 1);
    for (std::uint64_t i = 1; i < 100; ++i) write(0, 4096 * i);
    CHECK(shadow.bytes() == 4 * page);
    CHECK(shadow.has_forgotten());
    write(2, 0);  // forgotten
    CHECK(found.hazards.size() == 1);
    write(3, 0);
    CHECK(found.hazards.size() == 2);
    shadow.start(4);
    CHECK(shadow.bytes() == 0);
    write(4, 0);
    CHECK(found.hazards.size() == 2);
}

TEST_CASE("the nearest allocation is found on either side, attached memory among them") {
    MemoryImage image(Bytes{1U << 20U});
    CHECK(image.nearest(0x1000).end == 0);
    const auto first = image.allocate(Bytes{1000});
    const auto second = image.allocate(Bytes{1000});
    REQUIRE(first.ok());
    REQUIRE(second.ok());
    CHECK(image.nearest((*first).value - 4).begin == (*first).value);
    CHECK(image.nearest((*first).value + 1000).begin == (*first).value);
    CHECK(image.nearest((*second).value - 8).begin == (*second).value);
    CHECK(image.nearest((*second).value + 5000).begin == (*second).value);
    CHECK(image.nearest(0x10).end == (*first).value + 1000);
    alignas(64) static std::array<std::byte, 64> host{};
    REQUIRE(image.attach(host.data(), Bytes{64}).ok());
    const auto address = reinterpret_cast<std::uint64_t>(host.data());
    CHECK(image.nearest(address + 65).begin == address);
    REQUIRE(image.detach(host.data()).ok());
}
