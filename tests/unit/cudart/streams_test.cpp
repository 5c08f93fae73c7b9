// Which work waits for which. The same rules, on hardware: tests/programs/stream_order.cu.
#include <catch2/catch.hpp>

#include <algorithm>

#include "cudart/streams.hpp"

using namespace sassafras::cudart;

namespace {

struct Gpu {
    Streams streams;
    Stream& legacy = streams.legacy();
    Stream& blocking = streams.add(Stream::Kind::blocking, 0);
    Stream& other = streams.add(Stream::Kind::blocking, 0);
    Stream& alone = streams.add(Stream::Kind::non_blocking, 0);
    Stream& thread = streams.of_thread(0);
    double copy(Stream& stream, double length) { return streams.put(stream, {Engine::to_device, length}); }
    double back(Stream& stream, double length) { return streams.put(stream, {Engine::to_host, length}); }
    double event(Stream& stream) { return streams.put(stream, {Engine::last, 1}); }
};

}  // namespace

TEST_CASE("a stream does one thing after the other") {
    Gpu gpu;
    CHECK(gpu.copy(gpu.alone, 100) == 100);
    CHECK(gpu.back(gpu.alone, 100) == 200);
    CHECK(gpu.event(gpu.alone) == 201);
    CHECK(gpu.event(gpu.blocking) == 1);  // the event of another stream does not wait
}

TEST_CASE("the event of a copy waits for the engine that copied, the event of a kernel for nothing") {
    Gpu gpu;
    CHECK(gpu.copy(gpu.blocking, 10) == 10);
    CHECK(gpu.copy(gpu.alone, 1000) == 1010);
    CHECK(gpu.event(gpu.blocking) == 1011);
    CHECK(gpu.event(gpu.other) == 1);
    CHECK(gpu.streams.put(gpu.blocking, {Engine::kernels, 1000}) == 2011);
    CHECK(gpu.streams.put(gpu.other, {Engine::kernels, 5}) == 6);
    CHECK(gpu.copy(gpu.alone, 5000) == 6011);
    CHECK(gpu.event(gpu.blocking) == 2012);
    CHECK(gpu.streams.put(gpu.other, {Engine::commands, 3}) == 9);
    CHECK(gpu.event(gpu.other) == 10);
}

TEST_CASE("the legacy stream waits for blocking streams, and they for it") {
    Gpu gpu;
    CHECK(gpu.copy(gpu.blocking, 100) == 100);
    CHECK(gpu.back(gpu.legacy, 50) == 150);
    CHECK(gpu.event(gpu.other) == 151);
    CHECK(gpu.event(gpu.thread) == 151);
    CHECK(gpu.event(gpu.alone) == 1);
    CHECK(gpu.back(gpu.alone, 10) == 11);
    CHECK(gpu.event(gpu.legacy) == 152);  // for the events, not for the non-blocking stream
}

TEST_CASE("blocking streams wait for each other only through the legacy stream") {
    Gpu gpu;
    CHECK(gpu.copy(gpu.blocking, 100) == 100);
    CHECK(gpu.event(gpu.other) == 1);
    (void)gpu.streams.put(gpu.legacy, {Engine::last, 0});  // a host function
    CHECK(gpu.event(gpu.other) == 101);
}

TEST_CASE("a wait of the legacy stream is work that others wait for") {
    Gpu gpu;
    CHECK(gpu.copy(gpu.blocking, 100) == 100);
    Event never;
    gpu.streams.wait(gpu.legacy, never);
    CHECK(gpu.event(gpu.other) == 1);
    Event done{.recorded = true};
    gpu.streams.wait(gpu.legacy, done);
    CHECK(gpu.event(gpu.other) == 101);
    Event later{.time = 500, .recorded = true};
    gpu.streams.wait(gpu.alone, later);
    CHECK(gpu.event(gpu.alone) == 501);
    CHECK(gpu.event(gpu.other) == 102);
}

TEST_CASE("the work of a stream that is gone goes on") {
    Gpu gpu;
    Stream& gone = gpu.streams.add(Stream::Kind::blocking, 0);
    Stream& gone_alone = gpu.streams.add(Stream::Kind::non_blocking, 0);
    CHECK(gpu.copy(gone, 100) == 100);
    CHECK(gpu.back(gone_alone, 900) == 900);
    gpu.streams.remove(&gone);
    gpu.streams.remove(&gone_alone);
    CHECK_FALSE(gpu.streams.contains(&gone));
    CHECK(gpu.event(gpu.legacy) == 101);
    CHECK(gpu.streams.end(gpu.legacy) == 101);
    gpu.streams.host_waits_for_all();
    CHECK(gpu.streams.host() == 900);
}

TEST_CASE("a wait takes its time, unless the event is done when the host asks or the stream comes to it") {
    constexpr Waking waking{.alone = 40, .turn = 10};
    Gpu gpu;
    gpu.streams.host_waits(100);
    Event over{.time = 100, .recorded = true};
    Event later{.time = 150, .recorded = true};
    Event earlier{.time = 120, .recorded = true};
    Event never;
    gpu.streams.wait(gpu.alone, over, waking);
    CHECK(gpu.alone.ready <= 100);
    gpu.streams.wait(gpu.alone, later, waking);
    CHECK(gpu.alone.ready == 190);
    gpu.streams.wait(gpu.alone, earlier, waking);
    CHECK(gpu.alone.ready == 190);
    gpu.streams.wait(gpu.alone, never, waking);
    CHECK(gpu.alone.ready == 190);
}

TEST_CASE("streams that wait for the same event go on one after the other") {
    constexpr Waking waking{.alone = 40, .turn = 10};
    Gpu gpu;
    Event event{.time = 100, .recorded = true};
    gpu.streams.wait(gpu.alone, event, waking);
    gpu.streams.wait(gpu.other, event, waking);
    gpu.streams.wait(gpu.alone, event, waking);  // which no longer has to wait
    gpu.streams.wait(gpu.blocking, event, waking);
    CHECK(gpu.alone.ready == 140);
    CHECK(gpu.other.ready == 160);
    CHECK(gpu.blocking.ready == 170);
}

TEST_CASE("a kernel right behind one of its stream is late where other streams have launched meanwhile") {
    Gpu gpu;
    Work kernel{Engine::kernels, 1000};
    kernel.load.sms = 10;
    kernel.load.block_takes = {0.1, 0.1, 0.1, 0.1};
    kernel.launch = {.turn = 10, .back = 30};
    CHECK(gpu.streams.first_begin(gpu.alone, kernel) == 0);
    CHECK(gpu.streams.put(gpu.alone, kernel) == 1000);
    CHECK(gpu.streams.first_begin(gpu.other, kernel) == 10);
    CHECK(gpu.streams.put(gpu.other, kernel) == 1010);
    CHECK(gpu.streams.put(gpu.alone, kernel) == 2030);
    CHECK(gpu.copy(gpu.blocking, 1500) == 1500);
    CHECK(gpu.streams.put(gpu.blocking, kernel) == 2500);  // behind a copy
    gpu.streams.host_waits(5000);
    CHECK(gpu.streams.put(gpu.other, kernel) == 6000);  // when the host comes with it
}

TEST_CASE("kernels that are in each other's way are late for the stream that was woken first") {
    constexpr Waking waking{.alone = 40, .turn = 10};
    Gpu gpu;
    Event event{.time = 100, .recorded = true};
    for (Stream* stream : {&gpu.alone, &gpu.other, &gpu.blocking, &gpu.thread})
        gpu.streams.wait(*stream, event, waking);
    CHECK(gpu.streams.put(gpu.alone, {Engine::kernels, 1000}) == 1140);
    CHECK(gpu.streams.put(gpu.other, {Engine::kernels, 1000}) == 2150);
    CHECK(gpu.streams.put(gpu.blocking, {Engine::kernels, 1000}) == 3160);
    CHECK(gpu.streams.put(gpu.other, {Engine::kernels, 1000}) == 4140);  // only the first behind a wait
    Gpu beside;
    Event again{.time = 100, .recorded = true};
    beside.streams.wait(beside.alone, again, waking);
    beside.streams.wait(beside.other, again, waking);
    CHECK(beside.streams.put(beside.other, {Engine::kernels, 1000}) == 1160);  // at its own pace at once
}

TEST_CASE("what holds up the first kernel behind a wait does not hold up one that is put later") {
    constexpr Waking waking{.alone = 40, .turn = 10};
    Gpu gpu;
    Event event{.time = 100, .recorded = true};
    gpu.streams.wait(gpu.alone, event, waking);
    gpu.streams.wait(gpu.other, event, waking);
    gpu.streams.host_waits(1000);
    CHECK(gpu.streams.put(gpu.alone, {Engine::kernels, 500}) == 1500);
    CHECK(gpu.streams.put(gpu.other, {Engine::kernels, 500}) == 2000);
}

TEST_CASE("a record does not meet one that its stream has waited for, though that was done by then") {
    const auto record = [](Gpu& gpu, Stream& stream) {
        return gpu.streams.put(stream, {Engine::last, 100, {}, {.turn = 50, .meeting = 80}});
    };
    for (const double length : {99.0, 101.0}) {
        Gpu gpu;
        Event event{.time = record(gpu, gpu.alone), .recorded = true};
        (void)gpu.streams.put(gpu.other, {Engine::commands, length});
        gpu.streams.wait(gpu.other, event);
        CHECK(record(gpu, gpu.other) == std::max(length, 100.0) + 100);
    }
}

TEST_CASE("records of events for timing take turns, unless a stream has waited for the other's") {
    const auto record = [](Gpu& gpu, Stream& stream) {
        return gpu.streams.put(stream, {Engine::last, 100, {}, {.turn = 50, .meeting = 80}});
    };
    Gpu gpu;
    CHECK(record(gpu, gpu.alone) == 100);
    CHECK(record(gpu, gpu.alone) == 200);
    CHECK(record(gpu, gpu.other) == 380);
    CHECK(record(gpu, gpu.blocking) == 530);
    Gpu joined;
    Event event{.time = record(joined, joined.alone), .recorded = true};
    joined.streams.wait(joined.other, event, {.alone = 5});
    CHECK(record(joined, joined.other) == 205);
    CHECK(joined.streams.put(joined.thread, {Engine::last, 0}) == 0);  // an event without timing
}

TEST_CASE("the host waits for a stream's own work, for the legacy stream's with what that waits for") {
    Gpu gpu;
    CHECK(gpu.copy(gpu.legacy, 100) == 100);
    CHECK(gpu.streams.end(gpu.blocking) == 0);
    CHECK(gpu.back(gpu.blocking, 100) == 200);
    CHECK(gpu.copy(gpu.alone, 300) == 400);
    CHECK(gpu.streams.end(gpu.legacy) == 200);
    CHECK(gpu.streams.end(gpu.blocking) == 200);
    CHECK(gpu.streams.end(gpu.thread) == 0);
}

TEST_CASE("nothing begins before the host has asked for it") {
    Gpu gpu;
    CHECK(gpu.copy(gpu.blocking, 1000) == 1000);
    gpu.streams.host_waits(1000);
    CHECK(gpu.back(gpu.alone, 10) == 1010);
    gpu.streams.host_waits(500);  // time does not go back
    CHECK(gpu.event(gpu.alone) == 1011);
    gpu.streams.host_spends(100);
    CHECK(gpu.event(gpu.streams.add(Stream::Kind::blocking, 0)) == 1101);
}

TEST_CASE("who asks whether work has ended hears so at last, and not late") {
    Gpu gpu;
    const double end = gpu.copy(gpu.alone, 100'000);
    int questions = 0;
    while (!gpu.streams.ask(end)) {
        CHECK(gpu.streams.ask(0));  // that something else has ended changes nothing
        ++questions;
    }
    CHECK(questions == 7);  // after 1, 3, 7, 15, 31, 63 and 100 us
    CHECK(gpu.streams.host() == end);
    const double next = gpu.copy(gpu.alone, 3500);
    CHECK_FALSE(gpu.streams.ask(next));  // a microsecond again
    CHECK(gpu.streams.host() == end + 1000);
    CHECK_FALSE(gpu.streams.ask(next));
    CHECK(gpu.streams.host() == end + 3000);
    (void)gpu.event(gpu.blocking);
    CHECK_FALSE(gpu.streams.ask(next));
    CHECK(gpu.streams.host() == next);
    CHECK(gpu.streams.ask(next));
}

TEST_CASE("host threads have default streams of their own") {
    Gpu gpu;
    CHECK(gpu.copy(gpu.thread, 100) == 100);
    CHECK(gpu.event(gpu.streams.of_thread(1)) == 1);
    CHECK(gpu.event(gpu.legacy) == 101);
}

TEST_CASE("a reset waits for everything, and created streams are gone") {
    Gpu gpu;
    CHECK(gpu.copy(gpu.alone, 100) == 100);
    gpu.streams.reset();
    CHECK_FALSE(gpu.streams.contains(&gpu.alone));
    CHECK(gpu.event(gpu.legacy) == 101);
}

TEST_CASE("how the host's time passes: it waits, copies and asks, one behind the other") {
    Gpu gpu;
    (void)gpu.copy(gpu.alone, 5000);
    gpu.streams.host_spends(100);
    gpu.streams.host_spends(100);
    CHECK_FALSE(gpu.streams.ask(5000));
    gpu.streams.host_waits(gpu.alone.ready);
    gpu.streams.host_waits(gpu.alone.ready);  // nothing passes
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

TEST_CASE("when work begins that was put last") {
    Gpu gpu;
    (void)gpu.copy(gpu.alone, 100);
    CHECK(gpu.streams.begun() == 0);
    (void)gpu.copy(gpu.other, 100);  // the engine is busy
    CHECK(gpu.streams.begun() == 100);
    (void)gpu.event(gpu.other);
    CHECK(gpu.streams.begun() == 200);
}
