// An L2 that keeps all that it has had (what-if infinite-l2): only first accesses go to DRAM, and nothing goes back.
#include <catch2/catch.hpp>

#include <vector>

#include "sim/timing/memory/memory_system.hpp"
#include "tests/unit/timing/small_l2.hpp"

using namespace sassafras;
using namespace sassafras::sim;

namespace {

constexpr std::uint64_t lines = 4096;  // far more than fit
constexpr std::uint64_t line_bytes = test::small_l2_line_bytes;
constexpr std::uint16_t other_side = 20;  // an SM of the other partition

Platform uncoalesced_l2(std::uint32_t partitions) {
    Platform platform = test::small_l2(partitions);
    platform.l2.coalescing_cycles = 0;
    return platform;
}

class SweptMemory {
  public:
    SweptMemory(const Platform& platform, bool keeps_all) : system_(platform), responses_(platform.gpu.sm_count) {
        system_.begin_launch(true, keeps_all);
    }
    /// Cycles from requests to responses, added up.
    std::uint64_t sweep(RequestKind kind, std::uint16_t sm = 0) {
        std::vector<MemoryRequest> requests;
        std::uint64_t taken = 0;
        for (std::uint64_t line = 0; line < lines; ++line)
            requests.push_back({.time = time_ += 100, .line = line, .sectors = 0b1111, .sm = sm, .kind = kind});
        for (auto& list : responses_) list.clear();
        for (const MemoryRequest& request : requests) taken -= request.time;
        system_.process(requests, responses_);
        for (const MemoryResponse& response : responses_[sm]) taken += response.time;
        return taken;
    }
    [[nodiscard]] std::uint64_t read() const { return system_.counters()["dram__bytes_read.sum"_metric] / line_bytes; }
    [[nodiscard]] std::uint64_t written() const {
        return system_.counters()["dram__bytes_write.sum"_metric] / line_bytes;
    }
    [[nodiscard]] std::uint64_t hits() const {
        return system_.counters()["lts__t_sectors_op_read_lookup_hit.sum"_metric] / 4;
    }

  private:
    MemorySystem system_;
    std::vector<std::vector<MemoryResponse>> responses_;
    std::uint64_t time_ = 0;
};

}  // namespace

TEST_CASE("what an L2 that keeps all has read once it has") {
    SweptMemory finite(uncoalesced_l2(1), false);
    SweptMemory keeping(uncoalesced_l2(1), true);
    for (int round = 0; round < 3; ++round) {
        finite.sweep(RequestKind::load);
        keeping.sweep(RequestKind::load);
    }
    CHECK(finite.read() == 3 * lines);
    CHECK(finite.hits() == 0);
    CHECK(keeping.read() == lines);
    CHECK(keeping.hits() == 2 * lines);
}

TEST_CASE("what is written to an L2 that keeps all stays there") {
    SweptMemory finite(uncoalesced_l2(1), false);
    SweptMemory keeping(uncoalesced_l2(1), true);
    for (SweptMemory* memory : {&finite, &keeping}) {
        memory->sweep(RequestKind::store);
        memory->sweep(RequestKind::load);
    }
    CHECK(finite.written() >= lines - 64);
    CHECK(keeping.written() == 0);
    CHECK(keeping.read() == 0);
    CHECK(keeping.hits() == lines);
}

TEST_CASE("a write makes a kept copy of the other partition old") {
    const Platform platform = uncoalesced_l2(2);
    SweptMemory memory(platform, true);
    memory.sweep(RequestKind::load, other_side);
    const std::uint64_t again = memory.sweep(RequestKind::load, other_side);
    memory.sweep(RequestKind::store);
    const std::uint64_t fetched = memory.sweep(RequestKind::load, other_side);
    // Half of the lines, give or take, are the other partition's, which has them: nothing comes from DRAM.
    CHECK(fetched > again + lines / 3 * platform.l2.far_latency_cycles);
    CHECK(memory.read() == lines);
    CHECK(memory.sweep(RequestKind::load, other_side) <= again);
}
