// The way of stores and reductions out of an SM, by itself.
#include "sim/timing/sm/store_path.hpp"

#include <catch2/catch.hpp>

#include <vector>

using namespace sassafras::sim;

namespace {

LsuParameters unit() {
    LsuParameters lsu{};
    lsu.outstanding_stores = 2;
    lsu.store_buffer_cycles = 10;
    lsu.store_bytes_per_cycle = 64;
    lsu.sector_bytes = 32;
    return lsu;
}

MemoryRequest store_at(std::uint64_t time, std::uint64_t line, std::uint32_t sectors) {
    return {.time = time, .line = line, .sectors = sectors, .kind = RequestKind::store};
}

}  // namespace

TEST_CASE("stores leave at the port's rate, and wait for a place that is free") {
    StorePath path(unit(), 50);
    std::vector<MemoryRequest> sent;
    path.take(store_at(100, 7, 0b1111), 128, sent);
    CHECK(sent.back().time == 100);
    path.take(store_at(100, 8, 0b1), 32, sent);
    CHECK(sent.back().time == 102);
    CHECK(sent.back().credit == 1);
    // Two places, and the first is taken to be free a round trip after it was left.
    path.take(store_at(110, 9, 0b1), 32, sent);
    CHECK(sent.back().credit == 0);
    CHECK(sent.back().time == 150);
    // The second's store took longer.
    path.free(1, 400);
    path.take(store_at(160, 9, 0b1), 32, sent);
    CHECK(sent.back().time == 400);
    CHECK(path.room_at() == 390);  // ten cycles of stores may wait
}

TEST_CASE("what comes behind stores looks up its lines when few of theirs wait for the port") {
    LsuParameters lsu = unit();
    lsu.outstanding_stores = 64;
    lsu.store_bytes_per_cycle = 16;
    StorePath unbounded(lsu, 50);
    lsu.store_port_lines = 2;
    StorePath path(lsu, 50);
    std::vector<MemoryRequest> sent;
    CHECK(path.lookups_from() == 0);
    constexpr std::uint64_t interval = 2;
    for (std::uint64_t line = 0; line < 5; ++line) {
        path.take(store_at(100, line, 0b1), 32, sent);
        unbounded.take(store_at(100, line, 0b1), 32, sent);
    }
    CHECK(path.lookups_from() == 100 + 4 * interval);  // when the fourth has left, one of five waits
    CHECK(unbounded.lookups_from() == 0);
}

TEST_CASE("words that come for loads keep lines from the port while they pass, if any wait") {
    LsuParameters lsu = unit();
    lsu.outstanding_stores = 64;
    StorePath path(lsu, 50);
    std::vector<MemoryRequest> sent;
    path.hold_up(90, 30);  // none waits
    path.take(store_at(100, 7, 0b1111), 128, sent);
    CHECK(sent.back().time == 100);
    path.hold_up(101, 30);  // the port is busy until 102
    path.take(store_at(101, 8, 0b1), 32, sent);
    CHECK(sent.back().time == 132);
}

TEST_CASE("stores to lines that still wait in the SM leave as one") {
    LsuParameters lsu = unit();
    lsu.outstanding_stores = 64;
    lsu.store_merge_lines = 2;
    lsu.store_merge_idle_cycles = 6;
    lsu.store_merge_hold_cycles = 12;
    StorePath path(lsu, 50);
    std::vector<MemoryRequest> sent;

    SECTION("the last one waits a while for further stores") {
        path.take(store_at(100, 7, 0b0011), 32, sent);
        path.take(store_at(108, 7, 0b0110), 64, sent);
        CHECK(path.next_due() == 120);
        path.leave_until(120, sent);
        CHECK(sent.empty());
        path.leave_until(121, sent);
        REQUIRE(sent.size() == 1);
        CHECK(sent[0].time == 120);
        CHECK(sent[0].sectors == 0b0111);
        CHECK_FALSE(sent[0].partial);  // 96 bytes of 96
        CHECK(path.next_due() == StorePath::never);
    }
    SECTION("what came before another line leaves as soon as no store comes for some cycles") {
        path.take(store_at(100, 7, 0b1), 4, sent);
        path.take(store_at(105, 8, 0b1), 32, sent);
        CHECK(path.next_due() == 111);
        path.take(store_at(112, 7, 0b1), 4, sent);
        REQUIRE(sent.size() == 1);
        CHECK(sent[0].time == 111);
        CHECK(sent[0].partial);
    }
    SECTION("while stores keep coming, a line leaves only for want of room") {
        for (std::uint64_t time = 100; time < 120; ++time) path.take(store_at(time, 7 + time % 2, 0b1111), 128, sent);
        CHECK(sent.empty());
        CHECK(path.room_at() == 0);
        path.take(store_at(120, 9, 0b1111), 128, sent);
        REQUIRE(sent.size() == 1);
        CHECK(sent[0].line == 7);
        CHECK(sent[0].time == 120);
    }
    SECTION("reductions, and stores that L2 acknowledges, go by themselves") {
        MemoryRequest reduction = store_at(100, 7, 0b1);
        reduction.kind = RequestKind::reduction;
        path.take(reduction, 4, sent);
        MemoryRequest acknowledged = store_at(101, 7, 0b1);
        acknowledged.acknowledge = true;
        path.take(acknowledged, 4, sent);
        CHECK(sent.size() == 2);
        // They hold up who comes behind them as if no lines could wait: the port is busy for 4,000 cycles.
        for (std::uint64_t line = 0; line < 2000; ++line) {
            MemoryRequest next = store_at(102, line, 0b1111);
            next.kind = RequestKind::reduction;
            next.updates = {.whole_sectors = 4};
            path.take(next, 128, sent);
        }
        CHECK(path.room_at() >= 4000);
    }
}

TEST_CASE("a line that is written in part, or reduced, sends its byte mask too") {
    LsuParameters lsu = unit();
    lsu.outstanding_stores = 64;
    lsu.store_bytes_per_cycle = 32;
    lsu.store_mask_bytes = 32;
    lsu.l1_line_bytes = 128;
    const auto next_after = [&](std::uint32_t sectors, std::uint32_t bytes, RequestKind kind,
                                const LineUpdates& updates = {}) {
        StorePath path(lsu, 50);
        std::vector<MemoryRequest> sent;
        MemoryRequest first = store_at(100, 7, sectors);
        first.kind = kind;
        first.updates = updates;
        path.take(first, bytes, sent);
        path.take(store_at(100, 8, 0b1), 32, sent);
        return sent.back().time - 100;
    };
    // As an H200 (l1_stores.cu): one, two and four sectors in part, and whole.
    CHECK(next_after(0b1, 4, RequestKind::store) == 2);
    CHECK(next_after(0b11, 32, RequestKind::store) == 3);
    CHECK(next_after(0b1, 32, RequestKind::store) == 2);  // a whole sector is no whole line (dram_pieces.cu)
    CHECK(next_after(0b1111, 64, RequestKind::store) == 5);
    CHECK(next_after(0b1111, 128, RequestKind::store) == 4);
    // Of reductions (l2_atomics.csv): a whole line, a sector by four lanes a word, a word by all lanes.
    CHECK(next_after(0b1111, 128, RequestKind::reduction, {.requests = 1, .whole_sectors = 4}) == 5);
    CHECK(next_after(0b1, 128, RequestKind::reduction, {.requests = 4, .whole_sectors = 4}) == 8);
    CHECK(next_after(0b1, 128, RequestKind::reduction, {.requests = 32, .partial_sectors = 32}) == 32);
}
