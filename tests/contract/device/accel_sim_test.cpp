// A captured run that is exported as Accel-Sim reads it and imported again has the same counts: for each instruction,
// executions, threads, shared wavefronts and global sectors. The captured runs of validate/traces: multiplication,
// search, merge, sort.
#include <catch2/catch.hpp>

#include <bit>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "sim/device/replay.hpp"
#include "sim/platform/platform_reader.hpp"
#include "sim/trace/accel_sim/folders.hpp"
#include "sim/trace/file/file_trace_source.hpp"

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
        auto result = replay.run(folder, launch);
        if (!result) FAIL(result.error().message());
        results.push_back(std::move(*result));
    }
    return results;
}

/// By instruction: lanes whose guard let them access memory. Counted from the records, apart from the devices.
std::map<std::uint64_t, std::uint64_t> accessing_lanes(const TraceFolder& folder, const TracedLaunch& launch) {
    auto reader = TraceFileReader::open(folder.path_of(launch));
    if (!reader) FAIL(reader.error().message());
    FileTraceSource source(std::move(*reader));
    const PayloadSites sites(source.program());
    std::map<std::uint64_t, std::uint64_t> lanes;
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
                    lanes[std::uint64_t{sites[site].instruction} * isa::instruction_bytes] +=
                        static_cast<std::uint64_t>(std::popcount(access.mask));
                }
            }
        }
        source.finish(**started);
    }
    return lanes;
}

TraceFolder stored(const std::string& workload) {
    auto folder = read_trace_folder(std::string(SASSAFRAS_SOURCE_DIR) + "/validate/traces/" + workload);
    if (!folder) FAIL(folder.error().message());
    return *folder;
}

TraceFolder there_and_back(const TraceFolder& original, const std::string& scratch) {
    if (const auto done = accel_sim::export_folder(original, scratch + "/text"); !done) FAIL(done.error().message());
    auto back = accel_sim::import_folder(scratch + "/text/kernelslist.g", scratch + "/back");
    if (!back) FAIL(back.error().message());
    return *back;
}

}  // namespace

TEST_CASE("an exported trace imports back to the same counts") {
    const std::string workload = GENERATE("gemm", "search", "merge", "sort");
    CAPTURE(workload);
    const Scratch scratch;
    const TraceFolder original = stored(workload);
    const TraceFolder back = there_and_back(original, scratch.path);
    REQUIRE(back.launches.size() == original.launches.size());
    CHECK(back.is_imported());
    CHECK(!back.verified);
    const auto before = replayed(original, false);
    const auto after = replayed(back, false);
    for (std::size_t launch = 0; launch < before.size(); ++launch) {
        CAPTURE(launch);
        CHECK(after[launch].name == before[launch].name);
        CHECK(after[launch].grid == before[launch].grid);
        CHECK(after[launch].registers_per_thread == before[launch].registers_per_thread);
        CHECK(back.launches[launch].warp_instructions == original.launches[launch].warp_instructions);
        const auto accessing = accessing_lanes(original, original.launches[launch]);
        std::map<std::uint64_t, SourceRow> rows;
        for (const SourceRow& row : after[launch].source) rows[row.pc] = row;
        std::uint64_t executed = 0;
        for (const SourceRow& expected : before[launch].source) {
            CAPTURE(expected.pc, expected.sass);
            const SourceRow& row = rows[expected.pc];
            executed += expected.inst_executed;
            CHECK(row.inst_executed == expected.inst_executed);
            CHECK(row.shared_wavefronts == expected.shared_wavefronts);
            CHECK(row.shared_wavefronts_ideal == expected.shared_wavefronts_ideal);
            CHECK(row.global_sectors == expected.global_sectors);
            // Accel-Sim's mask of an access is the one after the guard.
            const auto access = accessing.find(expected.pc);
            CHECK(row.thread_inst_executed ==
                  (access == accessing.end() ? expected.thread_inst_executed : access->second));
        }
        CHECK(executed > 0);
        for (const char* metric :
             {"smsp__inst_executed.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
              "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"}) {
            CAPTURE(metric);
            CHECK(after[launch].metric(metric, -1) == before[launch].metric(metric, -2));
        }
    }
}

TEST_CASE("an imported trace is timed about as the capture is under the same tracking of registers") {
    // What differs: nothing waits for predicates and uniform registers, and constants never miss. Both make the
    // imported one faster, and neither is half of a kernel's time.
    const Scratch scratch;
    const TraceFolder original = stored("merge");
    const TraceFolder back = there_and_back(original, scratch.path);
    const double before = replayed(original, true)[0].metric("sm__cycles_elapsed.max");
    const double after = replayed(back, true)[0].metric("sm__cycles_elapsed.max");
    CHECK(after <= before);
    CHECK(after > before / 2);
}
