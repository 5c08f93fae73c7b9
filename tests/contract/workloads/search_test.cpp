// The six searches of the thesis on the modelled devices, every predecessor as the CPU reference has it.
#include <algorithm>
#include <fstream>
#include <iterator>
#include <utility>

#include "sim/device/modelled_devices.hpp"
#include "sim/platform/platform_reader.hpp"
#include "tests/contract/workloads/checked_run.hpp"
#include "tests/sanitized.hpp"
#include "tests/unit/workloads/scripted_device.hpp"
#include "workloads/device_buffer.hpp"
#include "workloads/search/layout.hpp"
#include "workloads/search/search.hpp"

using namespace sassafras;
using namespace sassafras::test;
using namespace sassafras::workloads;

namespace {
using Words = std::vector<std::uint32_t>;
const std::vector<std::string> in_shared{"pbs", "pbs-cf", "pbs-cl"};
const std::vector<std::string> in_global{"sorted", "bst", "btree"};

/// The parameters, and M_TB keys of the tree's top if the variant has a tree.
std::map<std::string, std::int64_t> with_top(const std::string& variant, std::map<std::string, std::int64_t> parameters,
                                             std::int64_t top) {
    if (variant == "bst" || variant == "btree") parameters["M_TB"] = top;
    return parameters;
}
}  // namespace

TEST_CASE("searches in shared memory, any number of keys") {
    const auto device = functional();
    for (const std::string& variant : in_shared)
        for (const std::uint64_t keys : awkward_sizes())
            for (const std::string& input : info_of("search").inputs)
                checked_run(*device, {"search", variant, 500, input, {{"K", whole(keys)}, {"Q", 2}}, keys + 1});
}

TEST_CASE("searches in shared memory, any number of queries in any block") {
    const auto device = functional();
    std::size_t index = 0;
    for (const std::string& variant : in_shared)
        for (const std::uint64_t queries : awkward_sizes())
            for (const int block : {1, 33, 256})
                if (test::is_tried(index++, 7)) {
                    const int keys = block == 1 ? 77 : 777;  // a thread alone fetches them for each three queries
                    checked_run(*device, {"search", variant, queries, "random", {{"K", keys}, {"b", block}, {"Q", 3}}});
                }
}

TEST_CASE("searches fill an SM's shared memory") {
    const auto device = functional();
    for (const std::string& variant : in_shared)
        checked_run(*device, {"search", variant, 20000, "random", {{"K", 58000}, {"b", 1024}, {"Q", 16}}});
}

TEST_CASE("searches in global memory, any number of keys") {
    const auto device = functional();
    std::vector<std::uint64_t> sizes = awkward_sizes();
    for (const std::uint64_t whole_btree : {32U, 33U * 32U + 32U}) {  // one full level, two
        sizes.push_back(whole_btree - 1);
        sizes.push_back(whole_btree);
        sizes.push_back(whole_btree + 1);
    }
    sizes.push_back(40000);  // a third level, most of it missing
    for (const std::string& variant : in_global)
        for (const std::uint64_t keys : sizes)
            for (const std::string& input : info_of("search").inputs)
                checked_run(*device,
                            {"search", variant, 500, input, with_top(variant, {{"K", whole(keys)}}, 100), keys + 1});
}

TEST_CASE("searches in global memory, any top, any number of queries") {
    const auto device = functional();
    for (const std::string& variant : in_global)
        for (const std::uint64_t queries : awkward_sizes())
            for (const int top : {0, 1, 33, 5000, 16384})
                checked_run(*device,
                            {"search", variant, queries, "random", with_top(variant, {{"K", 5000}, {"Q", 3}}, top)});
}

TEST_CASE("large searches") {
    const auto device = functional();
    for (const std::string& variant : in_shared)
        checked_run(*device, {"search", variant, (1U << 16U) + 77, "random", {}});
    for (const std::string& variant : in_global)
        checked_run(*device, {"search", variant, 1U << 15U, "random", {{"K", (1 << 20) + 12345}}});
}

TEST_CASE("searches on the simulated device") {
    const auto device = simulated();
    for (const auto& variant : info_of("search").variants)
        for (const std::uint64_t queries : {0U, 1U, 31U, 32U, 33U, 1024U, 1009U, 20000U})
            checked_run(*device,
                        {"search", variant.name, queries, "random", with_top(variant.name, {{"K", 3001}}, 500)});
}

TEST_CASE("a tree's top is as large as the GPU holds, unless a size is asked for") {
    for (const char* name : {"algoparc", "gibson", "h200"}) {
        const auto resolved = sim::load_platform(name);
        REQUIRE(resolved.ok());
        const auto device = sim::make_functional_device(resolved->platform, bounded());
        const bool roomy = std::string(name) == "h200";
        for (const char* variant : {"bst", "btree"}) {
            CAPTURE(name, variant);
            const auto top_of = [&](std::map<std::string, std::int64_t> parameters) {
                WorkloadRequest request;
                request.name = "search";
                request.variant = variant;
                request.n = 100;
                request.parameters = std::move(parameters);
                const auto run = run_workload(*device, request);
                REQUIRE(run.ok());
                CHECK(run->verified);
                const auto found = std::find_if(run->parameters.begin(), run->parameters.end(),
                                                [](const auto& parameter) { return parameter.first == "M_TB"; });
                REQUIRE(found != run->parameters.end());
                return found->second;
            };
            // 48 KiB are 12,288 words; the tiles of eight warps take 8,448 of them.
            const std::int64_t held = std::string(variant) == "bst" ? 8192 : 2048;
            CHECK(top_of({{"K", 40000}}) == (roomy ? 16384 : held));
            CHECK(top_of({{"K", 40000}, {"M_TB", 320}}) == 320);
            // A tree that is smaller than that lies in shared memory as a whole.
            CHECK(top_of({{"K", 3000}}) == 16384);
        }
        WorkloadRequest too_large;
        too_large.name = "search";
        too_large.variant = "bst";
        too_large.n = 100;
        too_large.parameters = {{"K", 40000}, {"M_TB", 16384}};
        CHECK(run_workload(*device, too_large).ok() == roomy);
    }
}

TEST_CASE("searches without a tree refuse the size of its top") {
    for (const auto& variant : info_of("search").variants) {
        const bool tree = variant.name == "bst" || variant.name == "btree";
        ScriptedDevice device;
        WorkloadRequest request;
        request.name = "search";
        request.variant = variant.name;
        request.n = 100;
        request.parameters = {{"M_TB", 500}};
        const auto run = run_workload(device, request);
        CAPTURE(variant.name);
        REQUIRE(run.ok() == tree);
        if (tree) continue;
        CHECK(run.error().kind == ErrorKind::bad_input);
        CHECK_THAT(run.error().message(), Catch::Contains("variant " + variant.name + " has no parameter M_TB"));
        CHECK(device.launches.empty());
    }
}

namespace {

std::vector<char> read_cubin(const std::string& name) {
    std::ifstream file(std::string(SASSAFRAS_SOURCE_DIR) + "/workloads/search/" + name + ".cubin", std::ios::binary);
    REQUIRE(file.good());
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Launches a search kernel itself, on keys of the test's own; `more` are the tree's two arguments.
std::vector<std::int32_t> launched(const std::vector<char>& cubin, const std::string& kernel, const Words& cells,
                                   std::uint32_t key_count, const Words& queries, const Words& more) {
    const auto device = functional();
    const auto module = device->load_module(std::as_bytes(std::span(cubin)), "test");
    const auto device_cells = DeviceBuffer<std::uint32_t>::from(*device, cells);
    const auto device_queries = DeviceBuffer<std::uint32_t>::from(*device, queries);
    const auto predecessors = DeviceBuffer<std::int32_t>::make(*device, queries.size());
    REQUIRE((module.ok() && device_cells.ok() && device_queries.ok() && predecessors.ok()));
    sim::Launch launch;
    launch.module = *module;
    launch.kernel = kernel;
    launch.grid = {1, 1, 1};
    launch.block = {64, 1, 1};
    launch.dynamic_shared = Bytes{32768};
    launch.arguments.add(device_cells->argument()).add(key_count).add(device_queries->argument());
    launch.arguments.add(predecessors->argument()).add(static_cast<std::uint32_t>(queries.size())).add(1U);
    for (const std::uint32_t argument : more) launch.arguments.add(argument);
    REQUIRE(device->launch(launch).ok());
    REQUIRE(device->synchronize().ok());
    const auto read = predecessors->read();
    REQUIRE(read.ok());
    return *read;
}

}  // namespace

TEST_CASE("padding is never found, not even by the greatest query") {
    const std::vector<char> shared = read_cubin("search_shared");
    const std::vector<char> global = read_cubin("search_global");
    const Words queries{0, 1, 0xfffffffeU, 0xffffffffU, 7};
    for (const std::uint32_t count : {0U, 1U, 31U, 32U, 33U, 100U, 1100U})
        for (const std::uint32_t key : {0U, 5U, 0xffffffffU}) {
            CAPTURE(count, key);
            const Words keys(count, key);
            const std::vector<std::int32_t> expected = search::reference(keys, queries);
            for (const char* kernel : {"search_pbs", "search_pbs_cf", "search_pbs_cl"})
                CHECK(launched(shared, kernel, keys, count, queries, {}) == expected);
            CHECK(launched(global, "search_sorted", keys, count, queries, {}) == expected);
            const search::LevelOrder binary = search::level_order(keys, 1);
            const search::LevelOrder nodes = search::level_order(keys, 32);
            for (const std::uint32_t top : {0U, 32U}) {
                if (top > nodes.cells.size()) continue;
                const std::uint32_t binary_top = std::min(top, count);
                CHECK(launched(global, "search_bst", binary.cells, count, queries,
                               {binary.last_level_first, binary_top}) == expected);
                CHECK(launched(global, "search_btree", nodes.cells, count, queries, {nodes.last_level_first, top}) ==
                      expected);
            }
        }
}
