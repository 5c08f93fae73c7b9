// A memory system that is asked one request at a time.
#pragma once

#include <catch2/catch.hpp>

#include <bit>
#include <cstdint>
#include <vector>

#include "sim/timing/memory/memory_system.hpp"
#include "tests/fixture_platform.hpp"

namespace sassafras::sim::test {

inline Platform even_platform() {
    Platform platform = test::fixture_platform();
    platform.l2.partitions = 1;
    platform.l2.far_latency_cycles = 0;
    platform.l2.slice_spread_cycles = 0;
    platform.dram.refresh_interval_cycles = 0;
    return platform;
}

inline constexpr std::uint16_t across = 20;  // of another GPC than SM 0, and so of the other partition

class Memory {
  public:
    explicit Memory(const Platform& platform) : system(platform), responses(platform.gpu.sm_count) {
        system.begin_launch(true);
    }
    /// Cycles from each load's request to its response; all requests at once.
    std::uint64_t load(std::uint64_t time, std::uint64_t line, std::uint32_t sectors = 0b1111, std::uint16_t sm = 0,
                       RequestKind kind = RequestKind::load) {
        for (auto& list : responses) list.clear();
        system.process({{.time = time,
                         .line = line,
                         .sectors = sectors,
                         .token = 77,
                         .sm = sm,
                         .kind = kind,
                         .updates = {.partial_sectors = static_cast<std::uint8_t>(std::popcount(sectors))}}},
                       responses);
        REQUIRE(responses[sm].size() == 1);
        CHECK(responses[sm][0].token == 77);
        return responses[sm][0].time - time;
    }
    std::uint64_t store(std::uint64_t time, std::uint64_t line, std::uint32_t sectors, std::uint16_t sm = 0,
                        bool partial = false, std::uint16_t written = 4) {
        for (auto& list : responses) list.clear();
        system.process({{.time = time,
                         .line = line,
                         .sectors = sectors,
                         .sm = sm,
                         .credit = 9,
                         .written = written,
                         .kind = RequestKind::store,
                         .partial = partial,
                         .masked = partial}},
                       responses);
        for (const auto& list : responses) CHECK(list.empty());
        REQUIRE(system.stores_done(sm).size() == 1);
        CHECK(system.stores_done(sm)[0].credit == 9);
        return system.stores_done(sm)[0].time;
    }

    MemorySystem system;
    std::vector<std::vector<MemoryResponse>> responses;
};

}  // namespace sassafras::sim::test
