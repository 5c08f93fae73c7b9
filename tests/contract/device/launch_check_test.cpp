// Every way to launch asks the same check: devices that execute, one that captures, and replays of what it captured.
#include <catch2/catch.hpp>

#include <filesystem>
#include <string>
#include <vector>

#include "devices.hpp"
#include "sim/device/capturing_device.hpp"
#include "sim/device/launch_check.hpp"
#include "sim/device/modelled_devices.hpp"
#include "sim/device/replay.hpp"
#include "sim/formats/trace_file/trace_folder.hpp"
#include "tests/fixture_platform.hpp"

using namespace sassafras;
using namespace sassafras::sim;
using namespace sassafras::sim::test;

namespace {

Platform small_limits() {
    Platform platform = fixture_platform();
    platform.dram.capacity_gb = 1;
    platform.limits.max_grid_x = 7;
    platform.limits.max_grid_y = 6;
    platform.limits.max_grid_z = 5;
    platform.limits.max_block_x = 64;
    platform.limits.max_block_y = 16;
    platform.limits.max_block_z = 4;
    return platform;
}

struct Refused {
    Dim3 grid;
    Dim3 block;
    std::uint64_t dynamic_shared;
    LaunchRule rule;
    std::string what;
};

// The limits are those of small_limits(); shared memory and threads of a block are compute capability 9.0's.
const std::vector<Refused>& refused_launches() {
    static const std::vector<Refused> all{
        {{0, 1, 1}, {1, 1, 1}, 0, LaunchRule::extents, "grid (0, 1, 1) of blocks (1, 1, 1) is empty"},
        {{1, 1, 1}, {1, 0, 1}, 0, LaunchRule::extents, "grid (1, 1, 1) of blocks (1, 0, 1) is empty"},
        {{8, 1, 1}, {1, 1, 1}, 0, LaunchRule::extents, "grid (8, 1, 1) is too large"},
        {{1, 7, 1}, {1, 1, 1}, 0, LaunchRule::extents, "grid (1, 7, 1) is too large"},
        {{1, 1, 6}, {1, 1, 1}, 0, LaunchRule::extents, "grid (1, 1, 6) is too large"},
        {{1, 1, 1},
         {65, 1, 1},
         0,
         LaunchRule::extents,
         "too many threads in a block: (65, 1, 1) are 65, at most 1024, 4 of them in z"},
        {{1, 1, 1},
         {1, 17, 1},
         0,
         LaunchRule::extents,
         "too many threads in a block: (1, 17, 1) are 17, at most 1024, 4 of them in z"},
        {{1, 1, 1},
         {1, 1, 5},
         0,
         LaunchRule::extents,
         "too many threads in a block: (1, 1, 5) are 5, at most 1024, 4 of them in z"},
        {{1, 1, 1},
         {1, 1, 1},
         232449,
         LaunchRule::shared_memory,
         "too much shared memory: 0 bytes static and 232449 dynamic, at most 232448 together"},
    };
    return all;
}

/// A folder that goes away with the test.
class Folder {
  public:
    Folder() : path_(std::filesystem::temp_directory_path() / "sassafras-test-launch-check") {
        std::filesystem::remove_all(path_);
        std::filesystem::create_directories(path_);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() { std::filesystem::remove_all(path_); }
    [[nodiscard]] std::string path() const { return path_.string(); }

  private:
    std::filesystem::path path_;
};

}  // namespace

TEST_CASE("every modelled device refuses the same launches, with the same words") {
    const Folder folder;
    std::vector<TracedLaunch> traced;
    const Platform platform = small_limits();
    std::vector<std::unique_ptr<ModelledDevice>> devices;
    devices.push_back(make_functional_device(platform, {}));
    devices.push_back(make_simulated_device(platform, {}));
    devices.push_back(make_capturing_device(platform, {}, folder.path(), traced));
    for (const auto& device : devices) {
        CAPTURE(device->name());
        const auto module = device->load_module(fixture("faults.cubin"), "faults.cubin");
        REQUIRE(module.ok());
        const auto properties = device->kernel_properties(*module, "saxpy");
        REQUIRE(properties.ok());
        for (const Refused& refused : refused_launches()) {
            CAPTURE(refused.what);
            Launch launch;
            launch.module = *module;
            launch.kernel = "saxpy";
            launch.grid = refused.grid;
            launch.block = refused.block;
            launch.dynamic_shared = Bytes{refused.dynamic_shared};
            const auto refusal = find_launch_refusal(platform, **properties, launch, "k");
            REQUIRE(refusal.has_value());
            CHECK(refusal->rule == refused.rule);
            CHECK(refusal->error.what == refused.what);
            const auto done = device->launch(launch);
            REQUIRE_FALSE(done.ok());
            CHECK(done.error().kind == ErrorKind::bad_input);
            CHECK(done.error().what == refused.what);
            CHECK(done.error().remedy == refusal->error.remedy);
        }
    }
    CHECK(traced.empty());
}

TEST_CASE("a replay refuses what the platform would not have launched") {
    const Folder folder;
    std::vector<TracedLaunch> traced;
    const Platform platform = small_limits();
    const auto device = make_capturing_device(platform, {}, folder.path(), traced);
    const auto module = device->load_module(fixture("faults.cubin"), "faults.cubin");
    REQUIRE(module.ok());
    const auto memory = device->allocate(Bytes{64 * 4});
    REQUIRE(memory.ok());
    Launch launch;
    launch.module = *module;
    launch.kernel = "saxpy";
    launch.grid = {2, 1, 1};
    launch.block = {32, 1, 1};
    launch.arguments.add(memory->value).add(memory->value).add(1.0F).add(1.0F).add(64);
    const auto launched = device->launch(launch);
    INFO((launched.ok() ? "" : launched.error().message()));
    REQUIRE(launched.ok());
    REQUIRE(traced.size() == 1);
    const TraceFolder captured{folder.path(), {}, {}, {}, traced};

    for (const bool with_timing : {false, true}) {
        CAPTURE(with_timing);
        CHECK(Replay(platform, {}, with_timing).run(captured.path_of(traced[0]), traced[0]).ok());
        Platform smaller = platform;
        smaller.limits.max_grid_x = 1;
        const auto refused = Replay(smaller, {}, with_timing).run(captured.path_of(traced[0]), traced[0]);
        REQUIRE_FALSE(refused.ok());
        CHECK(refused.error().what == "grid (2, 1, 1) is too large");
        CHECK(refused.error().remedy == "at most (1, 6, 5) blocks");
        smaller = platform;
        smaller.limits.max_block_x = 31;
        CHECK_FALSE(Replay(smaller, {}, with_timing).run(captured.path_of(traced[0]), traced[0]).ok());
    }
}
