// printf, malloc and assert in kernels against what an H200's driver made of them. Origin: README.md beside this file.
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/device/modelled_devices.hpp"
#include "sim/platform/platform_reader.hpp"

namespace {

using namespace sassafras;

const std::string fixtures_root = SASSAFRAS_SOURCE_DIR;

std::vector<std::byte> read_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::vector<std::byte> bytes;
    for (std::istreambuf_iterator<char> at(file), end; at != end; ++at) bytes.push_back(static_cast<std::byte>(*at));
    return bytes;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

/// A functional device with the fixture loaded; what its kernels say.
struct Driver {
    std::string output;
    std::string errors;
    std::unique_ptr<sim::Device> device;
    sim::ModuleId module;
    Address buffer;

    explicit Driver(std::uint64_t heap = 8U << 20U) {
        const auto platform = sim::load_platform("h200");
        REQUIRE(platform.ok());
        sim::ModelOptions options;
        options.malloc_heap = Bytes{heap};
        options.print = [this](sim::TextStream stream, std::string_view text) {
            (stream == sim::TextStream::output ? output : errors) += text;
        };
        device = sim::make_functional_device(platform->platform, options);
        const auto loaded =
            device->load_module(read_file(fixtures_root + "/tests/fixtures/execute/driver.cubin"), "driver.cubin");
        REQUIRE(loaded.ok());
        module = *loaded;
        buffer = device->allocate(Bytes{1U << 20U}).value();
    }

    Result<void> launch(const std::string& kernel, Dim3 grid, Dim3 block, const sim::Arguments& arguments,
                        bool cooperative = false) {
        sim::Launch launch;
        launch.module = module;
        launch.kernel = kernel;
        launch.grid = grid;
        launch.block = block;
        launch.arguments = arguments;
        launch.cooperative = cooperative;
        return device->launch(launch);
    }

    template <class T>
    std::vector<T> words(std::size_t count) {
        std::vector<T> values(count);
        REQUIRE(device->copy_from_device(std::as_writable_bytes(std::span(values)), buffer).ok());
        return values;
    }
};

constexpr const char* formats = "_Z7formatsidfxyPKcPi";
constexpr const char* heap = "_Z4heapPy";

}  // namespace

TEST_CASE("printf in a kernel prints what an H200 prints", "[golden]") {
    Driver driver;
    const std::string text = "device text";
    const Address at = driver.device->allocate(Bytes{64}).value();
    std::vector<std::byte> bytes(text.size() + 1);
    std::memcpy(bytes.data(), text.c_str(), bytes.size());
    REQUIRE(driver.device->copy_to_device(at, bytes).ok());
    sim::Arguments arguments;
    arguments.add(42).add(3.14159265358979).add(2.5F).add(-123456789012345LL).add(0xfedcba9876543210ULL).add(at.value);
    arguments.add(driver.buffer.value);
    REQUIRE(driver.launch(formats, {1, 1, 1}, {1, 1, 1}, arguments).ok());
    // What C leaves undefined: fewer arguments than conversions, more than 32 arguments, and lengths that CUDA does not
    // have (hh, L, q, ls).
    const std::set<std::size_t> undefined{11, 12, 19, 22, 26, 27};
    const std::vector<std::string> expected = lines_of([] {
        std::ifstream file(fixtures_root + "/tests/golden/execute/h200_print.txt");
        return std::string(std::istreambuf_iterator<char>(file), {});
    }());
    const std::vector<std::string> lines = lines_of(driver.output);
    REQUIRE(lines.size() == expected.size());
    for (std::size_t i = 0; i < lines.size(); ++i)
        if (undefined.count(i) == 0) CHECK(lines[i] == expected[i]);
    // What each printf returned on the H200, in order.
    const std::vector<std::int32_t> returned{0, 7, 7, 8, 2, 5, 4,  5, 2, 0, 4, 2, 2, 0, 0,
                                             1, 0, 0, 0, 1, 4, 32, 2, 2, 2, 4, 0, 0, 1, 2};
    const auto ours = driver.words<std::int32_t>(returned.size() + 1);
    for (std::size_t i = 0; i < returned.size(); ++i) {
        INFO(i);
        if (i != 11) CHECK(ours[i] == returned[i]);
    }
    CHECK(ours.back() == -77);
}

TEST_CASE("an assertion that fails says so as the driver does and stops the kernel", "[golden]") {
    Driver driver;
    std::vector<std::int32_t> values(64);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = 1000 + static_cast<std::int32_t>(i);
    REQUIRE(driver.device->copy_to_device(driver.buffer, std::as_bytes(std::span(values))).ok());
    SECTION("all hold") {
        REQUIRE(driver.launch("_Z5checkPii", {2, 1, 1}, {64, 1, 1}, sim::Arguments().add(driver.buffer.value).add(2000))
                    .ok());
        CHECK(driver.errors.empty());
    }
    SECTION("of some lanes it does not") {
        const auto result =
            driver.launch("_Z5checkPii", {1, 1, 1}, {64, 1, 1}, sim::Arguments().add(driver.buffer.value).add(1061));
        REQUIRE_FALSE(result.ok());
        CHECK(result.error().fault == FaultKind::assertion);
        CHECK(driver.errors ==
              "driver.cu:21: void check(int *, int): block: [0,0,0], thread: [61,0,0] Assertion `p[threadIdx.x] < "
              "limit` failed.\n"
              "driver.cu:21: void check(int *, int): block: [0,0,0], thread: [62,0,0] Assertion `p[threadIdx.x] < "
              "limit` failed.\n"
              "driver.cu:21: void check(int *, int): block: [0,0,0], thread: [63,0,0] Assertion `p[threadIdx.x] < "
              "limit` failed.\n");
    }
    SECTION("in a function of a template") {
        values[1] = 3;
        REQUIRE(driver.device->copy_to_device(driver.buffer, std::as_bytes(std::span(values))).ok());
        const auto result =
            driver.launch("_Z12check_nestedPi", {1, 1, 1}, {64, 1, 1}, sim::Arguments().add(driver.buffer.value));
        REQUIRE_FALSE(result.ok());
        CHECK(driver.errors ==
              "driver.cu:22: static void space::S<T>::member(T) [with T = int]: block: [0,0,0], thread: [1,0,0] "
              "Assertion `x != 3 && \"a message\"` failed.\n");
    }
}

TEST_CASE("malloc and free in kernels", "[golden]") {
    Driver driver;
    SECTION("what can and what cannot be had") {
        REQUIRE(driver.launch(heap, {1, 1, 1}, {1, 1, 1}, sim::Arguments().add(driver.buffer.value)).ok());
        const auto got = driver.words<std::uint64_t>(11);
        for (const std::size_t i : {0U, 1U, 2U, 3U, 4U, 7U, 8U, 9U, 10U}) CHECK(got[i] != 0);
        CHECK(got[5] == 0);  // 9 MiB of 8
        CHECK(got[6] == 0);
        for (const std::uint64_t address : got) CHECK(address % 16 == 0);
        CHECK(got[9] % 128 == 0);  // of an over-aligned type
    }
    SECTION("blocks of threads do not overlap") {
        REQUIRE(
            driver.launch("_Z10per_threadPy", {1, 1, 1}, {64, 1, 1}, sim::Arguments().add(driver.buffer.value)).ok());
        const auto got = driver.words<std::uint64_t>(128);
        const std::set<std::uint64_t> distinct(got.begin(), got.begin() + 64);
        CHECK(distinct.size() == 64);
        for (std::size_t i = 0; i < 64; ++i) CHECK(got[64 + i] == (i ^ 1U));
    }
    SECTION("one kernel frees what another allocated") {
        REQUIRE(driver.launch("_Z4keepPPi", {1, 1, 1}, {1, 1, 1}, sim::Arguments().add(driver.buffer.value)).ok());
        const Address out{driver.buffer.value + 8};
        const auto use = [&] {
            return driver.launch("_Z3usePPiS_", {1, 1, 1}, {1, 1, 1},
                                 sim::Arguments().add(driver.buffer.value).add(out.value));
        };
        REQUIRE(use().ok());
        CHECK(driver.words<std::uint64_t>(2)[1] == 1234);
        const auto again = use();
        REQUIRE_FALSE(again.ok());
        CHECK_THAT(again.error().message(), Catch::Matchers::Contains("free()"));
    }
    SECTION("the heap is as large as asked for") {
        Driver small(1U << 16U);
        REQUIRE(small
                    .launch("_Z4grabPyii", {1, 1, 1}, {1, 1, 1},
                            sim::Arguments().add(small.buffer.value).add(1008).add(1000))
                    .ok());
        CHECK(small.words<std::uint64_t>(1)[0] == 64);
    }
}

TEST_CASE("a grid of blocks waits for all of its blocks", "[golden]") {
    Driver driver;
    const auto arguments = sim::Arguments().add(driver.buffer.value).add(5);
    REQUIRE(driver.launch("_Z8grid_sumPyi", {300, 1, 1}, {64, 1, 1}, arguments, true).ok());
    // The sum over rounds and blocks of 1000 * round + block.
    CHECK(driver.words<std::uint64_t>(1)[0] == 300 * 1000 * 10 + 5 * (299 * 300 / 2));
    const auto result = driver.launch("_Z8grid_sumPyi", {100000, 1, 1}, {64, 1, 1}, arguments, true);
    REQUIRE_FALSE(result.ok());
    CHECK_THAT(result.error().message(), Catch::Matchers::Contains("cooperative launch of 100000 blocks"));
}
