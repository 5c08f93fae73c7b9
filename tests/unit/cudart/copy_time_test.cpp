// How long copies and sets take, and what the host does meanwhile.
#include <catch2/catch.hpp>

#include "cudart/copy_time.hpp"
#include "tests/fixture_platform.hpp"

using namespace sassafras;
using namespace sassafras::cudart;

TEST_CASE("how long copies and sets take") {
    sim::Platform platform = sim::test::fixture_platform();
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
    platform.dram.copy_write_efficiency = 0.25;
    struct Row {
        Way way;
        std::uint64_t bytes;
        Engine engine;
        double nanoseconds;
    };
    const Row rows[] = {
        {Way::pinned_to_device, 1000, Engine::commands, 1920},
        {Way::pinned_to_device, 1050, Engine::to_device, 2021},
        {Way::pinned_to_device, 5000000, Engine::to_device, 102000},
        {Way::device_to_pinned, 50, Engine::to_host, 1001},
        {Way::device_to_pinned, 5000000, Engine::to_host, 101000},
        {Way::pageable_to_device, 1000, Engine::commands, 800},
        {Way::device_to_pageable, 10000, Engine::to_host, 7000},
        {Way::within_host, 10000, Engine::commands, 7000},
        {Way::within_device, 2000000, Engine::kernels, 1500 + 1000 + 2000},
        {Way::set, 1000, Engine::commands, 600},
        {Way::set, 2000000, Engine::kernels, 1500 + 1000},
        {Way::set_host, 5000, Engine::kernels, 1500 + 100},
        {Way::within_device, 0, Engine::commands, 0},
    };
    for (const Row& row : rows) {
        CAPTURE(static_cast<int>(row.way), row.bytes);
        const Work work = work_of(row.way, row.bytes, platform);
        CHECK(work.engine == row.engine);
        CHECK(work.nanoseconds == Approx(row.nanoseconds));
    }
}

TEST_CASE("what the host does while a copy goes on") {
    using enum HostMeanwhile;
    for (const bool blocking : {false, true}) {
        CAPTURE(blocking);
        CHECK(host_meanwhile(Way::device_to_pageable, 4, blocking) == waits);
        CHECK(host_meanwhile(Way::within_host, 4, blocking) == waits);
        CHECK(host_meanwhile(Way::set_host, 4, blocking) == (blocking ? waits : goes_on));
        CHECK(host_meanwhile(Way::pageable_to_device, (2U << 20U) + 1, blocking) == waits);
        CHECK(host_meanwhile(Way::pageable_to_device, 2U << 20U, blocking) == (blocking ? waits : copies));
        CHECK(host_meanwhile(Way::pinned_to_device, 1U << 30U, blocking) == (blocking ? waits : goes_on));
        CHECK(host_meanwhile(Way::device_to_pinned, 4, blocking) == (blocking ? waits : goes_on));
        CHECK(host_meanwhile(Way::within_device, 1U << 30U, blocking) == goes_on);
        CHECK(host_meanwhile(Way::set, 1U << 30U, blocking) == goes_on);
    }
}
