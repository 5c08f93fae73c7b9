// Rules time each launch of a program again as it was timed: the first launch of a process takes longer, the others
// not.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "core/whole_file.hpp"
#include "sim/device/modelled_devices.hpp"
#include "sim/formats/trace_file/trace_folder.hpp"
#include "sim/platform/platform_reader.hpp"
#include "study/rules/apply_rules.hpp"

using namespace sassafras;
using namespace sassafras::sim;

namespace {

/// Two launches of a kernel with loads that are not coalesced.
std::vector<KernelResult> scattered_twice(Device& device) {
    const auto cubin = read_whole_file(std::string(SASSAFRAS_SOURCE_DIR) + "/tests/fixtures/what_if/what_if.cubin",
                                       std::uint64_t{1} << 20U);
    REQUIRE(cubin.ok());
    const auto module = device.load_module(*cubin, "what_if.cubin");
    REQUIRE(module.ok());
    constexpr std::uint32_t n = 1U << 16U;
    const auto from = device.allocate(Bytes{n * 4});
    const auto to = device.allocate(Bytes{n * 4});
    REQUIRE(from.ok());
    REQUIRE(to.ok());
    Launch launch;
    launch.module = *module;
    launch.kernel = "copy_scattered";
    launch.grid = {32, 1, 1};
    launch.block = {256, 1, 1};
    launch.arguments.add((*from).value).add((*to).value).add(n).add(n / 32).add(std::uint32_t{1}).add(std::uint32_t{0});
    for (int i = 0; i < 2; ++i) REQUIRE(device.launch(launch).ok());
    return device.results();
}

double saved_without_scatter(const study::LaunchRules& rules) {
    const auto found = std::find_if(rules.findings.begin(), rules.findings.end(),
                                    [](const auto& finding) { return finding.what_if == "perfect-coalescing"; });
    REQUIRE(found != rules.findings.end());
    return found->saved_percent.value_or(-1);
}

}  // namespace

TEST_CASE("with cold caches only the first launch is a process's first when it is timed again") {
    const auto platform = parse_platform(R"({"name": "small", "base": "h200", "gpu": {"sm_count": 4}})", "small.json");
    REQUIRE(platform.ok());
    REQUIRE(platform->platform.gpu.first_launch_cycles > 100);
    std::string folder = (std::filesystem::temp_directory_path() / "sassafras-rules-XXXXXX").string();
    REQUIRE(mkdtemp(folder.data()) != nullptr);
    TraceFolder recorded;
    recorded.path = folder;
    ModelOptions process;
    process.new_process = true;
    ModelOptions later;
    const auto device = make_recording_device(platform->platform, process, {recorded.path, &recorded.launches});
    const std::vector<KernelResult> launches = scattered_twice(*device);
    const auto of_process = study::apply_rules(launches, &recorded, platform->platform, process);
    const auto of_later = study::apply_rules(launches, &recorded, platform->platform, later);
    std::filesystem::remove_all(folder);
    REQUIRE(of_process.ok());
    REQUIRE(of_later.ok());
    // Each launch is timed again on a model of its own; what it takes there depends on nothing but how that begins.
    CHECK(saved_without_scatter((*of_later)[1]) > 1);
    CHECK(saved_without_scatter((*of_process)[1]) == saved_without_scatter((*of_later)[1]));
    CHECK(saved_without_scatter((*of_process)[0]) < saved_without_scatter((*of_later)[0]));
}
