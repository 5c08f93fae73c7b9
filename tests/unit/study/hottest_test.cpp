// Which instructions cost most of what bounds a kernel.
#include <catch2/catch.hpp>

#include "study/diagnose/hottest.hpp"

using namespace sassafras;
using namespace sassafras::study;

namespace {

sim::SourceRow row(std::uint64_t pc, isa::Pipe pipe = isa::Pipe::lsu) {
    sim::SourceRow row;
    row.pc = pc;
    row.instruction.pipe = pipe;
    row.inst_executed = 100;
    return row;
}

Verdict bound_by(Bound bound, std::string unit = {}) { return {bound, std::move(unit), 90, {}}; }

std::vector<std::uint64_t> pcs(const Hottest& hottest) {
    std::vector<std::uint64_t> pcs;
    for (const HotInstruction& instruction : hottest.instructions) pcs.push_back(instruction.pc);
    return pcs;
}

}  // namespace

TEST_CASE("Of memory, sectors are counted, and those that the bytes need") {
    std::vector<sim::SourceRow> rows{row(0), row(16), row(32), row(48)};
    rows[0].global_sectors = 400;
    rows[0].global_bytes = 100 * 128;
    rows[1].global_sectors = 3200;  // scattered words
    rows[1].global_bytes = 100 * 128;
    rows[2].local_sectors = 400;
    const Hottest hottest = hottest_instructions(bound_by(Bound::memory), rows);
    REQUIRE(pcs(hottest) == std::vector<std::uint64_t>{16, 0, 32});
    CHECK(hottest.instructions[0].percent == Approx(80));
    CHECK(hottest.instructions[0].least == 400.0);
    CHECK(hottest.instructions[1].least == 400.0);
    CHECK(hottest.instructions[2].least == 0.0);
}

TEST_CASE("Of a pipe, its own instructions count; of all of them, all") {
    std::vector<sim::SourceRow> rows{row(0, isa::Pipe::fp64), row(16, isa::Pipe::fma), row(32, isa::Pipe::fp64)};
    rows[2].inst_executed = 300;
    CHECK(pcs(hottest_instructions(bound_by(Bound::instructions, "FP64 pipe"), rows)) ==
          std::vector<std::uint64_t>{32, 0});
    CHECK(pcs(hottest_instructions(bound_by(Bound::instructions, "instruction issue"), rows)).size() == 3);
}

TEST_CASE("Of latency, warps' cycles count that they do not issue in, with the reason that has most") {
    std::vector<sim::SourceRow> rows{row(0), row(16)};
    rows[0].stalls[sim::index_of(sim::Stall::selected)] = 1000;
    rows[0].stalls[sim::index_of(sim::Stall::wait)] = 10;
    rows[1].stalls[sim::index_of(sim::Stall::barrier)] = 60;
    rows[1].stalls[sim::index_of(sim::Stall::wait)] = 30;
    const Hottest hottest = hottest_instructions(bound_by(Bound::latency), rows);
    REQUIRE(pcs(hottest) == std::vector<std::uint64_t>{16, 0});
    CHECK(hottest.instructions[0].reason == "barrier");
    CHECK(hottest.instructions[0].percent == Approx(90));
}

TEST_CASE("Launches of a kernel are added up; nothing is said of nothing") {
    std::vector<sim::SourceRow> sum;
    std::vector<sim::SourceRow> rows{row(0), row(16)};
    rows[1].shared_wavefronts = 32;
    rows[1].shared_wavefronts_ideal = 1;
    add_rows(sum, rows);
    add_rows(sum, rows);
    const Hottest hottest = hottest_instructions(bound_by(Bound::shared_memory), sum);
    REQUIRE(hottest.instructions.size() == 1);
    CHECK(hottest.instructions[0].cost == 64);
    CHECK(hottest.instructions[0].least == 2.0);
    CHECK(hottest_instructions(bound_by(Bound::unknown), sum).cost.empty());
    CHECK(hottest_instructions(bound_by(Bound::shared_memory), {}).cost.empty());
}
