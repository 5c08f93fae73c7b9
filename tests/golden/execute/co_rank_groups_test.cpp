// How often an H200 executed BSYNC in 600 launches of one warp whose lanes leave two nested loops at different times:
// each arrival of a group counts once, so the counts show which lanes run as a group and when. Origin: README.md.
#include <algorithm>
#include <fstream>
#include <iterator>
#include <span>
#include <sstream>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/device/modelled_devices.hpp"
#include "sim/platform/platform_reader.hpp"
#include "tests/sass_text.hpp"

namespace {

using namespace sassafras;

constexpr int most_keys = 32768;

/// The generator of validate/records/h200/probes/co_rank_groups.cu.
class ProbeInputs {
  public:
    ProbeInputs() : a(most_keys), b(most_keys) {
        for (int i = 0; i < most_keys; ++i) {
            a[static_cast<std::size_t>(i)] = draw();
            b[static_cast<std::size_t>(i)] = draw();
        }
        std::sort(a.begin(), a.end());
        std::sort(b.begin(), b.end());
    }
    /// Sets `size` and `where` for the next launch.
    void next(int trial) {
        size = trial % 3 == 0 ? 32768 : trial % 3 == 1 ? 1024 : 4096;
        const int chunk = trial % 2 != 0 ? 17 + trial / 8 % 5 : 1 + static_cast<int>(draw() % 300);
        const int apart = std::min(chunk, 2 * size / 33);
        const int begin = static_cast<int>(draw() % static_cast<std::uint32_t>(2 * size - 32 * apart));
        for (int lane = 0; lane < 32; ++lane) where[static_cast<std::size_t>(lane)] = begin + lane * apart;
    }
    std::vector<std::uint32_t> a, b;
    std::vector<std::int32_t> where = std::vector<std::int32_t>(32);
    int size = 0;

  private:
    std::uint32_t draw() {
        state_ = state_ * 1664525U + 1013904223U;
        return state_ >> 2U;
    }
    std::uint32_t state_ = 7;
};

struct Arrivals {
    std::uint64_t inner = 0;
    std::uint64_t outer = 0;
    bool operator==(const Arrivals&) const = default;
};

std::vector<Arrivals> recorded_arrivals() {
    std::ifstream file(std::string(SASSAFRAS_SOURCE_DIR) + "/tests/golden/execute/co_rank_groups.csv");
    REQUIRE(file.good());
    std::vector<Arrivals> all;
    std::string line;
    std::getline(file, line);
    while (std::getline(file, line)) {
        std::istringstream cells(line);
        std::size_t launch = 0;
        char comma = 0;
        Arrivals arrivals;
        cells >> launch >> comma >> arrivals.inner >> comma >> arrivals.outer;
        REQUIRE(launch == all.size());
        all.push_back(arrivals);
    }
    return all;
}

std::vector<std::byte> cubin() {
    std::ifstream file(std::string(SASSAFRAS_SOURCE_DIR) + "/tests/fixtures/execute/co_rank.cubin", std::ios::binary);
    REQUIRE(file.good());
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
    const auto view = std::as_bytes(std::span(bytes));
    return {view.begin(), view.end()};
}

Arrivals arrivals_of(const sim::KernelResult& result) {
    Arrivals arrivals;
    for (const sim::SourceRow& row : result.source) {
        if (sassafras::source_rows::sass(row).find("BSYNC B1") != std::string::npos)
            arrivals.inner += row.inst_executed;
        if (sassafras::source_rows::sass(row).find("BSYNC B0") != std::string::npos)
            arrivals.outer += row.inst_executed;
    }
    return arrivals;
}

}  // namespace

TEST_CASE("groups of a warp run and meet as on an H200", "[hardware]") {
    const auto platform = sim::load_platform("h200");
    REQUIRE(platform.ok());
    const auto device = sim::make_functional_device(platform->platform, {});
    const auto module = device->load_module(cubin(), "co_rank.cubin");
    REQUIRE(module.ok());
    ProbeInputs inputs;
    const auto place = [&](const auto& values) {
        const auto bytes = std::as_bytes(std::span(values));
        const auto address = device->allocate(Bytes{bytes.size()});
        REQUIRE(address.ok());
        REQUIRE(device->copy_to_device(*address, bytes).ok());
        return *address;
    };
    const Address a = place(inputs.a), b = place(inputs.b), where = place(inputs.where), out = place(inputs.where);

    const std::vector<Arrivals> hardware = recorded_arrivals();
    REQUIRE(hardware.size() == 600);
    std::size_t agreeing = 0;
    for (std::size_t trial = 0; trial < hardware.size(); ++trial) {
        inputs.next(static_cast<int>(trial));
        REQUIRE(device->copy_to_device(where, std::as_bytes(std::span(inputs.where))).ok());
        device->clear_results();
        sim::Launch launch;
        launch.module = *module;
        launch.kernel = "rank";
        launch.grid = {1, 1, 1};
        launch.block = {32, 1, 1};
        launch.arguments.add(a).add(inputs.size).add(b).add(inputs.size).add(where).add(out);
        REQUIRE(device->launch(launch).ok());
        REQUIRE(device->synchronize().ok());
        const Arrivals ours = arrivals_of(device->results().front());
        if (ours == hardware[trial])
            ++agreeing;
        else
            UNSCOPED_INFO("launch " << trial << ": inner " << ours.inner << ", hardware " << hardware[trial].inner
                                    << "; outer " << ours.outer << ", hardware " << hardware[trial].outer);
    }
    CHECK(agreeing == hardware.size());
}
