// Branches and those at which warps part, counted from data: a warp parts at a bit in which its lanes differ.
#include <catch2/catch.hpp>

#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "core/whole_file.hpp"
#include "sim/device/modelled_devices.hpp"
#include "tests/h200.hpp"

using namespace sassafras;
using namespace sassafras::sim;

namespace {

constexpr std::uint32_t bits = 32;

KernelResult run(Device& device, const std::vector<std::uint32_t>& words) {
    const auto cubin = read_whole_file(std::string(SASSAFRAS_SOURCE_DIR) + "/tests/fixtures/divergence.cubin",
                                       std::uint64_t{1} << 20U);
    REQUIRE(cubin);
    const auto module = device.load_module(*cubin, "divergence.cubin");
    REQUIRE(module);
    const auto from = device.allocate(Bytes{words.size() * 4});
    const auto counts = device.allocate(Bytes{(2 * bits + 2) * 4});
    REQUIRE(from);
    REQUIRE(counts);
    REQUIRE(device.copy_to_device(*from, std::as_bytes(std::span(words))));
    Launch launch;
    launch.module = *module;
    launch.kernel = "branches";
    launch.grid = {static_cast<std::uint32_t>(words.size() / 128), 1, 1};
    launch.block = {128, 1, 1};
    launch.arguments.add((*from).value).add((*counts).value).add(bits);
    if (const auto done = device.launch(launch); !done) FAIL(done.error().message());
    return device.results().front();
}

}  // namespace

TEST_CASE("Branches and divergent branches are those that the data says") {
    Random random(5);
    std::vector<std::uint32_t> words(512);
    for (std::size_t i = 0; i < words.size(); ++i) {
        // Warps from all alike to all different.
        const auto of_warp = static_cast<std::uint32_t>(SplitMix64(i / warp_size).next() >> 32U);
        words[i] = i / warp_size % 4 == 0 ? of_warp : of_warp ^ (random.next_u32() & random.next_u32() & 0xff0f'0f0fU);
    }
    std::uint64_t parting = 0;
    std::uint64_t with_set_lanes = 0;
    const std::uint64_t warps = words.size() / warp_size;
    for (std::uint64_t warp = 0; warp < warps; ++warp) {
        for (std::uint32_t bit = 0; bit < bits; ++bit) {
            std::uint32_t set = 0;
            for (std::size_t lane = 0; lane < warp_size; ++lane) set += words[warp * warp_size + lane] >> bit & 1U;
            parting += set != 0 && set != warp_size ? 1 : 0;
            with_set_lanes += set != 0 ? 1 : 0;
        }
    }
    REQUIRE(parting > 100);
    const Platform h200 = sassafras::test::h200();
    for (const auto& device : {make_functional_device(h200, {}), make_simulated_device(h200, {})}) {
        const KernelResult result = run(*device, words);
        CAPTURE(device->name());
        CHECK(result.metric("smsp__sass_branch_targets_threads_divergent.sum"_metric) == static_cast<double>(parting));
        // A bit has its branch and that of the loop; lanes with the bit set jump over the others' part.
        const double branches = static_cast<double>(2 * warps * bits + with_set_lanes);
        CHECK(result.metric("smsp__sass_branch_targets.sum"_metric) == branches);
        // BSYNC once, twice where lanes part; two EXITs of a warp.
        CHECK(result.metric("smsp__inst_executed_op_branch.sum"_metric) ==
              branches + static_cast<double>(warps * bits + parting + 2 * warps));
    }
}
