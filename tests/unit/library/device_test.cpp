// The library as another program sees it: its headers alone.
#include <sassafras/device.hpp>
#include <sassafras/version.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>

#include <catch2/catch.hpp>

using sassafras::Arguments;
using sassafras::Device;
using sassafras::DeviceOptions;
using sassafras::ErrorKind;
using sassafras::Module;
using sassafras::Platform;

namespace {

const std::string fixtures = SASSAFRAS_SOURCE_DIR "/tests/fixtures/";

Module fixture_module(const std::string& name) { return *Module::load(fixtures + name); }

Device fixture_device(DeviceOptions options = {}) { return *Device::make(*Platform::load("h200"), std::move(options)); }

constexpr std::uint32_t warp = 32;

}  // namespace

TEST_CASE("library: a launch computes, and says what it did") {
    const Module module = fixture_module("conflicts.cubin");
    Device device = fixture_device();
    const auto out = *device.allocate(warp * sizeof(std::uint32_t));
    const auto done = device.launch(module, {"strided", {1}, {warp}, 0, Arguments(out, std::uint32_t{32})});
    REQUIRE(done.ok());
    const auto result = *device.read_values<std::uint32_t>(out, warp);
    for (std::uint32_t lane = 0; lane < warp; ++lane) CHECK(result[lane] == 2 * 32 * lane + 4096);
    // Each of two reads takes 32 passes, 31 too many.
    CHECK(done->metrics.find("l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum") == 62);
    CHECK(done->cycles() > 0);
    CHECK_FALSE(done->metrics.find("no such metric").has_value());
    for (const auto& metric : done->metrics.values)
        CHECK(std::any_of(sassafras::metric_list().begin(), sassafras::metric_list().end(),
                          [&](const auto& info) { return info.name == metric.name && !info.meaning.empty(); }));
    const auto again = device.launch(module, {"strided", {1}, {warp}, 0, Arguments(out, std::uint32_t{32})});
    CHECK(again->cycles() == done->cycles());  // caches are cold before each
}

TEST_CASE("library: a functional device has no time, and the same results") {
    Device device = fixture_device({.model = DeviceOptions::Model::functional});
    const auto out = *device.allocate(warp * sizeof(std::uint32_t));
    const auto done =
        device.launch(fixture_module("conflicts.cubin"), {"strided", {1}, {warp}, 0, Arguments(out, std::uint32_t{2})});
    REQUIRE(done.ok());
    CHECK(done->cycles() == 0);
    CHECK(done->metrics.find("l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum") == 2);
    CHECK((*device.read_values<std::uint32_t>(out, warp))[3] == 6 + 4102);
}

TEST_CASE("library: memory is written and read within allocations only") {
    Device device = fixture_device();
    const auto place = *device.allocate(16);
    CHECK(place.address % 512 == 0);
    REQUIRE(device.write_values(place, std::vector<float>{1, 2, 3, 4}).ok());
    CHECK(*device.read_values<float>(place + 8, 2) == std::vector<float>{3, 4});
    CHECK(device.write_values(place, std::vector<float>(5)).error().kind == ErrorKind::bad_input);
    CHECK(device.read_values<float>({}, 1).error().kind == ErrorKind::bad_input);
    REQUIRE(device.free(place).ok());
    CHECK(device.free(place).error().kind == ErrorKind::bad_input);
    CHECK_FALSE(device.allocate(std::uint64_t{1} << 50U).ok());
}

TEST_CASE("library: what a caller can do wrong is an error with its place") {
    const auto no_platform = Platform::load("h2000");
    REQUIRE_FALSE(no_platform.ok());
    CHECK(no_platform.error().remedy.find("h200") != std::string::npos);
    const auto wrong = Platform::parse(R"({"name": "x", "base": "h200", "gpu": {"sm_count": -1}})", "text");
    REQUIRE_FALSE(wrong.ok());
    CHECK(wrong.error().message().find("/gpu/sm_count") != std::string::npos);
    constexpr std::array<std::byte, 4> bytes{};
    CHECK(Module::parse(bytes, "zeros").error().kind == ErrorKind::bad_input);
    CHECK(Module::load(fixtures + "none.cubin").error().message().find("none.cubin") != std::string::npos);
    CHECK(Device::make(*Platform::load("h200"), {.threads = 0}).error().where == "DeviceOptions::threads");

    Device device = fixture_device();
    const Module module = fixture_module("conflicts.cubin");
    CHECK(device.launch(module, {"strode", {1}, {warp}, 0, {}}).error().kind == ErrorKind::bad_input);
    CHECK(device.launch(module, {"strided", {1}, {warp}, 0, Arguments(1)}).error().kind == ErrorKind::bad_input);
    const auto outside = device.launch(module, {"strided", {1}, {warp}, 0, Arguments(std::uint64_t{0}, 1)});
    CHECK(outside.error().kind == ErrorKind::check_failed);
    CHECK(outside.error().where.find("strided") != std::string::npos);
    CHECK(Device::make(*Platform::load("gtx980"))->launch(module, {"strided", {1}, {1}, 0, {}}).error().kind ==
          ErrorKind::bad_input);
    CHECK_THROWS_AS(no_platform.value(), std::logic_error);
    CHECK_THROWS_AS(Platform::load("h200").error(), std::logic_error);
}

TEST_CASE("library: platforms and modules say what they are") {
    const auto names = Platform::names();
    CHECK(std::find(names.begin(), names.end(), "h200") != names.end());
    const Platform h200 = *Platform::load("h200");
    CHECK(h200.name() == "h200");
    CHECK(h200.sm_count() == 132);
    CHECK(h200.clock_hertz() == 1.98e9);
    CHECK(h200.compute_capability() == 90);
    CHECK(Platform::parse(h200.json(), "itself")->hash() == h200.hash());
    const auto kernels = fixture_module("conflicts.cubin").kernels();
    const auto strided =
        std::find_if(kernels.begin(), kernels.end(), [](const auto& kernel) { return kernel.name == "strided"; });
    REQUIRE(strided != kernels.end());
    CHECK(strided->static_shared_bytes == 8192 * sizeof(std::uint32_t));
    CHECK(strided->parameter_bytes == std::vector<std::uint32_t>{8, 4});
    CHECK(sassafras::version().starts_with("0."));
}
