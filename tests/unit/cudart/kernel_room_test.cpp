// Kernels beside each other: places, paces, and who waits for whom. Times are nanoseconds.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <map>
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
    load.parts[KernelLoad::full].of_gpu[static_cast<std::size_t>(GpuUnit::l2_out)] = 1;
    load.waits = 1;
    load.queue = 6.5;
    return load;
}

/// 35 blocks, of which ten run at a time; after three quarters of its time the first SMs get free.
KernelLoad several_waves() {
    KernelLoad load = kernel(35, 1);
    load.parts[KernelLoad::full].time = 0.75;
    load.parts[KernelLoad::tail] = {.time = 0.25, .sms = 0.5};
    return load;
}

struct Span {
    double begin = 0;
    double end = 0;
};

bool operator==(const Span& a, const Span& b) {
    return std::abs(a.begin - b.begin) < 1e-6 && std::abs(a.end - b.end) < 1e-6;
}

std::ostream& operator<<(std::ostream& out, const Span& span) { return out << span.begin << " to " << span.end; }

struct PutKernel {
    double at;
    double nanoseconds;
    KernelLoad load;
};

/// When the first block of each begins and its last one ends. They are put in the order of their times.
std::vector<Span> run(const std::vector<PutKernel>& puts) {
    KernelRoom room;
    std::vector<Span> spans(puts.size());
    double now = 0;
    std::size_t next = 0;
    while (true) {
        for (; next < puts.size() && puts[next].at <= now; ++next)
            room.add(next, puts[next].nanoseconds, puts[next].load);
        const double until_put = next < puts.size() ? puts[next].at - now : KernelRoom::never;
        const double until = std::min(room.until_change(), until_put);
        for (const KernelRoom::Change& change : room.take_changes())
            (change.has_ended ? spans[change.kernel].end : spans[change.kernel].begin) = now;
        if (until == KernelRoom::never) return spans;
        room.pass(until);
        now = until == until_put ? puts[next].at : now + until;
    }
}

using Spans = std::vector<Span>;

}  // namespace

TEST_CASE("kernels that fit go on beside each other") {
    const KernelLoad load = kernel(5, 2);
    // All places are taken when the fifth comes: the first that gets free is the first kernel's.
    CHECK(run({{0, 100, load}, {1, 100, load}, {2, 100, load}, {3, 100, load}, {5, 100, load}}) ==
          Spans{{0, 100}, {1, 101}, {2, 102}, {3, 103}, {100, 200}});
}

TEST_CASE("a kernel alone takes its time, whatever it asks for") {
    KernelLoad load = fills_memory(busy(busy(several_waves(), SmUnit::fma, 1), SmUnit::data, 1));
    load.waits = 0.7;
    CHECK(run({{0, 400, load}, {500, 400, load}}) == Spans{{0, 400}, {500, 900}});
}

TEST_CASE("a kernel of several waves leaves nothing until its last block has begun") {
    CHECK(run({{0, 400, several_waves()}, {0, 100, kernel(2, 2)}}) == Spans{{0, 400}, {300, 400}});
    CHECK(run({{0, 400, several_waves()}, {0, 100, fills_memory(kernel(2, 2))}}) == Spans{{0, 400}, {300, 400}});
}

TEST_CASE("blocks that find no place begin later, and the kernel ends with them") {
    // Of six two begin at once, four when the others end; the last kernel's behind them.
    CHECK(run({{0, 100, kernel(8, 1)}, {0, 50, kernel(6, 1)}, {0, 10, kernel(1, 1)}}) ==
          Spans{{0, 100}, {0, 150}, {100, 110}});
}

TEST_CASE("a kernel that found no place begins some time behind the first that gets free") {
    KernelLoad late = kernel(4, 1);
    late.behind_place = 30;
    KernelLoad part = kernel(6, 1);
    part.behind_place = 30;
    // What comes behind it waits as long, though there are places; one of whose blocks some have begun does not wait.
    CHECK(run({{0, 100, kernel(10, 1)}, {0, 50, late}, {0, 10, kernel(1, 1)}}) ==
          Spans{{0, 100}, {130, 180}, {130, 140}});
    CHECK(run({{0, 100, kernel(8, 1)}, {0, 50, part}}) == Spans{{0, 100}, {0, 150}});
    CHECK(run({{0, 50, late}}) == Spans{{0, 50}});
    // Two kernels that end meanwhile leave both their places: two blocks go to an SM.
    const KernelLoad on_all = kernel(10, 2);
    KernelLoad ten = busy(kernel(10, 2), SmUnit::alu, 1);
    ten.behind_place = 30;
    CHECK(run({{0, 100, on_all}, {0, 120, on_all}, {0, 100, ten}}) == Spans{{0, 100}, {0, 120}, {130, 330}});
    CHECK(run({{0, 100, on_all}, {0, 140, on_all}, {0, 100, ten}}) == Spans{{0, 100}, {0, 140}, {130, 230}});
}

TEST_CASE("a kernel begins some time behind another one on the same SMs") {
    KernelLoad on_all = kernel(10, 4);
    KernelLoad on_half = kernel(5, 4);
    for (KernelLoad* load : {&on_all, &on_half}) load->behind_other = 30;
    CHECK(run({{0, 100, on_all}, {0, 100, on_all}, {10, 100, on_all}}) == Spans{{0, 100}, {30, 130}, {60, 160}});
    CHECK(run({{0, 100, on_all}, {50, 100, on_all}, {200, 100, on_all}}) == Spans{{0, 100}, {50, 150}, {200, 300}});
    CHECK(run({{0, 100, on_half}, {0, 100, on_half}, {0, 100, on_half}}) == Spans{{0, 100}, {0, 100}, {30, 130}});
}

TEST_CASE("kernels that read in the same part of their time share memory there") {
    KernelLoad load = kernel(10, 2);
    load.parts[KernelLoad::lead].time = 0.5;
    load.parts[KernelLoad::full].time = 0.3;
    load.parts[KernelLoad::full].of_gpu[static_cast<std::size_t>(GpuUnit::l2_out)] = 1;
    load.parts[KernelLoad::rest].time = 0.2;
    CHECK_FALSE(load.fills_memory());
    CHECK(run({{0, 100, load}, {0, 100, load}}) == Spans{{0, 130}, {0, 130}});
    CHECK(run({{0, 100, load}, {30, 100, load}}) == Spans{{0, 100}, {30, 130}});
    CHECK(run({{0, 100, load}, {20, 100, load}}) == Spans{{0, 110}, {20, 130}});  // 20 of 30 fall together
}

TEST_CASE("a later kernel has what the earlier leaves of a unit") {
    const KernelLoad most = busy(kernel(10, 2), SmUnit::fma, 0.8);
    const KernelLoad half = busy(kernel(10, 2), SmUnit::fma, 0.4);
    CHECK(run({{0, 100, most}, {0, 100, half}}) == Spans{{0, 100}, {0, 150}});  // half its pace for 100
    CHECK(run({{0, 100, half}, {0, 100, half}}) == Spans{{0, 100}, {0, 100}});
    CHECK(run({{0, 100, busy(kernel(10, 2), SmUnit::alu, 0.9)}, {0, 100, most}}) == Spans{{0, 100}, {0, 100}});
}

TEST_CASE("what is busy nearly all the time leaves nothing") {
    CHECK(run({{0, 100, busy(kernel(10, 2), SmUnit::fma, 0.96)}, {0, 20, busy(kernel(2, 2), SmUnit::fma, 0.01)}}) ==
          Spans{{0, 100}, {0, 120}});
}

TEST_CASE("blocks that waited fill one SM after the other") {
    const KernelLoad five = busy(kernel(5, 2), SmUnit::alu, 1);
    // Five blocks would find five SMs, on each of which one takes all of a unit; they get three SMs, two each.
    CHECK(run({{0, 100, kernel(20, 2)}, {0, 100, five}}) == Spans{{0, 100}, {100, 300}});
    CHECK(run({{0, 100, five}}) == Spans{{0, 100}});
}

TEST_CASE("blocks go to the SMs that have fewest warps") {
    const KernelLoad half = busy(kernel(5, 2), SmUnit::alu, 1);
    CHECK(run({{0, 100, half}, {0, 100, half}}) == Spans{{0, 100}, {0, 100}});  // the other five SMs
    const KernelLoad third = busy(kernel(4, 2), SmUnit::alu, 1);
    CHECK(run({{0, 100, half}, {0, 100, half}, {50, 100, third}}).back() == Span{50, 200});
}

TEST_CASE("what fills memory does not need all its blocks for that") {
    KernelLoad filler = fills_memory(kernel(10, 1));
    filler.parts[KernelLoad::full].of_gpu = {0.8, 0, 0};
    CHECK(run({{0, 1000, kernel(2, 1)}, {0, 100, filler}})[1] == Span{0, 100});  // on eight SMs
    CHECK(run({{0, 1000, kernel(6, 1)}, {0, 100, filler}})[1] == Span{0, 200});  // on four
}

TEST_CASE("a part of a kernel may have no time") {
    KernelLoad load = kernel(5, 2);
    load.parts[KernelLoad::full].time = 0;
    load.parts[KernelLoad::tail] = {.time = 1};
    CHECK(run({{0, 100, load}}) == Spans{{0, 100}});
}

TEST_CASE("an SM has as much shared memory as its first block had carved out") {
    const KernelLoad small = shared(kernel(10, 4), 0.01, 0.25);
    const KernelLoad large = shared(kernel(10, 4), 0.4, 1);
    CHECK(run({{0, 100, small}, {0, 100, large}}) == Spans{{0, 100}, {100, 200}});  // though 0.99 are free
    CHECK(run({{0, 100, large}, {0, 100, small}}) == Spans{{0, 100}, {0, 100}});
}

TEST_CASE("accesses wait behind those of a kernel that fills memory, whichever came first") {
    KernelLoad reader = kernel(10, 4);
    reader.waits = 1;
    const KernelLoad filler = fills_memory(kernel(10, 4));
    const double end = 100 + 100 * (1 - 1 / 7.5);
    CHECK(run({{0, 100, filler}, {0, 100, kernel(10, 4)}, {0, 100, reader}}) == Spans{{0, 100}, {0, 100}, {0, end}});
    CHECK(run({{0, 100, reader}, {0, 100, filler}}) == Spans{{0, end}, {0, 100}});
}

TEST_CASE("an operation of XU waits for what later kernels have begun, and longer for kernels that came first") {
    KernelLoad chain = busy(kernel(10, 4), SmUnit::xu, 0.25);
    chain.xu_wait = 2;
    const KernelLoad filler = busy(kernel(10, 4), SmUnit::xu, 0.96);
    // Half as long again while the other always has an operation there.
    const Spans before = run({{0, 100, chain}, {0, 1000, filler}});
    CHECK(before[0] == Span{0, 150});
    CHECK(before[1] == Span{0, 1000 + 150 * (1 - (1 - 0.25 / 1.5) / 0.96)});
    // 0.8 of the time XU is taken: an operation waits 0.8 / 0.2 / 0.2 times as long.
    chain = busy(chain, SmUnit::xu, 0.1);
    const KernelLoad most = busy(kernel(10, 4), SmUnit::xu, 0.8);
    CHECK(run({{0, 1000, most}, {0, 100, chain}}) == Spans{{0, 1000}, {0, 100 * (1 + 2 * 0.1 * 20)}});
    CHECK(run({{0, 1000, filler}, {0, 100, busy(chain, SmUnit::xu, 0)}}) == Spans{{0, 1000}, {0, 100}});
}

TEST_CASE("requests to memory take turns: both are slower until the first is done") {
    KernelLoad most = kernel(10, 4);
    most.parts[KernelLoad::full].of_gpu[static_cast<std::size_t>(GpuUnit::dram)] = 0.7;
    CHECK(run({{0, 100, most}, {0, 100, most}}) == Spans{{0, 140}, {0, 140}});
    CHECK(run({{0, 100, most}, {50, 100, most}}) == Spans{{0, 120}, {50, 170}});
    const KernelLoad filler = fills_memory(kernel(10, 4));
    CHECK(run({{0, 100, filler}, {0, 100, filler}, {0, 100, kernel(10, 4)}}) == Spans{{0, 200}, {0, 200}, {0, 100}});
}

TEST_CASE("of kernels that only store the first keeps its pace, on its SMs too") {
    const auto stores = [](KernelLoad load) {
        load.parts[KernelLoad::full].of_gpu[static_cast<std::size_t>(GpuUnit::l2_in)] = 0.75;
        load.parts[KernelLoad::full].of_gpu[static_cast<std::size_t>(GpuUnit::dram)] = 1;
        load.waits = 0.5;
        return load;
    };
    const KernelLoad all = stores(kernel(10, 4));
    CHECK(run({{0, 100, all}, {0, 100, all}, {50, 100, all}}) == Spans{{0, 100}, {0, 200}, {50, 300}});
    const KernelLoad l1 = stores(busy(kernel(10, 4), SmUnit::l1, 0.8));
    CHECK(run({{0, 100, l1}, {0, 100, l1}}) == Spans{{0, 100}, {0, 200}});
    // With one that reads they share as all do.
    KernelLoad reads = kernel(10, 4);
    reads.parts[KernelLoad::full].of_gpu[static_cast<std::size_t>(GpuUnit::dram)] = 1;
    reads.parts[KernelLoad::full].of_gpu[static_cast<std::size_t>(GpuUnit::l2_out)] = 0.75;
    CHECK(run({{0, 100, all}, {0, 100, reads}}) == Spans{{0, 200}, {0, 200}});
}

TEST_CASE("accesses to shared memory take turns") {
    const KernelLoad all = busy(kernel(10, 2), SmUnit::data, 1);
    CHECK(run({{0, 100, all}, {0, 100, all}}) == Spans{{0, 200}, {0, 200}});
    CHECK(run({{0, 100, all}, {20, 100, all}}) == Spans{{0, 180}, {20, 200}});
    // Of a little more than the unit can do, the first is not held up for longer than that.
    const KernelLoad most = busy(kernel(10, 2), SmUnit::data, 0.9);
    const KernelLoad some = busy(kernel(10, 2), SmUnit::data, 0.2);
    CHECK(run({{0, 100, most}, {0, 10000, some}}) == Spans{{0, 110}, {0, 10010}});
}

TEST_CASE("what runs is not held up by what begins or ends beside it") {
    CHECK(run({{0, 10, kernel(1, 2)}, {0, 1000, kernel(1, 2)}, {0, 100, kernel(18, 2)}}) ==
          Spans{{0, 10}, {0, 1000}, {0, 100}});
}

TEST_CASE("no kernel is quicker than alone, none begins early, and the first keeps its pace where units do not turn") {
    std::mt19937 random(7);
    const auto share = [&] { return static_cast<double>(random() % 100) / 100; };
    for (int round = 0; round < 100; ++round) {
        std::vector<PutKernel> puts;
        double at = 0;
        const bool turns = round % 2 == 0;
        for (int i = 0; i < 60; ++i) {
            KernelLoad load = kernel(static_cast<double>(1 + random() % 30), static_cast<double>(1 + random() % 4));
            load.parts[KernelLoad::full].time = 0.1 + 0.9 * share();
            load.parts[KernelLoad::tail] = {.time = 1 - load.parts[KernelLoad::full].time, .sms = 0.5, .blocks = 0.7};
            load = busy(load, SmUnit::issue, share() / 4);
            if (turns) {
                load = busy(load, SmUnit::data, share());
                for (LoadPart& part : load.parts)
                    for (double& unit : part.of_gpu) unit = share();
                load.waits = share();
                load.queue = share();
            }
            // Ends of their own, at times that are no whole numbers.
            const double nanoseconds = static_cast<double>(1000 + random() % 20000) * 1000 / 1980;
            puts.push_back({at, nanoseconds, load});
            at += static_cast<double>(random() % 9000) / 1.98;
        }
        const Spans spans = run(puts);
        for (std::size_t i = 0; i < puts.size(); ++i) {
            REQUIRE(spans[i].begin >= puts[i].at - 1e-6);
            REQUIRE(std::isfinite(spans[i].end));
            REQUIRE(spans[i].end - spans[i].begin >= puts[i].nanoseconds * (1 - 1e-9) - 1e-2);
            if (i > 0) REQUIRE(spans[i].begin >= spans[i - 1].begin);
        }
        if (!turns && puts[0].load.one_wave()) REQUIRE(spans[0] == Span{0, puts[0].nanoseconds});
    }
}

TEST_CASE("places are never taken twice") {
    std::mt19937 random(7);
    for (int round = 0; round < 50; ++round) {
        std::vector<PutKernel> puts;
        for (int i = 0; i < 60; ++i)
            puts.push_back({static_cast<double>(4 * i), static_cast<double>(1 + random() % 100),
                            kernel(static_cast<double>(1 + random() % 40), static_cast<double>(1 + random() % 4))});
        const Spans spans = run(puts);
        for (std::size_t i = 0; i < puts.size(); ++i) {
            double taken = 0;
            for (std::size_t other = 0; other < puts.size(); ++other) {
                // Of those whose blocks all run from the first begin to the last end.
                const bool whole = puts[other].load.one_wave() &&
                                   spans[other].end < spans[other].begin + puts[other].nanoseconds + 1e-3;
                if (whole && spans[other].begin <= spans[i].begin && spans[i].begin < spans[other].end - 1e-3)
                    taken += puts[other].load.blocks * puts[other].load.block_takes[0];
            }
            REQUIRE(taken <= sms + 1e-6);
        }
    }
}

TEST_CASE("many unlike kernels leave few places unused") {
    std::vector<PutKernel> puts;
    std::mt19937 random(3);
    for (int i = 0; i < 2000; ++i)
        puts.push_back(
            {0, static_cast<double>(100 + random() % 1000), kernel(static_cast<double>(1 + random() % 10), 8)});
    double last = 0;
    for (const Span& span : run(puts)) last = std::max(last, span.end);
    // 600 ns and 5.5 of 80 places each, in the mean.
    CHECK(last > 2000 * 600 * 5.5 / 80);
    CHECK(last < 2000 * 600 * 5.5 / 40);
}

TEST_CASE("a kernel whose blocks find places one by one has few parts") {
    std::vector<PutKernel> puts;
    for (int i = 0; i < 80; ++i) puts.push_back({0, 100 + 7.0 * i, kernel(1, 8)});
    puts.push_back({0, 50, kernel(80, 8)});
    const Spans spans = run(puts);
    CHECK(spans.back().begin == 100);
    CHECK(spans.back().end > 100 + 7 * 31 + 50);
    CHECK(spans.back().end < 100 + 7 * 79 + 50);
}
