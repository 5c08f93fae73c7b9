// Which work waits for which, and how the host's time passes. The same rules, on hardware:
// tests/programs/stream_order.cu.
#include <catch2/catch.hpp>

#include <algorithm>
#include <vector>

#include "tests/unit/cudart/streams_fixture.hpp"

using namespace sassafras::cudart;

using Gpu = StreamsFixture;

TEST_CASE("a stream does one thing after the other") {
    Gpu gpu;
    const CommandId first = gpu.copy(gpu.alone, 100);
    const CommandId second = gpu.back(gpu.alone, 100);
    const CommandId event = gpu.event(gpu.alone);
    const CommandId of_another = gpu.event(gpu.blocking);
    gpu.run();
    CHECK(gpu.end(first) == 100);
    CHECK(gpu.end(second) == 200);
    CHECK(gpu.begin(second) == 100);
    CHECK(gpu.end(event) == 201);
    CHECK(gpu.end(of_another) == 1);  // does not wait
}

TEST_CASE("the event of a copy waits for the engine that copied, the event of a kernel for nothing") {
    Gpu gpu;
    const CommandId copy = gpu.copy(gpu.blocking, 10);
    const CommandId long_copy = gpu.copy(gpu.alone, 1000);
    const CommandId event = gpu.event(gpu.blocking);
    const CommandId free = gpu.event(gpu.other);
    gpu.run();
    CHECK(gpu.end(copy) == 10);
    CHECK(gpu.end(long_copy) == 1010);
    CHECK(gpu.end(event) == 1011);
    CHECK(gpu.end(free) == 1);
    gpu.streams.host_waits_for_all();
    const CommandId kernel = gpu.kernel(gpu.blocking, 1000);
    const CommandId another = gpu.copy(gpu.alone, 5000);
    const CommandId behind = gpu.event(gpu.blocking);
    const CommandId commands = gpu.streams.put(gpu.other, {Engine::commands, 3});
    gpu.run();
    CHECK(gpu.end(kernel) == 2011);
    CHECK(gpu.end(another) == 6011);
    CHECK(gpu.end(behind) == 2012);
    CHECK(gpu.end(commands) == 1014);
}

TEST_CASE("the legacy stream waits for blocking streams, and they for it") {
    Gpu gpu;
    const CommandId copy = gpu.copy(gpu.blocking, 100);
    const CommandId back = gpu.back(gpu.legacy, 50);
    const CommandId other = gpu.event(gpu.other);
    const CommandId thread = gpu.event(gpu.thread);
    const CommandId alone = gpu.event(gpu.alone);
    const CommandId alone_back = gpu.back(gpu.alone, 10);
    const CommandId legacy = gpu.event(gpu.legacy);
    gpu.run();
    CHECK(gpu.end(copy) == 100);
    CHECK(gpu.end(back) == 150);
    CHECK(gpu.end(other) == 151);
    CHECK(gpu.end(thread) == 151);
    CHECK(gpu.end(alone) == 1);
    CHECK(gpu.end(alone_back) == 11);
    CHECK(gpu.end(legacy) == 152);  // for the events, not for the non-blocking stream
}

TEST_CASE("blocking streams wait for each other only through the legacy stream") {
    Gpu gpu;
    (void)gpu.copy(gpu.blocking, 100);
    const CommandId before = gpu.event(gpu.other);
    (void)gpu.streams.put(gpu.legacy, {Engine::last, 0});  // a host function
    const CommandId behind = gpu.event(gpu.other);
    gpu.run();
    CHECK(gpu.end(before) == 1);
    CHECK(gpu.end(behind) == 101);
}

TEST_CASE("a wait of the legacy stream is work that others wait for") {
    Gpu gpu;
    (void)gpu.copy(gpu.blocking, 100);
    Event never;
    gpu.streams.wait(gpu.legacy, never);
    const CommandId before = gpu.event(gpu.other);
    Event done;
    (void)gpu.record(gpu.alone, done, 0);
    gpu.streams.wait(gpu.legacy, done);
    const CommandId behind = gpu.event(gpu.other);
    Event later;
    (void)gpu.record(gpu.alone, later, 500);
    Stream& waits = gpu.streams.add(Stream::Kind::non_blocking, 0);
    gpu.streams.wait(waits, later);
    const CommandId after = gpu.event(waits);
    gpu.run();
    CHECK(gpu.end(before) == 1);
    CHECK(gpu.end(behind) == 101);
    CHECK(gpu.end(after) == 501);
}

TEST_CASE("the work of a stream that is gone goes on") {
    Gpu gpu;
    Stream& gone = gpu.streams.add(Stream::Kind::blocking, 0);
    Stream& gone_alone = gpu.streams.add(Stream::Kind::non_blocking, 0);
    (void)gpu.copy(gone, 100);
    (void)gpu.back(gone_alone, 900);
    gpu.streams.remove(&gone);
    gpu.streams.remove(&gone_alone);
    CHECK_FALSE(gpu.streams.contains(&gone));
    const CommandId event = gpu.event(gpu.legacy);
    gpu.streams.host_waits(gpu.legacy);
    CHECK(gpu.streams.host() == 101);
    gpu.streams.host_waits_for_all();
    CHECK(gpu.streams.host() == 900);
    gpu.run();
    CHECK(gpu.end(event) == 101);
}

TEST_CASE("the host waits for a stream's own work, for the legacy stream's with what that waits for") {
    Gpu gpu;
    (void)gpu.copy(gpu.legacy, 100);
    gpu.streams.host_waits(gpu.blocking);
    CHECK(gpu.streams.host() == 0);
    (void)gpu.back(gpu.blocking, 100);
    (void)gpu.copy(gpu.alone, 300);
    gpu.streams.host_waits(gpu.thread);
    CHECK(gpu.streams.host() == 0);
    gpu.streams.host_waits(gpu.legacy);
    CHECK(gpu.streams.host() == 200);
    gpu.streams.host_waits(gpu.blocking);
    CHECK(gpu.streams.host() == 200);
    gpu.streams.host_waits(gpu.alone);
    CHECK(gpu.streams.host() == 400);
}

TEST_CASE("nothing begins before the host has asked for it") {
    Gpu gpu;
    gpu.streams.host_waits(gpu.copy(gpu.blocking, 1000));
    const CommandId back = gpu.back(gpu.alone, 10);
    gpu.streams.host_spends(100);
    const CommandId event = gpu.event(gpu.streams.add(Stream::Kind::blocking, 0));
    gpu.run();
    CHECK(gpu.end(back) == 1010);
    CHECK(gpu.end(event) == 1101);
}

TEST_CASE("who asks whether work has ended hears so at last, and not late") {
    Gpu gpu;
    const CommandId copy = gpu.copy(gpu.alone, 100'000);
    int questions = 0;
    while (!gpu.streams.ask(copy)) {
        CHECK(gpu.streams.ask(CommandId{0}));  // that something else has ended changes nothing
        ++questions;
    }
    CHECK(questions == 7);  // after 1, 3, 7, 15, 31, 63 and 100 us
    CHECK(gpu.streams.host() == 100'000);
    const CommandId next = gpu.copy(gpu.alone, 3500);
    CHECK_FALSE(gpu.streams.ask(next));  // a microsecond again
    CHECK(gpu.streams.host() == 101'000);
    CHECK_FALSE(gpu.streams.ask(gpu.alone));
    CHECK(gpu.streams.host() == 103'000);
    (void)gpu.event(gpu.blocking);
    CHECK_FALSE(gpu.streams.ask(next));
    CHECK(gpu.streams.host() == 103'500);
    CHECK(gpu.streams.ask(next));
}

TEST_CASE("host threads have default streams of their own") {
    Gpu gpu;
    (void)gpu.copy(gpu.thread, 100);
    const CommandId other = gpu.event(gpu.streams.of_thread(1));
    const CommandId legacy = gpu.event(gpu.legacy);
    gpu.run();
    CHECK(gpu.end(other) == 1);
    CHECK(gpu.end(legacy) == 101);
}

TEST_CASE("a reset waits for everything, and created streams are gone") {
    Gpu gpu;
    (void)gpu.copy(gpu.alone, 100);
    gpu.streams.reset();
    CHECK_FALSE(gpu.streams.contains(&gpu.alone));
    const CommandId event = gpu.event(gpu.legacy);
    gpu.run();
    CHECK(gpu.end(event) == 101);
}

TEST_CASE("how the host's time passes: it waits, copies and asks, one behind the other") {
    Gpu gpu;
    const CommandId copy = gpu.copy(gpu.alone, 5000);
    gpu.streams.host_spends(100);
    gpu.streams.host_spends(100);
    CHECK_FALSE(gpu.streams.ask(copy));
    gpu.streams.host_waits(copy);
    gpu.streams.host_waits(copy);  // nothing passes
    const std::vector<HostSpan> spans = gpu.streams.take_host_spans();
    REQUIRE(spans.size() == 3);
    CHECK(spans[0].kind == HostSpan::Kind::copies);
    CHECK(spans[0].end == 200);
    CHECK(spans[1].kind == HostSpan::Kind::asks);
    CHECK(spans[1].begin == 200);
    CHECK(spans[1].end == 1200);
    CHECK(spans[2].kind == HostSpan::Kind::waits);
    CHECK(spans[2].end == 5000);
    CHECK(gpu.streams.take_host_spans().empty());
}

TEST_CASE("the time of an event is that of its last record, until nobody can ask") {
    Gpu gpu;
    Event event;
    CHECK(gpu.streams.ask(event.record));
    (void)gpu.record(gpu.alone, event, 100);
    gpu.streams.host_waits(event.record);
    CHECK(gpu.streams.time_of(event) == 100);
    (void)gpu.record(gpu.alone, event, 100);
    gpu.streams.host_waits_for_all();
    CHECK(gpu.streams.time_of(event) == 200);
    gpu.streams.forget(event);
    CHECK(event.record == 0);
}

TEST_CASE("a stream has room for 1,022 launches, then the host waits; for waits there is any room") {
    Gpu gpu;
    for (int i = 0; i < 1022; ++i) (void)gpu.kernel(gpu.alone, 10);
    CHECK(gpu.streams.host() == 0);
    (void)gpu.kernel(gpu.alone, 10);
    CHECK(gpu.streams.host() == 10);
    Event event;
    (void)gpu.record(gpu.other, event, 5000);
    for (int i = 0; i < 5000; ++i) gpu.streams.wait(gpu.thread, event);
    CHECK(gpu.streams.host() == 10);
}

TEST_CASE("what a kernel would begin at is told though many are under way, in one stream and in several") {
    Gpu gpu;
    for (int i = 0; i < 500; ++i) {
        CHECK(gpu.streams.first_begin(gpu.alone, {Engine::kernels, 10}) == 10.0 * i);
        (void)gpu.kernel(gpu.alone, 10);
    }
    CHECK(gpu.streams.first_begin(gpu.other, {Engine::kernels, 10}) == 10);
    Work behind_event{Engine::kernels, 10};
    Event event;
    (void)gpu.record(gpu.other, event, 7000);
    gpu.streams.wait(gpu.alone, event, {.alone = 3});
    CHECK(gpu.streams.first_begin(gpu.alone, behind_event) == 7003);
    CHECK(gpu.streams.host() == 0);  // nothing has passed
}

TEST_CASE("a launch is told beside which others it would begin") {
    Gpu gpu;
    using Ids = std::vector<CommandId>;
    const CommandId first = gpu.streams.put(gpu.alone, kernel_of_one_block(1000));
    CHECK_FALSE(gpu.streams.others_under_way(gpu.alone));
    CHECK(gpu.streams.others_under_way(gpu.other));
    CHECK(gpu.streams.next_begin(gpu.other, kernel_of_one_block(0)).beside == Ids{first});
    CHECK(gpu.streams.next_begin(gpu.alone, kernel_of_one_block(0)).beside.empty());
    CHECK(gpu.streams.next_begin(gpu.alone, kernel_of_one_block(0)).time == 1000);
    CHECK(gpu.streams.oldest() == first);
    // Two streams wait for the first kernel: whichever wakes first, what is put later is beside what was put before.
    Event event;
    gpu.record(gpu.alone, event, 10);
    const Waking waking{.alone = 100, .shared = 50, .turn = 300};
    gpu.streams.wait(gpu.blocking, event, waking);
    const CommandId woken = gpu.streams.put(gpu.blocking, kernel_of_one_block(1000));
    gpu.streams.wait(gpu.other, event, waking);
    CHECK(gpu.streams.next_begin(gpu.other, kernel_of_one_block(0)).beside == Ids{woken});
    gpu.run();
    CHECK(gpu.streams.oldest() > woken);
}
