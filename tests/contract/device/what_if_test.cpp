// What a what-if foretells of a kernel with one costly habit is what the kernel without the habit takes: eight pairs,
// of which nothing but that cost differs, with a mild and a strong gain (tests/fixtures/what_if).
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>

#include "core/whole_file.hpp"
#include "sim/device/modelled_devices.hpp"
#include "sim/device/replay.hpp"
#include "sim/formats/trace_file/trace_folder.hpp"
#include "sim/platform/platform_reader.hpp"
#include "sim/what_if/what_if.hpp"
#include "tests/fixtures/what_if/launches.hpp"

using namespace sassafras;
using namespace sassafras::sim;
using what_if_fixture::Pair;

namespace {

/// An eighth of an H200, so that its parts are to each other what those of the whole are.
const Platform& eighth() {
    static const Platform platform = [] {
        const auto parsed = parse_platform(
            R"({"name": "eighth", "base": "h200", "gpu": {"sm_count": 16}, "l2": {"slices": 12, "bytes": 6291456},
                "dram": {"channels": 6, "bandwidth_gb_per_s": 600}})",
            "eighth.json");
        if (!parsed) FAIL(parsed.error().message());
        return (*parsed).platform;
    }();
    return platform;
}

/// A GPU runs all rounds of a pair; a quarter of them shows the same ratio, in a quarter of the time.
std::uint32_t rounds_tried(const Pair& pair) { return (pair.rounds + 3) / 4; }

class RecordedLaunch {
  public:
    RecordedLaunch() {
        std::string name = (std::filesystem::temp_directory_path() / "sassafras-what-if-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) FAIL("no temporary folder");
        folder_.path = name;
    }
    RecordedLaunch(const RecordedLaunch&) = delete;
    RecordedLaunch& operator=(const RecordedLaunch&) = delete;
    ~RecordedLaunch() { std::filesystem::remove_all(folder_.path); }

    KernelResult run(const Pair& pair, bool is_mended) {
        const auto device = make_recording_device(eighth(), {}, {folder_.path, &folder_.launches});
        const auto cubin = read_whole_file(std::string(SASSAFRAS_SOURCE_DIR) + "/tests/fixtures/what_if/what_if.cubin",
                                           std::uint64_t{1} << 20U);
        REQUIRE(cubin);
        const auto module = device->load_module(*cubin, "what_if.cubin");
        REQUIRE(module);
        const std::uint32_t sms = eighth().gpu.sm_count;
        const std::uint32_t n = pair.elements_an_sm * sms;
        const auto from = device->allocate(Bytes{std::uint64_t{n} * pair.from_words * 4});
        const auto to = device->allocate(Bytes{std::uint64_t{n} * 4});
        REQUIRE(from);
        REQUIRE(to);
        const what_if_fixture::Arguments& arguments = is_mended ? pair.of_mended : pair.of_costly;
        Launch launch;
        launch.module = *module;
        launch.kernel = is_mended ? pair.mended : pair.costly;
        launch.grid = {pair.blocks_an_sm * sms, 1, 1};
        launch.block = {pair.block_threads, 1, 1};
        launch.dynamic_shared = Bytes{arguments.dynamic_shared};
        launch.arguments.add((*from).value)
            .add((*to).value)
            .add(n)
            .add(what_if_fixture::value_of(arguments.step, n))
            .add(what_if_fixture::value_of(arguments.other, n))
            .add(rounds_tried(pair));
        if (const auto done = device->launch(launch); !done) FAIL(done.error().message());
        return device->results().front();
    }

    /// The launch again, without a cost.
    [[nodiscard]] KernelResult again(const WhatIf* what_if) const {
        ModelOptions options;
        options.what_if = what_if;
        Replay replay(eighth(), options, true);
        auto result = replay.run(folder_.path_of(folder_.launches.front()), folder_.launches.front());
        if (!result) FAIL(result.error().message());
        return *result;
    }

  private:
    TraceFolder folder_;
};

double cycles(const KernelResult& result) { return result.metric("sm__cycles_elapsed.max"_metric); }

}  // namespace

TEST_CASE("A what-if foretells what the mended kernel takes", "[release]") {
    for (const Pair& pair : what_if_fixture::pairs) {
        DYNAMIC_SECTION(pair.what_if << " on " << pair.costly << " for " << pair.mended) {
            RecordedLaunch costly;
            const double old_cycles = cycles(costly.run(pair, false));
            const double new_cycles = cycles(RecordedLaunch().run(pair, true));
            REQUIRE(cycles(costly.again(nullptr)) == old_cycles);
            const auto what_if = find_what_if(pair.what_if);
            REQUIRE(what_if);
            const double foretold = cycles(costly.again(*what_if));
            const double speed_up = old_cycles / new_cycles;
            const double foretold_speed_up = old_cycles / foretold;
            CAPTURE(old_cycles, new_cycles, foretold, speed_up, foretold_speed_up);
            CHECK(speed_up > (pair.gain == what_if_fixture::Gain::mild ? 1.1 : 1.5));  // the cost is worth removing
            CHECK(std::abs(foretold_speed_up - speed_up) <= 0.10);
        }
    }
}

TEST_CASE("Each what-if has a pair, and leaves a kernel without its cost as it is") {
    for (const WhatIf& what_if : what_ifs()) {
        CAPTURE(what_if.name);
        const auto pair = std::find_if(std::begin(what_if_fixture::pairs), std::end(what_if_fixture::pairs),
                                       [&](const Pair& one) { return what_if.name == one.what_if; });
        REQUIRE(pair != std::end(what_if_fixture::pairs));
        RecordedLaunch mended;
        const KernelResult before = mended.run(*pair, true);
        const KernelResult after = mended.again(&what_if);
        CHECK(cycles(after) <= 1.01 * cycles(before));
        CHECK(cycles(after) >= 0.97 * cycles(before));
        CHECK(after.source.size() == before.source.size());
        CHECK(after.metric("smsp__inst_executed.sum"_metric) <= before.metric("smsp__inst_executed.sum"_metric));
    }
}
