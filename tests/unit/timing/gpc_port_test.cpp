// What the SMs of a GPC read together is bound by its port, as far as a round sees of those before.
#include <catch2/catch.hpp>

#include <vector>

#include "sim/timing/memory/memory_system.hpp"
#include "tests/fixture_platform.hpp"

using namespace sassafras::sim;

namespace {

constexpr std::uint64_t now = 100'000;

/// A port of 8 bytes a cycle before slices that hold nobody up.
Platform narrow_port() {
    Platform platform = test::fixture_platform();
    platform.gpu.sm_count = 132;
    platform.gpu.gpc_sms = 16;
    platform.l2.partitions = 1;
    platform.l2.slices = 1;
    platform.l2.slice_spread_cycles = 0;
    platform.l2.far_latency_cycles = 0;
    platform.l2.slice_bytes_per_cycle = 4096;
    platform.l2.slice_request_cycles = 0;
    platform.l2.coalescing_cycles = 0;
    platform.l2.gpc_bytes_per_cycle = 8;
    platform.dram.refresh_interval_cycles = 0;
    return platform;
}

/// SMs that ask for warm lines.
class Readers {
  public:
    explicit Readers(const Platform& platform) : memory_(platform), responses_(platform.gpu.sm_count) {
        memory_.begin_launch(true);
        read(1000, {0}, 64);
    }
    /// A round, in which each of them asks for the first `lines` at `time`. What the last answer of the first takes.
    std::uint64_t read(std::uint64_t time, const std::vector<std::uint16_t>& sms, std::uint64_t lines) {
        for (auto& list : responses_) list.clear();
        std::vector<MemoryRequest> requests;
        for (std::uint64_t line = 0; line < lines; ++line)
            for (const std::uint16_t sm : sms)
                requests.push_back({.time = time, .line = line, .sectors = 0b1111, .sm = sm});
        memory_.process(requests, responses_);
        return responses_[sms.front()].back().time - time;
    }

  private:
    MemorySystem memory_;
    std::vector<std::vector<MemoryResponse>> responses_;
};

std::uint64_t hit_of(const Platform& platform) {
    return platform.l2.hit_latency_cycles - platform.lsu.l1_hit_latency_cycles;
}

}  // namespace

TEST_CASE("what a GPC has asked for in a round holds up what it reads in the next") {
    const Platform platform = narrow_port();
    Readers readers(platform);
    // 64 lines of two SMs are 16 KiB, 2,048 cycles of the port: 200 cycles later 1,848 are left.
    CHECK(readers.read(now, {3, 4}, 64) <= hit_of(platform) + 4);
    CHECK(readers.read(now + 200, {5}, 1) == hit_of(platform) + 1848);
    // Another GPC's is free, and this one when all has passed, but for the line just read.
    CHECK(readers.read(now + 300, {60}, 1) == hit_of(platform));
    CHECK(readers.read(now + 2048 + 16, {5}, 1) == hit_of(platform));
}

TEST_CASE("a port that passes what its GPC asks for holds up nobody") {
    const Platform platform = narrow_port();
    Readers readers(platform);
    for (std::uint64_t round = 0; round < 50; ++round)  // 12 lines, 192 cycles of the port
        CHECK(readers.read(now + round * 200, {3}, 12) <= hit_of(platform) + 1);
}

TEST_CASE("reads that become one pass the port once") {
    Platform platform = narrow_port();
    platform.l2.coalescing_cycles = 64;
    platform.l2.coalesced_requests = 4;
    Readers readers(platform);
    (void)readers.read(now, {1, 2, 3, 4}, 64);
    CHECK(readers.read(now + 200, {5}, 1) == hit_of(platform) + 1024 - 200);
}

TEST_CASE("no port, no bound") {
    Platform platform = narrow_port();
    platform.l2.gpc_bytes_per_cycle = 0;
    Readers readers(platform);
    (void)readers.read(now, {3, 4}, 64);
    CHECK(readers.read(now + 200, {5}, 1) == hit_of(platform));
}
