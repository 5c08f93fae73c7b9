// What kernels compute, count and take does not depend on how many threads execute and simulate them: least of all
// where blocks race.
#include <catch2/catch.hpp>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "sim/device/modelled_devices.hpp"
#include "tests/fixture_platform.hpp"
#include "tests/sanitized.hpp"

using namespace sassafras;
using namespace sassafras::sim;

namespace {

constexpr std::size_t words = 65536;
using Make = std::unique_ptr<ModelledDevice> (*)(const Platform&, ModelOptions);

struct Case {
    const char* kernel;
    std::uint32_t blocks;
    std::uint32_t threads;
    std::uint32_t n;
    bool is_float = false;
    bool fails = false;
    bool races = false;
};

// Long ones outlast a turn of a functional run (4,096 instructions of a warp) and many rounds of a timed one.
constexpr Case cases[] = {
    {"all_write_one_line", 150, 64, 0, false, false, true},
    {"everything_everywhere", 120, 128, 9, false, false, true},
    {"everything_everywhere", 20, 64, 400, false, false, true},
    {"neighbours_in_place", 150, 96, 12, false, false, true},
    {"first_read_what_last_write", 200, 64, 30, false, false, true},
    {"reads_a_sum_that_grows", 90, 64, 10, false, false, true},
    {"bytes_of_one_word", 130, 64, 8, false, false, true},
    {"races_through_generic", 100, 128, 7, false, false, true},
    {"one_block_faults", 80, 64, 3, false, true},
    {"float_sums", 140, 96, 8, true},
    {"sums_of_every_kind", 100, 96, 6},
    {"interleaved", 100, 64, 600},
    {"in_place", 150, 128, 5},
    {"in_place", 12, 64, 700},
    {"tickets", 90, 64, 5, false, false, true},
    {"sums_and_own_words", 100, 64, 9, true},
};

struct Remains {
    std::vector<std::uint32_t> a;
    std::vector<std::uint32_t> b;
    std::string error;
    std::vector<MetricSet> metrics;
};

Platform small_gpu() {
    Platform platform = sim::test::fixture_platform();
    platform.gpu.sm_count = 10;
    platform.dram.capacity_gb = 1;
    return platform;
}

std::vector<std::byte> read_racing() {
    std::ifstream file(std::string(SASSAFRAS_SOURCE_DIR) + "/tests/fixtures/racing.cubin", std::ios::binary);
    std::vector<std::byte> bytes;
    for (std::istreambuf_iterator<char> at(file), end; at != end; ++at) bytes.push_back(static_cast<std::byte>(*at));
    return bytes;
}

/// Two launches, as the second may know what the first has found out.
Remains run(Make make, const Case& of, std::uint32_t threads) {
    ModelOptions options;
    options.threads = threads;
    options.instruction_limit = 1'000'000;
    const auto device = make(small_gpu(), options);
    const auto module = device->load_module(read_racing(), "racing.cubin");
    REQUIRE(module.ok());
    const Address a = device->allocate(Bytes{4 * words}).value();
    const Address b = device->allocate(Bytes{4 * words}).value();
    Remains outcome;
    outcome.a.resize(words);
    for (std::size_t i = 0; i < words; ++i)
        outcome.a[i] = of.is_float ? 0 : static_cast<std::uint32_t>(i * 2654435761U);
    REQUIRE(device->copy_to_device(a, std::as_bytes(std::span(outcome.a))).ok());
    REQUIRE(device->copy_to_device(b, std::as_bytes(std::span(outcome.a))).ok());
    for (int repetition = 0; repetition < 2; ++repetition) {
        Launch launch;
        launch.module = *module;
        launch.kernel = of.kernel;
        launch.grid = {of.blocks, 1, 1};
        launch.block = {of.threads, 1, 1};
        launch.arguments = Arguments().add(a).add(b).add(of.n);
        const auto done = device->launch(launch);
        if (!done) outcome.error = done.error().message();
        if (!done) break;
    }
    outcome.b.resize(words);
    REQUIRE(device->copy_from_device(std::as_writable_bytes(std::span(outcome.a)), a).ok());
    REQUIRE(device->copy_from_device(std::as_writable_bytes(std::span(outcome.b)), b).ok());
    for (const KernelResult& result : device->results()) outcome.metrics.push_back(result.metrics);
    return outcome;
}

/// Each case at `most` of the counts, by turns: kernels that are alike follow one another, and meet all of them.
/// AddressSanitizer sees no races (ThreadSanitizer does, scripts/test-threads): one of them is enough there.
void compare(Make make, const std::vector<std::uint32_t>& all_counts, std::size_t most, int repetitions,
             bool only_races = false) {
    if (sassafras::test::sanitized) most = 1;
    std::size_t turn = 0;
    for (const Case& of : cases) {
        if (only_races && !of.races) continue;
        std::vector<std::uint32_t> thread_counts;
        for (std::size_t i = 0; i < most; ++i) thread_counts.push_back(all_counts[turn++ % all_counts.size()]);
        INFO(of.kernel << " of " << of.blocks << " blocks, n = " << of.n);
        const Remains alone = run(make, of, 1);
        CHECK(alone.error.empty() == !of.fails);
        for (int repetition = 0; repetition < repetitions; ++repetition) {
            for (const std::uint32_t threads : thread_counts) {
                INFO(threads << " threads");
                const Remains together = run(make, of, threads);
                CHECK(together.error == alone.error);
                CHECK((together.metrics == alone.metrics));
                CHECK((together.a == alone.a));
                CHECK((together.b == alone.b));
            }
        }
    }
}

}  // namespace

TEST_CASE("functional runs do not depend on threads", "[threads]") {
    compare(make_functional_device, {2, 7, 3, 16}, 2, 1);
}
TEST_CASE("simulations do not depend on threads", "[threads]") { compare(make_simulated_device, {2, 7, 3, 16}, 2, 1); }
TEST_CASE("nor do they when repeated", "[threads][release]") {
    compare(make_functional_device, {7}, 1, 4, true);
    compare(make_simulated_device, {5}, 1, 4, true);
}
