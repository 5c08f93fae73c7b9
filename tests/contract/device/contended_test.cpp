// Kernels that compare and swap (tests/fixtures/contended.cu), on every device that has a time: live, recorded,
// replayed and without a cost. Who goes round again is decided as they are timed, so all must agree.
#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "core/whole_file.hpp"
#include "sim/device/modelled_devices.hpp"
#include "sim/device/replay.hpp"
#include "sim/formats/trace_file/trace_folder.hpp"
#include "sim/platform/platform_reader.hpp"
#include "sim/what_if/what_if.hpp"

using namespace sassafras;
using namespace sassafras::sim;

namespace {

constexpr std::uint32_t block_threads = 256;
constexpr std::uint32_t grid_blocks = 40;

const Platform& h200() {
    static const Platform platform = (*load_platform("h200")).platform;
    return platform;
}

std::vector<KernelResult> results_on(Device& device) {
    const auto cubin =
        read_whole_file(std::string(SASSAFRAS_SOURCE_DIR) + "/tests/fixtures/contended.cubin", std::uint64_t{1} << 20U);
    REQUIRE(cubin);
    const auto module = device.load_module(*cubin, "contended.cubin");
    REQUIRE(module);
    std::vector<float> in(std::size_t{block_threads} * grid_blocks);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i % 101);
    const Address from = device.allocate(Bytes{in.size() * 4}).value();
    const Address to = device.allocate(Bytes{in.size() * 4}).value();
    REQUIRE(device.copy_to_device(from, std::as_bytes(std::span(in))));
    REQUIRE(device.fill(to, std::byte{0}, Bytes{in.size() * 4}));
    for (const char* kernel : {"float_sums", "greatest"}) {
        Launch launch;
        launch.module = *module;
        launch.kernel = kernel;
        launch.grid = {grid_blocks, 1, 1};
        launch.block = {block_threads, 1, 1};
        launch.arguments.add(to.value).add(from.value);
        if (std::string(kernel) == "float_sums") launch.arguments.add(1);
        if (const auto done = device.launch(launch); !done) FAIL(done.error().message());
    }
    return device.results();
}

double executed(const KernelResult& result) { return result.metric("smsp__inst_executed.sum"_metric); }

}  // namespace

TEST_CASE("what compares and swaps is the same live, recorded and replayed, at any number of threads") {
    std::string path = (std::filesystem::temp_directory_path() / "sassafras-contended-XXXXXX").string();
    REQUIRE(mkdtemp(path.data()) != nullptr);
    TraceFolder folder;
    folder.path = path;
    const auto live = results_on(*make_simulated_device(h200(), {}));
    ModelOptions four;
    four.threads = 4;
    const auto on_four = results_on(*make_simulated_device(h200(), four));
    const auto recorded = results_on(*make_recording_device(h200(), {}, {folder.path, &folder.launches}));
    const auto functional = results_on(*make_functional_device(h200(), {}));
    REQUIRE(folder.launches.size() == live.size());
    Replay replay(h200(), {}, true);
    for (std::size_t i = 0; i < live.size(); ++i) {
        CAPTURE(live[i].name);
        CHECK(live[i].metrics == on_four[i].metrics);
        CHECK(live[i].metrics == recorded[i].metrics);
        const auto again = replay.run(folder.path_of(folder.launches[i]), folder.launches[i]);
        if (!again) FAIL(again.error().message());
        CHECK(live[i].metrics == again->metrics);
    }
    CHECK(executed(live[0]) > 2 * executed(functional[0]));  // eight warps of a block want the same eight words
    std::filesystem::remove_all(path);
}

TEST_CASE("without a cost, too, every warp gets its turn") {
    const auto live = results_on(*make_simulated_device(h200(), {}));
    for (const WhatIf& what_if : what_ifs()) {
        CAPTURE(what_if.name);
        ModelOptions options;
        options.what_if = &what_if;
        const auto without = results_on(*make_simulated_device(h200(), options));
        REQUIRE(without.size() == live.size());
        CHECK(executed(without[0]) > executed(live[0]) / 4);
    }
}
