// A captured run replays to the very metrics, counts and stall reasons of a live one, on any platform, with any number
// of threads.
#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "sim/device/capturing_device.hpp"
#include "sim/device/modelled_devices.hpp"
#include "sim/device/replay.hpp"
#include "sim/formats/trace_file/trace_folder.hpp"
#include "sim/platform/platform_reader.hpp"
#include "tests/sanitized.hpp"
#include "tests/sass_text.hpp"
#include "workloads/micro/micro.hpp"
#include "workloads/workload.hpp"

using namespace sassafras;
using namespace sassafras::sim;

namespace {

class ScratchFolder {
  public:
    ScratchFolder() {
        std::string name = (std::filesystem::temp_directory_path() / "sassafras-replay-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) FAIL("no temporary folder");
        path_ = name;
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    ~ScratchFolder() { std::filesystem::remove_all(path_); }
    [[nodiscard]] const std::string& path() const { return path_; }

  private:
    std::string path_;
};

/// An H200 with what `changes` says, members of the platform's JSON object, or a platform by name.
Platform platform(const std::string& text) {
    const auto found = text.starts_with('"')
                           ? parse_platform(R"({"name": "changed", "base": "h200", )" + text + "}", "changed.json")
                           : load_platform(text);
    if (!found) FAIL(found.error().message());
    return (*found).platform;
}

workloads::WorkloadRequest request_for(const std::string& name, std::uint64_t n) {
    workloads::WorkloadRequest request;
    request.name = name;
    request.n = n;
    return request;
}

TraceFolder capture(const workloads::WorkloadRequest& request, const std::string& path) {
    TraceFolder folder;
    folder.path = path;
    const auto device = make_capturing_device(platform("h200"), {}, path, folder.launches);
    const auto run = workloads::run_workload(*device, request);
    if (!run) FAIL(run.error().message());
    REQUIRE((*run).verified);
    return folder;
}

std::vector<KernelResult> replay_all(const TraceFolder& folder, const Platform& on, const ModelOptions& options,
                                     bool with_timing) {
    Replay replay(on, options, with_timing);
    std::vector<KernelResult> results;
    for (const TracedLaunch& launch : folder.launches) {
        auto result = replay.run(folder.path_of(launch), launch);
        if (!result) FAIL(result.error().message());
        results.push_back(std::move(*result));
    }
    return results;
}

void check_equal(const std::vector<KernelResult>& live, const std::vector<KernelResult>& replayed) {
    REQUIRE(live.size() == replayed.size());
    for (std::size_t launch = 0; launch < live.size(); ++launch) {
        const KernelResult& a = live[launch];
        const KernelResult& b = replayed[launch];
        CAPTURE(launch, a.name);
        REQUIRE(a.name == b.name);
        REQUIRE(a.grid == b.grid);
        REQUIRE(a.block == b.block);
        REQUIRE(a.registers_per_thread == b.registers_per_thread);
        REQUIRE(a.static_shared == b.static_shared);
        REQUIRE(a.dynamic_shared == b.dynamic_shared);
        REQUIRE(a.metrics == b.metrics);
        REQUIRE(a.source.size() == b.source.size());
        for (std::size_t row = 0; row < a.source.size(); ++row) {
            const SourceRow& left = a.source[row];
            const SourceRow& right = b.source[row];
            REQUIRE(sassafras::source_rows::sass(left) == sassafras::source_rows::sass(right));
            REQUIRE(left.inst_executed == right.inst_executed);
            REQUIRE(left.thread_inst_executed == right.thread_inst_executed);
            REQUIRE(left.shared_wavefronts == right.shared_wavefronts);
            REQUIRE(left.shared_wavefronts_ideal == right.shared_wavefronts_ideal);
            REQUIRE(left.global_sectors == right.global_sectors);
            REQUIRE(left.stalls == right.stalls);
        }
    }
}

}  // namespace

TEST_CASE("A replay gives what a run gives") {
    const ModelOptions warm{.instruction_limit = 0, .threads = 1, .cold_caches = false, .progress = {}};
    const ModelOptions two{.instruction_limit = 0, .threads = 2, .cold_caches = true, .progress = {}};
    std::size_t index = 0;
    for (const auto& [name, n] : {std::pair{"gemm", 192}, {"search", 20'000}, {"merge", 20'000}, {"sort", 20'000}}) {
        const ScratchFolder scratch;
        const auto request = request_for(name, static_cast<std::uint64_t>(n));
        const TraceFolder folder = capture(request, scratch.path());
        for (const char* on : {"h200", "h200-half", R"("sm": {"shared_banks": 16})", R"("gpu": {"sm_count": 3})"}) {
            CAPTURE(name, on);
            if (!test::is_tried(index++)) continue;
            const auto live = make_simulated_device(platform(on), {});
            REQUIRE(workloads::run_workload(*live, request));
            REQUIRE(live->results().front().metric("sm__cycles_elapsed.max"_metric) > 1000);
            check_equal(live->results(), replay_all(folder, platform(on), {}, true));
            check_equal(live->results(), replay_all(folder, platform(on), two, true));
        }
        const auto functional = make_functional_device(platform("h200"), {});
        REQUIRE(workloads::run_workload(*functional, request));
        check_equal(functional->results(), replay_all(folder, platform("h200"), {}, false));
        const auto warmed = make_simulated_device(platform("h200"), warm);
        REQUIRE(workloads::run_workload(*warmed, request));
        check_equal(warmed->results(), replay_all(folder, platform("h200"), warm, true));
    }
}

TEST_CASE("A process's first launch takes longer, and none of its others") {
    ModelOptions first;
    first.new_process = true;
    const auto of_process = make_simulated_device(platform("h200"), first);
    const auto later = make_simulated_device(platform("h200"), {});
    const auto request = request_for("sort", 20'000);
    REQUIRE(workloads::run_workload(*of_process, request));
    REQUIRE(workloads::run_workload(*later, request));
    REQUIRE(of_process->results().size() > 1);
    for (std::size_t i = 0; i < of_process->results().size(); ++i) {
        const double more = i == 0 ? platform("h200").gpu.first_launch_cycles : 0;
        CHECK(of_process->results()[i].metric("sm__cycles_elapsed.max"_metric) ==
              later->results()[i].metric("sm__cycles_elapsed.max"_metric) + more);
    }
}

TEST_CASE("A recording replays to what was recorded, also where warps wait for others or read clocks") {
    const ModelOptions warm{.instruction_limit = 0, .threads = 1, .cold_caches = false, .progress = {}};
    for (const char* name : {"sort", "scan", "micro"}) {
        for (const ModelOptions& options : {ModelOptions{}, warm}) {
            CAPTURE(name, options.cold_caches);
            const ScratchFolder scratch;
            TraceFolder folder;
            folder.path = scratch.path();
            const auto recording = make_recording_device(platform("h200"), options, {folder.path, &folder.launches});
            const auto live = make_simulated_device(platform("h200"), options);
            for (Device* device : {static_cast<Device*>(recording.get()), static_cast<Device*>(live.get())}) {
                if (std::string(name) == "micro")
                    REQUIRE(workloads::micro::run(*device, "latency ffma"));
                else
                    REQUIRE(workloads::run_workload(*device, request_for(name, 20'000)));
            }
            check_equal(live->results(), recording->results());
            check_equal(recording->results(), replay_all(folder, platform("h200"), options, true));
        }
    }
}

TEST_CASE("A launch that does not fit the platform is refused, with the file") {
    const ScratchFolder scratch;
    const TraceFolder folder = capture(request_for("merge", 5000), scratch.path());
    Replay replay(platform(R"("sm": {"max_threads_per_block": 64})"), {}, true);
    const auto result = replay.run(folder.path_of(folder.launches.front()), folder.launches.front());
    REQUIRE_FALSE(result);
    CHECK(result.error().kind == ErrorKind::bad_input);
    CHECK(result.error().where.find(folder.launches.front().file) != std::string::npos);
}

TEST_CASE("A file in another's place is refused") {
    const ScratchFolder scratch;
    TraceFolder folder = capture(request_for("sort", 5000), scratch.path());
    REQUIRE(folder.launches.size() > 2);
    std::swap(folder.launches[0].file, folder.launches[2].file);
    const auto result = Replay(platform("h200"), {}, true).run(folder.path_of(folder.launches[0]), folder.launches[0]);
    REQUIRE_FALSE(result);
    CHECK(result.error().kind == ErrorKind::bad_input);
}

TEST_CASE("Reads of a clock are counted, and their kernels replay") {
    const ScratchFolder scratch;
    TraceFolder folder;
    folder.path = scratch.path();
    const auto device = make_capturing_device(platform("h200"), {}, folder.path, folder.launches);
    const auto rows = workloads::micro::run(*device, "latency ffma");
    if (!rows) FAIL(rows.error().message());
    REQUIRE_FALSE(folder.launches.empty());
    std::uint64_t clock_reads = 0;
    for (const TracedLaunch& launch : folder.launches) clock_reads += launch.clock_reads;
    CHECK(clock_reads >= 2);
    for (const KernelResult& result : replay_all(folder, platform("h200"), {}, true))
        CHECK(result.metric("sm__cycles_elapsed.max"_metric) > 0);
}
