// What of a GPU's memory an access of a kernel reaches: whole pages, or with exact bounds what was allocated.
#include <catch2/catch.hpp>

#include <array>
#include <cstddef>
#include <map>
#include <vector>

#include "sim/execute/memory_image.hpp"
#include "sim/execute/touched_pages.hpp"

using namespace sassafras;
using sim::MemoryImage;

namespace {

constexpr std::uint64_t page = 1U << 16U;
constexpr std::uint64_t below = 2 * page;
constexpr std::uint64_t first = MemoryImage::base_address;

MemoryImage::Mapping pages() { return {Bytes{page}, Bytes{below}}; }

bool holds(const MemoryImage::Extent& extent, std::uint64_t address) {
    return extent.host != nullptr && address >= extent.begin && address < extent.end;
}

}  // namespace

TEST_CASE("an access anywhere in a page of an allocation lands there") {
    MemoryImage memory(Bytes{64 * page}, first, pages());
    const auto small = memory.allocate(Bytes{100});
    REQUIRE(small.ok());
    for (const std::uint64_t address : {first, first + 99, first + 100, first + page - 1}) {
        CAPTURE(address);
        CHECK(holds(memory.reachable(address), address));
    }
    CHECK_FALSE(holds(memory.reachable(first + page), first + page));
    // What the API sees ends where the allocation ends.
    CHECK(memory.translate(first, 100) != nullptr);
    CHECK(memory.translate(first, 101) == nullptr);
}

TEST_CASE("an allocation of several pages is mapped to the end of its last one") {
    MemoryImage memory(Bytes{64 * page}, first, pages());
    REQUIRE(memory.allocate(Bytes{3 * page + 1}).ok());
    const auto extent = memory.reachable(first + page);
    CHECK(extent.end == first + 4 * page);
    CHECK_FALSE(holds(memory.reachable(first + 4 * page), first + 4 * page));
}

TEST_CASE("arrays whose pages adjoin are one range, and those beyond a hole are not") {
    MemoryImage memory(Bytes{64 * page}, first, pages());
    const Address a = *memory.allocate(Bytes{2 * page});  // a page more for the unused stretch behind it
    const Address hole = *memory.allocate(Bytes{3 * page});
    const Address b = *memory.allocate(Bytes{page});
    const Address c = *memory.allocate(Bytes{page});
    const auto all = memory.reachable(b.value);
    CHECK(all.begin == first - below);
    CHECK(all.end >= c.value + page);
    REQUIRE(memory.free(hole).ok());
    const auto behind = memory.reachable(c.value);
    CHECK(behind.begin == b.value / page * page);
    CHECK(behind.end == all.end);
    const auto before = memory.reachable(a.value);
    CHECK(before.end == a.value + 2 * page);
    CHECK_FALSE(holds(memory.reachable(a.value + 3 * page), a.value + 3 * page));
    for (const std::uint64_t address : {a.value, b.value, c.value, c.value + page - 1}) {
        const auto extent = memory.reachable(address);
        CHECK(extent.host + (address - extent.begin) == memory.translate(address, 1));
    }
}

TEST_CASE("the driver's memory lies before the first allocation") {
    MemoryImage memory(Bytes{64 * page}, first, pages());
    REQUIRE(memory.allocate(Bytes{100}).ok());
    const auto before = memory.reachable(first - 4);
    REQUIRE(holds(before, first - 4));
    CHECK(before.host[first - 4 - before.begin] == std::byte{0});
    CHECK(holds(memory.reachable(first - below), first - below));
    CHECK_FALSE(holds(memory.reachable(first - below - 1), first - below - 1));
}

TEST_CASE("a page is gone with its last allocation") {
    MemoryImage memory(Bytes{64 * page}, first, pages());
    const auto one = memory.allocate(Bytes{page});
    const auto two = memory.allocate(Bytes{100});  // behind the first's unused stretch: in the second page
    const auto three = memory.allocate(Bytes{100});
    REQUIRE((one.ok() && two.ok() && three.ok()));
    REQUIRE(memory.free(*two).ok());
    CHECK(holds(memory.reachable(two->value), two->value));
    REQUIRE(memory.free(*three).ok());
    CHECK_FALSE(holds(memory.reachable(two->value), two->value));
    CHECK(holds(memory.reachable(first), first));
}

TEST_CASE("memory that nothing has touched is known to be zeros") {
    constexpr Bytes size{std::uint64_t{4} << 30U};
    MemoryImage memory(Bytes{std::uint64_t{8} << 30U});
    const Address begin = *memory.allocate(size);
    REQUIRE(memory.untouched(begin, size) == size);
    CHECK(memory.untouched(begin, size + Bytes{1}) == Bytes{0});
    CHECK(memory.untouched(Address{begin.value - 1}, Bytes{1}) == Bytes{0});
    const std::uint64_t middle = size.count / 2 + 12'345;
    constexpr std::uint64_t page = 4096;
    REQUIRE(memory.write(begin + Bytes{middle}, std::array{std::byte{1}}).ok());
    CHECK(memory.untouched(begin, size) == Bytes{middle / page * page});
    CHECK(memory.untouched(begin + Bytes{5}, Bytes{size.count - 5}) == Bytes{middle / page * page - 5});
    CHECK(memory.untouched(begin + Bytes{middle}, Bytes{1}) == Bytes{0});
    CHECK(memory.untouched(begin + Bytes{middle + page}, Bytes{7}) == Bytes{7});
    REQUIRE(memory.fill(begin, std::byte{0}, size).ok());
    CHECK(memory.untouched(begin, size) >= Bytes{middle / page * page});
}

TEST_CASE("pages that are got at once are those of the range, and hold what they held") {
    constexpr std::uint64_t host_page = 4096;
    constexpr std::uint64_t count = std::uint64_t{1} << 20U;
    MemoryImage memory(Bytes{16 * count});
    const Address begin = *memory.allocate(Bytes{8 * count});
    const std::uint64_t from = 2 * count + 5;  // neither it nor its end where a page begins
    REQUIRE(memory.write(begin + Bytes{from + 7}, std::array{std::byte{9}}).ok());
    sim::get_pages(memory.translate(begin.value + from, count), count);
    CHECK(memory.untouched(begin, Bytes{8 * count}) == Bytes{from / host_page * host_page});
    std::vector<std::byte> held(count);
    REQUIRE(memory.read(held, begin + Bytes{from}).ok());
    CHECK(held[7] == std::byte{9});
    held[7] = std::byte{0};
    CHECK(held == std::vector<std::byte>(count));
    const std::uint64_t behind = (from + count) / host_page * host_page + host_page;
    CHECK(memory.untouched(begin + Bytes{behind}, Bytes{count}) == Bytes{count});
}

TEST_CASE("what an overrun writes stays there") {
    MemoryImage memory(Bytes{64 * page}, first, pages());
    REQUIRE(memory.allocate(Bytes{100}).ok());
    const auto extent = memory.reachable(first + 200);
    REQUIRE(holds(extent, first + 200));
    extent.host[first + 200 - extent.begin] = std::byte{7};
    const auto again = memory.reachable(first + 200);
    CHECK(again.host[first + 200 - again.begin] == std::byte{7});
}

TEST_CASE("host memory is reached in the host's pages") {
    MemoryImage memory(Bytes{64 * page}, first, pages());
    alignas(4096) static std::byte host[8192];
    REQUIRE(memory.attach(host + 100, Bytes{50}).ok());
    const auto begin = reinterpret_cast<std::uint64_t>(host);
    const auto extent = memory.reachable(begin + 4095);
    REQUIRE(holds(extent, begin + 4095));
    CHECK(extent.host == host);
    CHECK_FALSE(holds(memory.reachable(begin + 4096), begin + 4096));
    CHECK(memory.find(begin).host == nullptr);
    REQUIRE(memory.detach(host + 100).ok());
}

TEST_CASE("with exact bounds only parts of a divided allocation are reached") {
    MemoryImage memory(Bytes{64 * page});
    const auto whole = memory.allocate(Bytes{1024});
    REQUIRE(whole.ok());
    const std::uint64_t begin = whole->value;
    CHECK(holds(memory.reachable(begin + 100), begin + 100));
    memory.divide(*whole);
    CHECK_FALSE(holds(memory.reachable(begin + 100), begin + 100));
    memory.add_part(Address{begin + 64}, Bytes{40});
    memory.add_part(Address{begin + 128}, Bytes{16});
    CHECK(holds(memory.reachable(begin + 103), begin + 103));
    CHECK_FALSE(holds(memory.reachable(begin + 104), begin + 104));
    CHECK(holds(memory.reachable(begin + 128), begin + 128));
    CHECK(memory.nearest(begin + 105).begin == begin + 64);
    CHECK(memory.nearest(begin + 127).begin == begin + 128);
    CHECK(memory.translate(begin, 1024) != nullptr);  // the host's functions know no parts
    memory.remove_part(Address{begin + 64});
    CHECK_FALSE(holds(memory.reachable(begin + 64), begin + 64));
}

TEST_CASE("with exact bounds a freed address is not given out soon") {
    constexpr std::uint64_t capacity = 64 * page;
    MemoryImage memory(Bytes{capacity});
    const auto freed = memory.allocate(Bytes{4096});
    REQUIRE(freed.ok());
    REQUIRE(memory.free(*freed).ok());
    CHECK(memory.available().count == capacity);
    const auto next = memory.allocate(Bytes{4096});
    REQUIRE(next.ok());
    CHECK(next->value != freed->value);
    CHECK(memory.freed(freed->value + 8).begin == freed->value);
    CHECK(memory.freed(freed->value + 8).end == freed->value + 4096);
    CHECK(memory.freed(next->value).end == 0);
    // Where there is no other room, it is.
    REQUIRE(memory.free(*next).ok());
    CHECK(memory.allocate(Bytes{capacity - 1024}).ok());
}

TEST_CASE("in pages a freed address is given out at once") {
    MemoryImage memory(Bytes{64 * page}, first, pages());
    const auto freed = memory.allocate(Bytes{4096});
    REQUIRE((freed.ok() && memory.free(*freed).ok()));
    const auto next = memory.allocate(Bytes{4096});
    REQUIRE(next.ok());
    CHECK(next->value == freed->value);
}

TEST_CASE("with exact bounds memory of others that was freed is known until it is attached again") {
    MemoryImage memory(Bytes{64 * page});
    std::array<std::byte, 256> host{};
    const auto address = reinterpret_cast<std::uint64_t>(host.data());
    REQUIRE(memory.attach(host.data(), Bytes{128}));
    REQUIRE(memory.detach(host.data()));
    CHECK(memory.freed(address).end == 0);
    memory.remember_freed(Address{address}, Bytes{128});
    memory.remember_freed(Address{address + 192}, Bytes{64});
    CHECK(memory.freed(address + 127).begin == address);
    CHECK(memory.freed(address + 127).end == address + 128);
    CHECK(memory.freed(address + 128).end == 0);
    const auto live = memory.allocate(Bytes{100});
    const auto freed = memory.allocate(Bytes{200});
    REQUIRE((live.ok() && freed.ok() && memory.free(*freed).ok()));
    CHECK(memory.given_out() == std::map<std::uint64_t, std::uint64_t>{
                                    {address, 128}, {address + 192, 64}, {live->value, 100}, {freed->value, 200}});
    CHECK(memory.end_of_given_out() > freed->value + 200);
    REQUIRE(memory.attach(host.data() + 120, Bytes{16}));
    CHECK(memory.freed(address).end == 0);
    CHECK(memory.freed(address + 200).begin == address + 192);
    MemoryImage in_pages(Bytes{64 * page}, first, pages());
    in_pages.remember_freed(Address{address}, Bytes{128});
    CHECK(in_pages.freed(address).end == 0);
}
