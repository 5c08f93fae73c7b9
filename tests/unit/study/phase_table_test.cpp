// Phases of kernels for which nobody has named any: lines of their source, or instructions.
#include <catch2/catch.hpp>

#include "study/conflicts/conflict_summary.hpp"
#include "tests/geometry.hpp"

using namespace sassafras;
using namespace sassafras::study;

namespace {

/// One full request by each of these instructions.
sim::LaunchConflicts launch_of(const std::string& kernel, std::uint64_t code_hash,
                               std::initializer_list<std::pair<std::uint32_t, sim::SharedAccessKind>> instructions) {
    sim::LaunchConflicts launch;
    launch.kernel = kernel;
    launch.code_hash = code_hash;
    launch.shared = Bytes{4096};
    launch.geometry = sim::test::banks;
    launch.banks.resize(launch.geometry.banks);
    for (const auto& [number, kind] : instructions) {
        sim::ConflictCounts counts;
        counts.requests = 1;
        counts.wavefronts = 1;
        counts.shapes.add(sim::GroupShape(~0U, warp_size));
        sim::InstructionConflicts instruction;
        instruction.instruction = number;
        instruction.width = 4;
        instruction.kind = kind;
        instruction.by_round = {counts};
        launch.instructions.push_back(instruction);
    }
    return launch;
}

SourceLine line_at(const std::string& folder, const std::string& file, std::uint32_t line,
                   std::vector<isa::InlinedCall> inlined = {}) {
    SourceLine at;
    at.location = {file, line, std::move(inlined),
                   std::make_shared<const isa::SourceFile>(isa::SourceFile{folder + "/" + file, 0, 0})};
    return at;
}

std::vector<std::string> names_of(const ConflictSummary& summary) {
    std::vector<std::string> names;
    for (const PhaseConflicts& phase : summary.phases)
        names.push_back(phase.part + ": " + phase.phase + ", " + std::to_string(phase.figures.requests));
    return names;
}

using Names = std::vector<std::string>;
constexpr auto load = sim::SharedAccessKind::load;
constexpr auto store = sim::SharedAccessKind::store;

}  // namespace

TEST_CASE("without lines each instruction is a phase, by address") {
    const ConflictSummary summary = summarise(
        {launch_of("k", 1, {{1, store}, {0x100, load}, {0x20, load}}), launch_of("k", 1, {{1, store}})}, {}, {});
    CHECK(summary.phases_are_lines);
    CHECK(names_of(summary) == Names{"k: 0x10 stores, 2", "k: 0x200 loads, 1", "k: 0x1000 loads, 1"});
    REQUIRE(summary.kernels.size() == 1);
    CHECK(summary.kernels[0].launches == 2);
    CHECK(summary.kernels[0].figures.requests == 4);
}

TEST_CASE("instructions of one line and one kind are a phase, as the source stands") {
    LinesByKernel lines;
    KernelLines of_k{1, {}};
    of_k.at[0x00] = line_at("/a", "k.cu", 9);
    of_k.at[0x20] = line_at("/a", "k.cu", 3);
    of_k.at[0x30] = line_at("/a", "h.cuh", 5, {{"f", "k.cu", 9}});
    of_k.at[0x40] = line_at("/a", "h.cuh", 5, {{"f", "k.cu", 7}});
    of_k.at[0x50] = {};  // from here on nothing is known
    lines.emplace("k", of_k);
    const ConflictSummary summary =
        summarise({launch_of("k", 1, {{0, load}, {1, load}, {2, load}, {3, load}, {4, load}, {5, load}, {6, store}}),
                   launch_of("other", 0, {{0, load}}), launch_of("k", 1, {{1, load}})},
                  {}, lines);
    CHECK(names_of(summary) == Names{"k: h.cuh:5 < k.cu:9 loads, 1", "k: h.cuh:5 < k.cu:7 loads, 1",
                                     "k: k.cu:3 loads, 1", "k: k.cu:9 loads, 3", "k: 0x50 loads, 1",
                                     "k: 0x60 stores, 1", "other: 0x0 loads, 1"});
    CHECK(summary.phases[3].line->location.line == 9);
    CHECK_FALSE(summary.phases[4].line.has_value());
    const ConflictSummary mixed = summarise({launch_of("k", 1, {{0, load}, {1, store}})}, {}, lines);
    CHECK(names_of(mixed) == Names{"k: k.cu:9 loads, 1", "k: k.cu:9 stores, 1"});
}

TEST_CASE("kernels of one name are told apart by their code, and files of one name by their folder") {
    LinesByKernel lines;
    KernelLines first{1, {}};
    first.at[0] = line_at("/a", "k.cu", 1);
    KernelLines second{2, {}};
    second.at[0] = line_at("/b", "k.cu", 1);
    lines.emplace("k", first);
    lines.emplace("k", second);
    const std::vector<sim::LaunchConflicts> launches{launch_of("k", 1, {{0, load}}), launch_of("k", 2, {{0, load}}),
                                                     launch_of("k", 2, {{0, load}})};
    const ConflictSummary summary = summarise(launches, {}, lines);
    CHECK(names_of(summary) == Names{"k: k.cu:1 loads, 1", "k: k.cu:1 loads, 2"});
    REQUIRE(summary.instructions.size() == 2);
    CHECK(summary.instructions[0].line->location.source->path == "/a/k.cu");
    CHECK(summary.instructions[1].line->location.source->path == "/b/k.cu");
    CHECK(names_of(summarise(launches, {}, {})) == Names{"k: 0x0 loads, 1", "k: 0x0 loads, 2"});
    REQUIRE(summary.kernels.size() == 1);
    CHECK(summary.kernels[0].launches == 3);
}
