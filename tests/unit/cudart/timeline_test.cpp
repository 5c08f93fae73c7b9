// Simulated time of streams: what waits for what, and how long copies take.
#include <catch2/catch.hpp>

#include "cudart/timeline.hpp"

using namespace sassafras;
using namespace sassafras::cudart;

namespace {

struct Streams {
    Timeline time;
    Stream a;
    Stream b;
    double kernel(Stream& stream, double length) { return time.run(stream, 0, {Engine::kernels, length}); }
    double to_device(Stream& stream, double length) {
        return time.run(stream, 0, {Engine::to_device, length});
    }
    double to_host(Stream& stream, double length) { return time.run(stream, 0, {Engine::to_host, length}); }
    double event(Stream& stream) { return time.run(stream, 0, {Engine::commands, 1}); }
};

}  // namespace

TEST_CASE("work on one engine goes one behind the other, whatever its stream") {
    Streams s;
    CHECK(s.kernel(s.a, 1000) == 1000);
    CHECK(s.kernel(s.b, 500) == 1500);
    CHECK(s.to_device(s.a, 200) == 1200);
    CHECK(s.time.end() == 1500);
}

TEST_CASE("engines work beside each other") {
    Streams s;
    CHECK(s.kernel(s.a, 1000) == 1000);
    CHECK(s.to_device(s.b, 300) == 300);
    CHECK(s.to_host(s.b, 300) == 600);  // a stream does one thing at a time
}

TEST_CASE("an event waits for its own stream alone") {
    Streams s;
    CHECK(s.kernel(s.a, 1000) == 1000);
    CHECK(s.event(s.b) == 1);
    CHECK(s.kernel(s.b, 5) == 1005);
}

TEST_CASE("nothing begins before the host has asked for it") {
    Streams s;
    CHECK(s.kernel(s.a, 1000) == 1000);
    s.time.host_waits(1000);
    CHECK(s.to_device(s.b, 10) == 1010);
    s.time.host_waits(500);  // time does not go back
    CHECK(s.event(s.b) == 1011);
    Stream fresh;
    CHECK(s.event(fresh) == 1001);
}

TEST_CASE("work of a stream that waits for another begins when that has ended") {
    Streams s;
    const double end = s.to_device(s.a, 900);
    CHECK(s.time.run(s.b, end, {Engine::kernels, 10}) == end + 10);
}

TEST_CASE("how long copies and sets take") {
    sim::Platform platform;
    platform.copies = {};
    platform.copies.link_gb_per_s = 50;
    platform.copies.pageable_gb_per_s = 10;
    platform.copies.to_device_ns = 2000;
    platform.copies.to_host_ns = 1000;
    platform.copies.pageable_to_device_ns = 700;
    platform.copies.pageable_to_host_ns = 6000;
    platform.copies.within_device_ns = 1500;
    platform.copies.inline_bytes = 1000;
    platform.copies.inline_to_device_ns = 1900;
    platform.copies.inline_set_ns = 600;
    platform.dram.bandwidth_gb_per_s = 4000;
    platform.dram.efficiency = 0.5;
    struct Row {
        Way way;
        std::uint64_t bytes;
        Engine engine;
        double nanoseconds;
    };
    const Row rows[] = {
        {Way::pinned_to_device, 1000, Engine::commands, 1920},     {Way::pinned_to_device, 1050, Engine::to_device, 2021},
        {Way::pinned_to_device, 5000000, Engine::to_device, 102000}, {Way::device_to_pinned, 50, Engine::to_host, 1001},
        {Way::device_to_pinned, 5000000, Engine::to_host, 101000},   {Way::pageable_to_device, 1000, Engine::commands, 800},
        {Way::device_to_pageable, 10000, Engine::to_host, 7000},     {Way::within_host, 10000, Engine::commands, 7000},
        {Way::within_device, 2000000, Engine::kernels, 3500},        {Way::set, 1000, Engine::commands, 600},
        {Way::set, 2000000, Engine::kernels, 2500},                  {Way::within_device, 0, Engine::commands, 0},
    };
    for (const Row& row : rows) {
        CAPTURE(static_cast<int>(row.way), row.bytes);
        const Work work = work_of(row.way, row.bytes, platform);
        CHECK(work.engine == row.engine);
        CHECK(work.nanoseconds == Approx(row.nanoseconds));
    }
}

TEST_CASE("which copies keep the host waiting") {
    CHECK(host_waits_for(Way::device_to_pageable, 4));
    CHECK(host_waits_for(Way::within_host, 4));
    CHECK_FALSE(host_waits_for(Way::pageable_to_device, 65536));
    CHECK(host_waits_for(Way::pageable_to_device, 65537));
    CHECK_FALSE(host_waits_for(Way::pinned_to_device, 1U << 30U));
    CHECK_FALSE(host_waits_for(Way::device_to_pinned, 1U << 30U));
    CHECK_FALSE(host_waits_for(Way::set, 1U << 30U));
}
