// Kernels beside each other: places, pace, and who waits for whom. Times are nanoseconds.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "cudart/kernel_room.hpp"

using namespace sassafras::cudart;

namespace {

constexpr double sms = 10;

/// So many blocks, of which an SM holds so many, that leave units to others.
KernelLoad kernel(double blocks, double an_sm) {
    KernelLoad load;
    load.sms = sms;
    load.blocks = blocks;
    load.resident = std::min(blocks, sms * an_sm);
    load.block_takes = {1 / an_sm, 1 / an_sm, 1 / an_sm, 0};
    load.carve_out = 0.25;
    return load;
}

KernelLoad busy(KernelLoad load, SmUnit unit, double of_block) {
    for (LoadPart& part : load.parts) part.of_block[static_cast<std::size_t>(unit)] = of_block;
    return load;
}

KernelLoad shared(KernelLoad load, double of_block, double carve_out) {
    load.block_takes[static_cast<std::size_t>(SmPlace::shared)] = of_block;
    load.carve_out = carve_out;
    return load;
}

KernelLoad fills_memory(KernelLoad load) {
    load.parts[0].of_gpu[static_cast<std::size_t>(GpuUnit::l2_in)] = 1;
    load.waits_for_memory = 1;
    return load;
}

/// 35 blocks, of which ten run at a time; after three quarters of its time the first SMs get free.
KernelLoad several_waves() {
    KernelLoad load = kernel(35, 1);
    load.parts[0].time = 0.75;
    load.parts[1] = {.time = 0.25, .sms = 0.5};
    return load;
}

/// The end; the begin is checked.
double end(KernelRoom& room, double earliest, double nanoseconds, const KernelLoad& load, double begin) {
    const KernelRoom::Span span = room.place(earliest, nanoseconds, load);
    CHECK(span.begin == Approx(begin));
    return span.end;
}

}  // namespace

TEST_CASE("kernels that fit go on beside each other") {
    KernelRoom room;
    for (int i = 0; i < 4; ++i) CHECK(end(room, i, 100, kernel(5, 2), i) == Approx(100 + i));
    // All places are taken: the first that gets free is the first kernel's.
    CHECK(end(room, 5, 100, kernel(5, 2), 100) == Approx(200));
}

TEST_CASE("a kernel of several waves leaves nothing until its last block has begun") {
    KernelRoom room;
    CHECK(end(room, 0, 400, several_waves(), 0) == Approx(400));
    CHECK(end(room, 0, 100, kernel(2, 2), 300) == Approx(400));
}

TEST_CASE("blocks that find no place begin later, and the kernel ends with them") {
    KernelRoom room;
    CHECK(end(room, 0, 100, kernel(8, 1), 0) == Approx(100));
    CHECK(end(room, 0, 50, kernel(6, 1), 0) == Approx(150));  // two blocks at once, four when the others end
    CHECK(end(room, 0, 10, kernel(1, 1), 100) == Approx(110));
}

TEST_CASE("a later kernel has what the earlier leaves of a unit") {
    const KernelLoad most = busy(kernel(10, 2), SmUnit::fma, 0.8);
    const KernelLoad half = busy(kernel(10, 2), SmUnit::fma, 0.4);
    KernelRoom room;
    CHECK(end(room, 0, 100, most, 0) == Approx(100));
    CHECK(end(room, 0, 100, half, 0) == Approx(150));  // half its pace for 100
    CHECK(end(room, 1000, 100, half, 1000) == Approx(1100));
    CHECK(end(room, 1000, 100, half, 1000) == Approx(1100));
    CHECK(end(room, 2000, 100, busy(kernel(10, 2), SmUnit::alu, 0.9), 2000) == Approx(2100));
    CHECK(end(room, 2000, 100, most, 2000) == Approx(2100));  // another unit
}

TEST_CASE("what is busy nearly all the time leaves nothing") {
    KernelRoom room;
    CHECK(end(room, 0, 100, busy(kernel(10, 2), SmUnit::fma, 0.96), 0) == Approx(100));
    CHECK(end(room, 0, 20, busy(kernel(2, 2), SmUnit::fma, 0.01), 0) == Approx(120));
}

TEST_CASE("blocks that waited fill one SM after the other") {
    KernelRoom room;
    CHECK(end(room, 0, 100, kernel(20, 2), 0) == Approx(100));
    // Five blocks would find five SMs, on each of which one takes half of a unit; they get three SMs, two each.
    CHECK(end(room, 0, 100, busy(kernel(5, 2), SmUnit::alu, 1), 100) == Approx(300));
    CHECK(end(room, 1000, 100, busy(kernel(5, 2), SmUnit::alu, 1), 1000) == Approx(1100));
}

TEST_CASE("an SM has as much shared memory as its first block had carved out") {
    const KernelLoad small = shared(kernel(10, 4), 0.01, 0.25);
    const KernelLoad large = shared(kernel(10, 4), 0.4, 1);
    KernelRoom room;
    CHECK(end(room, 0, 100, small, 0) == Approx(100));
    CHECK(end(room, 0, 100, large, 100) == Approx(200));  // though 0.99 are free
    CHECK(end(room, 1000, 100, large, 1000) == Approx(1100));
    CHECK(end(room, 1000, 100, small, 1000) == Approx(1100));
}

TEST_CASE("accesses wait behind those of a kernel that fills memory") {
    KernelLoad reader = kernel(10, 4);
    reader.waits_for_memory = 1;
    KernelRoom room;
    CHECK(end(room, 0, 100, fills_memory(kernel(10, 4)), 0) == Approx(100));
    CHECK(end(room, 0, 100, kernel(10, 4), 0) == Approx(100));  // which accesses nothing
    CHECK(end(room, 0, 100, reader, 0) > 180);
    KernelRoom other;
    CHECK(end(other, 0, 100, reader, 0) == Approx(100));
    CHECK(end(other, 0, 100, fills_memory(kernel(10, 4)), 0) > 180);  // in the other order they end as late
}

TEST_CASE("requests to memory take turns: the end is when all are done") {
    KernelLoad half = kernel(10, 4);
    half.parts[0].of_gpu[static_cast<std::size_t>(GpuUnit::dram)] = 0.7;
    KernelRoom room;
    CHECK(end(room, 0, 100, half, 0) == Approx(100));
    CHECK(end(room, 0, 100, half, 0) == Approx(140));  // 140 of the unit's time are wanted
}

TEST_CASE("two kernels that fill memory end when both are done") {
    KernelRoom room;
    KernelLoad filler = fills_memory(kernel(10, 4));
    CHECK(end(room, 0, 100, filler, 0) == Approx(100));
    CHECK(end(room, 0, 100, filler, 0) == Approx(200));
    CHECK(end(room, 500, 100, filler, 500) == Approx(600));
}

TEST_CASE("where accesses to shared memory take turns, the first kernel's places are not free before the second ends") {
    const KernelLoad load = busy(kernel(10, 2), SmUnit::shared, 1);
    KernelRoom room;
    CHECK(room.place(0, 100, load).lost == 0);
    const KernelRoom::Span second = room.place(0, 100, load);
    CHECK(second.end == Approx(200));
    CHECK(second.lost == Approx(100));
    // Two an SM on the first five that get free, so that they take turns again.
    CHECK(end(room, 0, 100, load, 200) == Approx(400));
    const KernelLoad other = busy(kernel(10, 2), SmUnit::fma, 1);
    CHECK(end(room, 1000, 100, other, 1000) == Approx(1100));
    CHECK(room.place(1000, 100, other).lost == 0);  // of which the first ends first
    CHECK(end(room, 1000, 100, kernel(10, 2), 1100) == Approx(1200));
}

TEST_CASE("the first kernel's places are held for what the second loses, not for as long as it runs") {
    KernelRoom room;
    CHECK(end(room, 0, 100, busy(kernel(10, 2), SmUnit::shared, 0.9), 0) == Approx(100));
    CHECK(end(room, 0, 10000, busy(kernel(10, 2), SmUnit::shared, 0.2), 0) == Approx(10050));
    CHECK(end(room, 0, 100, kernel(10, 2), 150) == Approx(250));
}

TEST_CASE("no kernel is quicker than alone, at times that are no whole numbers") {
    std::mt19937 random(7);
    const auto share = [&] { return static_cast<double>(random() % 100) / 100; };
    for (int round = 0; round < 60; ++round) {
        KernelRoom room;
        double streams[4] = {};
        for (int i = 0; i < 100; ++i) {
            KernelLoad load = kernel(static_cast<double>(1 + random() % 30), 2);
            load.parts[0].time = 0.1 + 0.9 * share();
            load.parts[1] = {.time = 1 - load.parts[0].time, .sms = 0.5};
            for (LoadPart& part : load.parts)
                for (double& unit : part.of_gpu) unit = share();
            load = busy(load, SmUnit::shared, share());
            const double cycles = static_cast<double>(1000 + random() % 20000);
            const double nanoseconds = cycles * 1000 / 1980;
            double& ready = streams[random() % 4];
            const KernelRoom::Span span = room.place(ready, nanoseconds, load);
            REQUIRE(span.begin >= ready - 1e-6);
            REQUIRE(span.end - span.begin >= nanoseconds * (1 - 1e-6) - 1e-2);
            REQUIRE(std::isfinite(span.end));
            ready = span.end;
            if (i % 10 == 0) room.forget_before(*std::min_element(streams, streams + 4));
        }
    }
}

TEST_CASE("until its first block begins a kernel takes nothing, and behind its last") {
    KernelLoad full = kernel(10, 1);
    full.before = 30;
    full.after = 20;
    KernelRoom room;
    CHECK(end(room, 0, 150, full, 0) == Approx(150));
    CHECK(room.first_begin(0, full) == Approx(100));
    CHECK(end(room, 0, 150, full, 100) == Approx(250));  // its blocks from 130 on, as the first's are over
    CHECK(end(room, 0, 150, full, 200) == Approx(350));
    CHECK(end(room, 1000, 150, full, 1000) == Approx(1150));
}

TEST_CASE("what runs is not held up by what begins or ends beside it") {
    KernelRoom room;
    CHECK(end(room, 0, 10, kernel(1, 2), 0) == Approx(10));
    CHECK(end(room, 0, 1000, kernel(1, 2), 0) == Approx(1000));
    CHECK(end(room, 0, 100, kernel(18, 2), 0) == Approx(100));
}

TEST_CASE("a kernel that fills memory waits for its turn as well") {
    KernelRoom room;
    CHECK(end(room, 0, 400, several_waves(), 0) == Approx(400));
    const KernelLoad after = fills_memory(kernel(2, 2));
    CHECK(room.first_begin(0, after) == Approx(300));
    (void)end(room, 0, 100, after, 300);
}

TEST_CASE("no kernel ends before it would alone, none begins too early, and places are never taken twice") {
    std::mt19937 random(7);
    const auto draw = [&](double least, double most) {
        return std::floor(std::uniform_real_distribution<double>(least, most + 0.999)(random));
    };
    struct Ran {
        double begin, end, places;
    };
    for (int round = 0; round < 100; ++round) {
        KernelRoom room;
        std::vector<Ran> whole;  // kernels whose blocks all ran from the begin to the end: places of the GPU's
        for (int i = 0; i < 40; ++i) {
            const double an_sm = draw(1, 4);
            KernelLoad load = kernel(draw(1, 40), an_sm);
            const bool keeps_pace = draw(0, 2) > 0;
            if (!keeps_pace) load = busy(load, SmUnit::issue, draw(1, 4) / 4);
            if (draw(0, 5) == 0) load = fills_memory(load);
            if (!load.one_wave())
                load.parts = {LoadPart{.time = 0.5}, LoadPart{.time = 0.5, .sms = 0.7, .blocks = 0.8}};
            const double earliest = draw(0, 500);
            const double nanoseconds = draw(1, 100);
            const double first = room.first_begin(earliest, load);
            const KernelRoom::Span span = room.place(earliest, nanoseconds, load);
            REQUIRE(span.begin >= earliest);
            REQUIRE(span.begin == Approx(first));
            REQUIRE(span.end >= span.begin + nanoseconds * 0.999);
            if (load.one_wave() && span.end < span.begin + nanoseconds * 1.001)
                whole.push_back({span.begin, span.end, load.blocks / an_sm});
        }
        for (const Ran& at : whole) {
            const double middle = (at.begin + at.end) / 2;
            double taken = 0;
            for (const Ran& ran : whole)
                if (ran.begin <= middle && middle < ran.end) taken += ran.places;
            REQUIRE(taken <= sms + 1e-6);
        }
    }
}

TEST_CASE("many streams of unlike kernels leave few places unused") {
    KernelRoom room;
    std::mt19937 random(3);
    double last = 0;
    for (int i = 0; i < 2000; ++i) {
        const auto nanoseconds = static_cast<double>(100 + random() % 1000);
        last = std::max(last, room.place(i / 64, nanoseconds, kernel(static_cast<double>(1 + random() % 10), 8)).end);
    }
    // 600 ns and 5.5 of 80 places each, in the mean.
    CHECK(last > 2000 * 600 * 5.5 / 80);
    CHECK(last < 2000 * 600 * 5.5 / 40);
}

TEST_CASE("kernels that have passed are forgotten, others are kept") {
    KernelRoom room;
    CHECK(end(room, 0, 100, kernel(10, 1), 0) == Approx(100));
    CHECK(end(room, 200, 100, kernel(10, 1), 200) == Approx(300));
    room.forget_before(250);
    CHECK(end(room, 250, 100, kernel(10, 1), 300) == Approx(400));
}

TEST_CASE("of very many kernels the earliest gaps are given up") {
    KernelRoom room;
    for (int i = 0; i < 5000; ++i) CHECK(room.place(10.0 * i, 5, kernel(10, 1)).end == Approx(10.0 * i + 5));
    CHECK(room.place(0, 1, kernel(10, 1)).begin > 20'000);
    CHECK(room.place(49'980, 5, kernel(10, 1)).end == Approx(49'990));
}
