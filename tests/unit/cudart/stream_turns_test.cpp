// What streams hold each other up for: waits for one event, launches, records, and what is under way beside each other.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "cudart/l2_loss.hpp"
#include "tests/unit/cudart/streams_fixture.hpp"

using namespace sassafras::cudart;

using Gpu = StreamsFixture;

TEST_CASE("a wait takes its time, less if the event is done when the stream comes to it, none if when the host asks") {
    constexpr Waking waking{.alone = 40, .done = 3, .shared = 7, .turn = 10};
    Gpu gpu;
    Event over;
    (void)gpu.record(gpu.other, over, 100);
    gpu.streams.host_waits(over.record);
    Event earlier;
    Event later;
    (void)gpu.record(gpu.thread, earlier, 20);
    (void)gpu.record(gpu.other, later, 50);
    Event never;
    gpu.streams.wait(gpu.alone, over, waking);
    const CommandId first = gpu.event(gpu.alone);
    gpu.streams.wait(gpu.alone, later, waking);
    const CommandId second = gpu.event(gpu.alone);
    gpu.streams.wait(gpu.alone, earlier, waking);
    gpu.streams.wait(gpu.alone, never, waking);
    const CommandId third = gpu.event(gpu.alone);
    gpu.run();
    CHECK(gpu.end(first) == 101);
    CHECK(gpu.end(second) == 191);
    CHECK(gpu.end(third) == 195);
}

TEST_CASE("a stream does not wait for itself") {
    Gpu gpu;
    Event own;
    (void)gpu.record(gpu.alone, own, 100);
    gpu.streams.wait(gpu.alone, own, {.alone = 40, .done = 3});
    const CommandId behind = gpu.event(gpu.alone);
    gpu.run();
    CHECK(gpu.end(behind) == 101);
}

TEST_CASE("a wait costs more where kernels since it was put have used all of L2, also for an event that is done") {
    constexpr Waking waking{.alone = 40, .done = 3, .lost = 1000, .l2_ways = 16};
    const auto of_l2 = [](double share) {
        Work kernel = kernel_of_one_block(100);
        kernel.load.l2_lines = share;
        return kernel;
    };
    for (const double share : {0.0, 0.1, 1.0, 5.0}) {
        CAPTURE(share);
        const double each = 1000 * share_lost(share, 16);
        Gpu gpu;
        Event early, another, late;
        (void)gpu.record(gpu.other, early, 10);
        (void)gpu.record(gpu.other, another, 10);
        (void)gpu.streams.put(gpu.thread, of_l2(share));
        gpu.streams.record(gpu.thread, late, {Engine::last, 1});
        gpu.streams.wait(gpu.alone, late, waking);
        gpu.streams.wait(gpu.alone, early, waking);
        gpu.streams.wait(gpu.alone, another, waking);  // finds what that of the same stream has brought
        const CommandId behind = gpu.event(gpu.alone);
        // What was put later finds what belongs to it.
        gpu.run();
        gpu.streams.wait(gpu.alone, early, waking);
        const CommandId later = gpu.event(gpu.alone);
        gpu.run();
        CHECK_THAT(gpu.end(behind), Catch::Matchers::WithinAbs(101 + 40 + 2 * 3 + 2 * each + 1, 1e-9));
        CHECK(gpu.end(later) <= gpu.end(behind) + 2);
    }
}

TEST_CASE("of L2 is lost what sets of so many ways have no room for") {
    CHECK(share_lost(0, 16) == 0);
    CHECK_THAT(share_lost(0.5, 1), Catch::Matchers::WithinAbs(1 - std::exp(-0.5), 1e-12));
    // l2_sets.csv: of 230,400 lines half are gone after 229,376 others, 3 % after 131,072, 10 % after 163,840.
    CHECK_THAT(share_lost(229'376 / 245'760.0, 16), Catch::Matchers::WithinAbs(0.45, 0.07));
    CHECK(share_lost(131'072 / 245'760.0, 16) < 0.05);
    CHECK(share_lost(3, 16) > 0.99);
}

TEST_CASE("streams that wait for the same event go on one after the other on each of two lines, any of them first") {
    constexpr Waking waking{.alone = 40, .shared = 7, .turn = 10};
    for (const std::size_t count : {1U, 2U, 5U}) {
        std::set<std::vector<double>> orders;
        for (int other_commands = 0; other_commands < 20; ++other_commands) {
            CAPTURE(count, other_commands);
            Gpu gpu;
            for (int i = 0; i < other_commands; ++i) (void)gpu.event(gpu.legacy);
            Event event;
            (void)gpu.record(gpu.legacy, event, 100);
            std::vector<CommandId> behind;
            for (std::size_t i = 0; i < count; ++i) {
                Stream& stream = gpu.streams.add(Stream::Kind::non_blocking, 0);
                gpu.streams.wait(stream, event, waking);
                gpu.streams.wait(stream, event, waking);  // for which it no longer has to wait
                behind.push_back(gpu.event(stream));
            }
            gpu.run();
            std::vector<double> ends;
            for (const CommandId each : behind) ends.push_back(gpu.end(each) - other_commands);
            orders.insert(ends);
            std::sort(ends.begin(), ends.end());
            CHECK(ends == (count == 1   ? std::vector<double>{141}
                           : count == 2 ? std::vector<double>{141, 141}
                                        : std::vector<double>{148, 148, 158, 158, 168}));
        }
        CHECK(orders.size() == (count == 5 ? 6 : 1));  // two streams of one line, three of the other
    }
}

TEST_CASE("a stream goes on later if the one that recorded the event waits then on its line") {
    constexpr Waking waking{.alone = 40, .shared = 4, .asked = 3};
    Gpu gpu;
    Event fork;
    (void)gpu.record(gpu.legacy, fork, 100);
    std::vector<CommandId> behind;
    for (std::size_t i = 0; i < 2; ++i) {
        Stream& stream = gpu.streams.add(Stream::Kind::non_blocking, 0);
        gpu.streams.wait(stream, fork, waking);
        Event end;
        behind.push_back(gpu.record(stream, end, 500));
        gpu.streams.wait(gpu.legacy, end, waking);
    }
    const CommandId join = gpu.event(gpu.legacy);
    gpu.run();
    CHECK(gpu.end(behind[0]) == 640);
    CHECK(gpu.end(behind[1]) == 647);
    CHECK(gpu.end(join) == 681);
}

TEST_CASE("a stream goes on later if others of its line wait for something else") {
    constexpr Waking waking{.alone = 40, .shared = 4, .asked = 3, .turn = 10};
    Gpu gpu;
    Event early;
    Event late;
    (void)gpu.record(gpu.legacy, early, 100);
    (void)gpu.record(gpu.alone, late, 1000);
    std::vector<CommandId> behind;
    for (std::size_t i = 0; i < 3; ++i) {
        Stream& stream = gpu.streams.add(Stream::Kind::non_blocking, 0);
        gpu.streams.wait(stream, i < 2 ? early : late, waking);
        behind.push_back(gpu.event(stream));
    }
    gpu.run();
    CHECK(gpu.end(behind[0]) == 148);
    CHECK(gpu.end(behind[1]) == 141);
    CHECK(gpu.end(behind[2]) == 1041);
}

TEST_CASE("behind a record for timing the GPU looks at the streams that wait before it goes on with its own") {
    for (const std::size_t count : {1U, 2U, 3U, 5U}) {
        Gpu gpu;
        Event late;
        (void)gpu.record(gpu.legacy, late, 1000);
        for (std::size_t i = 0; i < count; ++i) gpu.streams.wait(gpu.streams.add(Stream::Kind::non_blocking, 0), late);
        (void)gpu.streams.put(gpu.alone, {Engine::last, 100, {}, {.turn = 5, .back = 30}});
        const CommandId next = gpu.event(gpu.alone);
        gpu.run();
        CHECK(gpu.end(next) == (count < 2 ? 101 : 131));
    }
}

TEST_CASE("a kernel right behind one of its stream is late where other streams have launched meanwhile") {
    Gpu gpu;
    Work kernel = kernel_of_one_block(1000);
    kernel.launch = {.turn = 10, .back = 30};
    CHECK(gpu.streams.first_begin(gpu.alone, kernel) == 0);
    const CommandId first = gpu.streams.put(gpu.alone, kernel);
    CHECK(gpu.streams.first_begin(gpu.other, kernel) == 10);
    const CommandId second = gpu.streams.put(gpu.other, kernel);
    const CommandId behind = gpu.streams.put(gpu.alone, kernel);
    (void)gpu.copy(gpu.blocking, 1500);
    const CommandId behind_copy = gpu.streams.put(gpu.blocking, kernel);
    gpu.streams.host_waits_for_all();
    const CommandId by_host = gpu.streams.put(gpu.other, kernel);
    gpu.run();
    CHECK(gpu.end(first) == 1000);
    CHECK(gpu.end(second) == 1010);
    CHECK(gpu.end(behind) == 2030);
    CHECK(gpu.end(behind_copy) == 2500);
    CHECK(gpu.end(by_host) == 3500);
}

TEST_CASE("a launch of a stream that was just woken has had its turn") {
    Gpu gpu;
    Work kernel = kernel_of_one_block(1000);
    kernel.launch = {.turn = 50, .back = 30};
    Event event;
    (void)gpu.record(gpu.legacy, event, 100);
    std::vector<CommandId> kernels;
    for (int i = 0; i < 3; ++i) {
        Stream& stream = gpu.streams.add(Stream::Kind::non_blocking, 0);
        gpu.streams.wait(stream, event, {.turn = 20});
        kernels.push_back(gpu.streams.put(stream, kernel));
    }
    gpu.run();
    CHECK(gpu.begin(kernels[1]) == 100);
    CHECK(std::min(gpu.begin(kernels[0]), gpu.begin(kernels[2])) == 100);
    CHECK(std::max(gpu.begin(kernels[0]), gpu.begin(kernels[2])) == 120);
}

TEST_CASE("what is put later is beside what was put before, as far as that has not passed") {
    Gpu gpu;
    Work reads{Engine::kernels, 100};
    reads.load.sms = 10;
    reads.load.block_takes = {0.1, 0.1, 0.1, 0.1};
    reads.load.parts[KernelLoad::full].of_gpu = {0, 0, 0.9};
    const CommandId first = gpu.streams.put(gpu.alone, reads);
    gpu.streams.host_spends(50);
    const CommandId second = gpu.streams.put(gpu.other, reads);
    gpu.run();
    CHECK(gpu.end(first) == Approx(50 + 50 * 1.8));
    CHECK(gpu.end(second) == Approx(50 + 50 * 1.8 + 50));
}

TEST_CASE("a record does not meet one that its stream has waited for, though that was done by then") {
    const Work record{Engine::last, 100, {}, {.turn = 50}};
    for (const double length : {99.0, 101.0}) {
        Gpu gpu;
        Event event;
        gpu.streams.record(gpu.alone, event, record);
        (void)gpu.streams.put(gpu.other, {Engine::commands, length});
        gpu.streams.wait(gpu.other, event);
        const CommandId second = gpu.streams.put(gpu.other, record);
        gpu.run();
        CHECK(gpu.end(second) == std::max(length, 100.0) + 100);
    }
}

TEST_CASE("records of events for timing take turns, unless a stream has waited for the other's") {
    const Work record{Engine::last, 100, {}, {.turn = 50}};
    Gpu gpu;
    const CommandId first = gpu.streams.put(gpu.alone, record);
    const CommandId same = gpu.streams.put(gpu.alone, record);
    const CommandId untimed = gpu.streams.put(gpu.other, {Engine::last, 0});
    const CommandId meets = gpu.streams.put(gpu.other, record);
    const CommandId third = gpu.streams.put(gpu.blocking, record);
    gpu.run();
    CHECK(gpu.end(first) == 100);
    CHECK(gpu.end(meets) == 250);
    CHECK(gpu.end(third) == 400);
    CHECK(gpu.end(same) == 550);  // it is its stream's turn again
    CHECK(gpu.end(untimed) == 0);
    Gpu joined;
    Event event;
    joined.streams.record(joined.alone, event, record);
    joined.streams.wait(joined.other, event, {.alone = 5});
    const CommandId behind = joined.streams.put(joined.other, record);
    joined.run();
    CHECK(joined.end(behind) == 205);
}

TEST_CASE("launches of streams that share a connection begin in the order in which they were put") {
    Work kernel = kernel_of_one_block(100);
    // Of so many streams, with two kernels each, the last end; by stream or by kernel.
    const auto last_end = [&](std::size_t connections, std::size_t count, bool by_stream) {
        Streams streams(connections);
        std::vector<Stream*> all;
        for (std::size_t i = 0; i < count; ++i) all.push_back(&streams.add(Stream::Kind::non_blocking, 0));
        for (int k = 0; k < (by_stream ? 1 : 2); ++k)
            for (Stream* stream : all)
                for (int j = 0; j < (by_stream ? 2 : 1); ++j) (void)streams.put(*stream, kernel);
        streams.host_waits_for_all();
        return streams.host();
    };
    CHECK(last_end(8, 8, true) == 200);
    CHECK(last_end(8, 9, true) == 300);
    CHECK(last_end(8, 16, true) == 300);
    CHECK(last_end(8, 17, true) == 400);
    CHECK(last_end(8, 34, false) == 200);
    CHECK(last_end(32, 32, true) == 200);
    CHECK(last_end(1, 3, true) == 400);
}

TEST_CASE("a stream that has nothing to do has no connection") {
    Gpu gpu;
    Work kernel = kernel_of_one_block(100);
    std::vector<Stream*> all;
    for (int i = 0; i < 20; ++i) {
        all.push_back(&gpu.streams.add(Stream::Kind::non_blocking, 0));
        (void)gpu.streams.put(*all.back(), kernel);
        gpu.streams.host_waits_for_all();
    }
    for (Stream* stream : {all[0], all[8], all[16]})
        for (int k = 0; k < 2; ++k) (void)gpu.streams.put(*stream, kernel);
    gpu.streams.host_waits_for_all();
    CHECK(gpu.streams.host() == 2200);
}

TEST_CASE("until its first block begins a kernel takes nothing, and behind its last") {
    Work full{Engine::kernels, 150};
    full.load.sms = 10;
    full.load.blocks = full.load.resident = 10;
    full.load.before = 30;
    full.load.after = 20;
    Gpu gpu;
    const CommandId first = gpu.streams.put(gpu.alone, full);
    const CommandId second = gpu.streams.put(gpu.other, full);
    gpu.run();
    CHECK(gpu.begin(first) == 0);
    CHECK(gpu.end(first) == Approx(150));
    CHECK(gpu.begin(second) == Approx(100));  // its blocks from 130 on, when the first's are over
    CHECK(gpu.end(second) == Approx(250));
}

TEST_CASE("a record that the host puts behind one that it has waited for does not meet it") {
    const Work record{Engine::last, 100, {}, {.turn = 50}};
    Gpu gpu;
    gpu.streams.host_waits(gpu.streams.put(gpu.alone, record));
    gpu.streams.host_waits(gpu.streams.put(gpu.other, record));
    CHECK(gpu.streams.host() == 200);
}

TEST_CASE("times of long programs are exact") {
    Gpu gpu;
    gpu.streams.host_spends(1e15);  // eleven days, in which an eighth of a nanosecond is the least difference
    Work kernel{Engine::kernels, 1e6 / 3};
    kernel.load.parts = {LoadPart{.time = 0}, LoadPart{.time = 1.0 / 3}, LoadPart{.time = 0},
                         LoadPart{.time = 2.0 / 3}};
    for (int i = 0; i < 300; ++i) (void)gpu.streams.put(gpu.alone, kernel);
    gpu.streams.host_waits_for_all();
    CHECK(gpu.streams.host() - 1e15 == Approx(1e8).margin(300));
}

TEST_CASE("many streams that come and go, and many waits, take no more memory than what is under way") {
    Gpu gpu;
    for (int i = 0; i < 20'000; ++i) {
        Stream& stream = gpu.streams.add(Stream::Kind::blocking, 0);
        (void)gpu.kernel(stream, 10);
        gpu.streams.remove(&stream);
        gpu.streams.host_waits_for_all();
    }
    CHECK(gpu.streams.host() == 200'000);
    Event event;
    (void)gpu.record(gpu.other, event, 500);
    for (int i = 0; i < 200'000; ++i) gpu.streams.wait(gpu.alone, event);
    CHECK(gpu.streams.host() == 200'500);  // there was no room for so many
}
