// A captured run that is exported as Accel-Sim reads it and imported again has the same counts: all metrics that need
// no time and, for each instruction, executions, threads, shared wavefronts and global sectors. What may differ is the
// list in docs/traces.md. The captured runs of validate/records/h200/traces: multiplication, search, merge, sort.
#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "devices.hpp"
#include "isa/sass/fields.hpp"
#include "sim/device/capturing_device.hpp"
#include "sim/device/replay.hpp"
#include "sim/execute/special_registers.hpp"
#include "sim/formats/accel_sim/folders.hpp"
#include "sim/formats/trace_file/file_trace_source.hpp"
#include "sim/formats/trace_file/new_trace_folder.hpp"
#include "sim/platform/platform_reader.hpp"
#include "tests/sanitized.hpp"
#include "tests/sass_text.hpp"

using namespace sassafras;
using namespace sassafras::sim;

namespace {

class Scratch {
  public:
    Scratch() {
        std::string name = (std::filesystem::temp_directory_path() / "sassafras-accel-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) FAIL("no temporary folder");
        path = name;
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    ~Scratch() { std::filesystem::remove_all(path); }
    std::string path;
};

Platform scoreboard_h200() {
    const auto found = load_platform("h200");
    if (!found) FAIL(found.error().message());
    Platform platform = found->platform;
    platform.sm.dependence_tracking = DependenceTracking::scoreboard;
    return platform;
}

std::vector<KernelResult> replayed(const TraceFolder& folder, bool with_timing) {
    Replay replay(scoreboard_h200(), {}, with_timing);
    std::vector<KernelResult> results;
    for (const TracedLaunch& launch : folder.launches) {
        auto result = replay.run(folder.path_of(launch), launch);
        if (!result) FAIL(result.error().message());
        results.push_back(std::move(*result));
    }
    return results;
}

struct GuardedAccesses {
    std::uint64_t partly = 0;  ///< executed by some of the lanes that came to it
    std::uint64_t off = 0;     ///< by none
};

/// Counted from the records, apart from the devices.
GuardedAccesses guarded_accesses(const TraceFolder& folder, const TracedLaunch& launch) {
    auto reader = TraceFileReader::open(folder.path_of(launch));
    if (!reader) FAIL(reader.error().message());
    FileTraceSource source(std::move(*reader));
    const PayloadSites sites(source.program());
    GuardedAccesses found;
    AccessRecord access;
    for (std::uint64_t block = 0; block < source.shape().grid.volume(); ++block) {
        const auto started = source.start(block);
        REQUIRE(started);
        REQUIRE(source.advance(**started, ~std::uint64_t{0}));
        for (WarpTrace& warp : (**started).warps) {
            while (warp.has_segment()) {
                const Segment segment = warp.pop_segment();
                for (std::uint32_t site = sites.begin(segment); site < sites.end(segment); ++site) {
                    if (!sites[site].is_access) {
                        (void)warp.pop_value();
                        continue;
                    }
                    warp.pop_access(access);
                    if (access.mask == 0)
                        ++found.off;
                    else if (access.mask != segment.mask)
                        ++found.partly;
                }
            }
        }
        source.finish(**started);
    }
    return found;
}

TraceFolder stored(const std::string& workload) {
    auto folder = read_trace_folder(std::string(SASSAFRAS_SOURCE_DIR) + "/validate/records/h200/traces/" + workload);
    if (!folder) FAIL(folder.error().message());
    return *folder;
}

TraceFolder there_and_back(const TraceFolder& original, const std::string& scratch) {
    if (const auto done = accel_sim::export_folder(original, scratch + "/text"); !done) FAIL(done.error().message());
    auto back = accel_sim::import_folder(scratch + "/text/kernelslist.g", scratch + "/back");
    if (!back) FAIL(back.error().message());
    return *back;
}

/// S2R of an index, a lane's number or mask; the text does not say which register S2R reads.
bool reads_of_lane(const SourceRow& row) {
    return row.instruction.opcode == isa::Opcode::S2R && special_register::is_of_lane(static_cast<std::uint32_t>(
                                                             row.instruction.word.get(isa::fields::special_register)));
}

/// Every count that needs no time. Shared-memory stores of LDGSTS are what the text has no place for.
void check_same_counts(const KernelResult& before, const KernelResult& after) {
    CHECK(after.name == before.name);
    CHECK(after.grid == before.grid);
    CHECK(after.block == before.block);
    CHECK(after.registers_per_thread == before.registers_per_thread);
    CHECK(after.static_shared.count + after.dynamic_shared.count ==
          before.static_shared.count + before.dynamic_shared.count);
    std::map<std::uint64_t, SourceRow> rows;
    for (const SourceRow& row : after.source) rows[row.pc] = row;
    std::uint64_t executed = 0;
    double copied_in = 0;  ///< wavefronts of the copies' stores
    double copied_in_ideal = 0;
    double of_lanes = 0;  ///< S2R of what lanes have of their own
    for (const SourceRow& expected : before.source) {
        CAPTURE(expected.pc, sassafras::source_rows::sass(expected));
        const SourceRow row = rows[expected.pc];
        rows.erase(expected.pc);
        executed += expected.inst_executed;
        const bool is_copy = expected.inst_executed != 0 && expected.instruction.opcode == isa::Opcode::LDGSTS;
        if (reads_of_lane(expected)) of_lanes += static_cast<double>(expected.inst_executed);
        if (is_copy) copied_in += static_cast<double>(expected.shared_wavefronts);
        if (is_copy) copied_in_ideal += static_cast<double>(expected.shared_wavefronts_ideal);
        CHECK(row.inst_executed == expected.inst_executed);
        CHECK(row.thread_inst_executed == expected.thread_inst_executed);
        CHECK(row.shared_wavefronts == (is_copy ? 0 : expected.shared_wavefronts));
        CHECK(row.shared_wavefronts_ideal == (is_copy ? 0 : expected.shared_wavefronts_ideal));
        CHECK(row.global_sectors == expected.global_sectors);
        if (is_copy) CHECK(expected.shared_wavefronts > 0);
    }
    CHECK(executed > 0);
    CHECK(of_lanes > 0);
    for (const auto& [pc, row] : rows) CHECK(row.inst_executed == 0);  // behind the kernel's end
    REQUIRE(after.metrics.all().size() == before.metrics.all().size());
    for (const auto& [metric, value] : before.metrics.all()) {
        CAPTURE(std::string(name_of(metric)));
        const double without = metric == "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"_metric ? copied_in + of_lanes
                               : metric == "memory_l1_wavefronts_shared"_metric                  ? copied_in
                               : metric == "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"_metric
                                   ? copied_in - copied_in_ideal
                                   : 0;
        CHECK(after.metric(metric, -1) == value - without);
    }
}

}  // namespace

TEST_CASE("an exported trace imports back to the same counts") {
    std::size_t index = 0;
    for (const std::string workload : {"sort", "gemm", "merge", "search"}) {
        if (!sassafras::test::is_tried(index++, 2)) continue;
        CAPTURE(workload);
        const Scratch scratch;
        const TraceFolder original = stored(workload);
        const TraceFolder back = there_and_back(original, scratch.path);
        REQUIRE(back.launches.size() == original.launches.size());
        CHECK(back.is_imported());
        CHECK(!back.verified);
        const auto before = replayed(original, false);
        const auto after = replayed(back, false);
        GuardedAccesses guarded;
        for (std::size_t launch = 0; launch < before.size(); ++launch) {
            CAPTURE(launch);
            check_same_counts(before[launch], after[launch]);
            CHECK(back.launches[launch].warp_instructions == original.launches[launch].warp_instructions);
            const auto of_the_original = guarded_accesses(original, original.launches[launch]);
            const auto of_the_imported = guarded_accesses(back, back.launches[launch]);
            CHECK(of_the_imported.partly == of_the_original.partly);
            CHECK(of_the_imported.off == of_the_original.off);
            guarded.partly += of_the_original.partly;
            guarded.off += of_the_original.off;
        }
        if (workload == "sort") CHECK(guarded.off > 0);
    }
}

TEST_CASE("copies to shared memory and generic accesses come back with all counts but the copies' stores") {
    constexpr std::uint32_t threads = 64;
    const Scratch scratch;
    TraceFolder original;
    original.path = scratch.path + "/captured";
    auto place = NewTraceFolder::make(original.path);
    REQUIRE(place);
    place->keep();
    const auto device = make_capturing_device(scoreboard_h200(), {}, original.path, original.launches);
    const auto module = device->load_module(sim::test::fixture("../conflicts_copies.cubin"), "conflicts_copies.cubin");
    if (!module) FAIL(module.error().message());
    const auto memory = device->allocate(Bytes{threads * 32});
    REQUIRE(memory);
    for (const char* kernel : {"copied", "copied_wide", "generic"}) {
        Launch launch;
        launch.module = *module;
        launch.kernel = kernel;
        launch.grid = {2, 1, 1};
        launch.block = {threads, 1, 1};
        launch.arguments.add(memory->value);
        if (std::string(kernel) == "generic")
            launch.arguments.add(2U).add(20U);  // words apart; lanes in shared memory, the others in global
        else
            launch.arguments.add(memory->value).add(2U);
        if (const auto done = device->launch(launch); !done) FAIL(done.error().message());
    }
    if (const auto done = device->synchronize(); !done) FAIL(done.error().message());
    REQUIRE(write_trace_folder(original));
    const TraceFolder back = there_and_back(original, scratch.path);
    const auto before = replayed(original, false);
    const auto after = replayed(back, false);
    REQUIRE(after.size() == 3);
    for (std::size_t launch = 0; launch < before.size(); ++launch) {
        CAPTURE(before[launch].name);
        check_same_counts(before[launch], after[launch]);
    }
    const auto lacks_copies = [](const std::string& sentence) { return sentence.starts_with("LDGSTS:"); };
    CHECK(std::any_of(back.cannot_tell.begin(), back.cannot_tell.end(), lacks_copies));
}

TEST_CASE("an imported trace is timed about as the capture is under the same tracking of registers") {
    // What differs: nothing waits for predicates and uniform registers, and constants never miss. Both make the
    // imported one faster, and neither is half of a kernel's time.
    const Scratch scratch;
    const TraceFolder original = stored("merge");
    const TraceFolder back = there_and_back(original, scratch.path);
    const double before = replayed(original, true)[0].metric("sm__cycles_elapsed.max"_metric);
    const double after = replayed(back, true)[0].metric("sm__cycles_elapsed.max"_metric);
    CHECK(after <= before);
    CHECK(after > before / 2);
}
