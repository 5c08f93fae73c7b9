// Code for sm_75 and sm_80 on the platforms that run it, against the same arithmetic in C++: what differs between
// architectures outside the instructions (tests/fixtures/architectures.cu).
#include <catch2/catch.hpp>

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "devices.hpp"
#include "sim/device/modelled_devices.hpp"
#include "sim/platform/platform_reader.hpp"

using namespace sassafras;
using namespace sassafras::sim;

namespace {

constexpr std::uint32_t threads = 64;

struct Machine {
    std::string platform;
    std::string cubin;
    bool timed = false;
};
const std::vector<Machine> machines{{"a100", "../architectures_80.cubin", false},
                                    {"a100", "../architectures_80.cubin", true},
                                    {"t4", "../architectures_75.cubin", false},
                                    {"t4", "../architectures_75.cubin", true}};

class Fixture {
  public:
    explicit Fixture(const Machine& machine) {
        const auto platform = load_platform(machine.platform);
        REQUIRE(platform);
        device_ = machine.timed ? make_simulated_device(platform->platform, {})
                                : make_functional_device(platform->platform, {});
        const auto module = device_->load_module(sim::test::fixture(machine.cubin), machine.cubin);
        if (!module) FAIL(module.error().message());
        module_ = *module;
        const auto memory = device_->allocate(Bytes{bytes});
        REQUIRE(memory);
        memory_ = *memory;
    }
    [[nodiscard]] std::uint64_t memory() const { return memory_.value; }

    /// The memory after one block of 64 threads, whose words were 0, 1, 2... before.
    template <class T>
    std::vector<T> run(const std::string& kernel, Arguments arguments, std::uint64_t dynamic = 0) {
        std::vector<std::int32_t> before(bytes / 4);
        for (std::size_t i = 0; i < before.size(); ++i) before[i] = static_cast<std::int32_t>(i);
        REQUIRE(device_->copy_to_device(memory_, std::as_bytes(std::span(before))));
        Launch launch;
        launch.module = module_;
        launch.kernel = kernel;
        launch.grid = {1, 1, 1};
        launch.block = {threads, 1, 1};
        launch.dynamic_shared = {dynamic};
        launch.arguments = std::move(arguments);
        INFO(kernel);
        if (auto done = device_->launch(launch); !done) FAIL(done.error().message());
        if (auto done = device_->synchronize(); !done) FAIL(done.error().message());
        std::vector<T> after(bytes / sizeof(T));
        REQUIRE(device_->copy_from_device(std::as_writable_bytes(std::span(after)), memory_));
        return after;
    }
    template <class... Rest>
    std::vector<std::int32_t> words(const std::string& kernel, std::uint64_t dynamic, Rest... rest) {
        Arguments arguments;
        arguments.add(memory());
        (arguments.add(rest), ...);
        return run<std::int32_t>(kernel, std::move(arguments), dynamic);
    }

  private:
    static constexpr std::size_t bytes = 4096;
    std::unique_ptr<Device> device_;
    ModuleId module_;
    Address memory_;
};

int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

}  // namespace

TEST_CASE("shared memory begins where the architecture's code expects it", "[architectures]") {
    for (const Machine& machine : machines) {
        CAPTURE(machine.platform, machine.timed);
        Fixture fixture(machine);
        for (const int n : {4, 5}) {
            const auto words = fixture.words("shared_and_pointers", 4 * threads, n);
            for (int i = 0; i < int(threads); ++i) {
                CAPTURE(n, i);
                // Through p, a thread reads its neighbour's word, which that one may have written: not compared.
                if (n % 2 != 0) CHECK(words[static_cast<std::size_t>(i)] == (i ^ 1) * n + 63 - i + n);
            }
        }
    }
}

TEST_CASE("variables, and pointers to them, in each architecture's constant banks", "[architectures]") {
    for (const Machine& machine : machines) {
        CAPTURE(machine.platform, machine.timed);
        Fixture fixture(machine);
        const std::array<int, 4> table{1, 2, 3, 4};
        const std::array<int, 4> initialised{10, 20, 30, 40};
        for (const int n : {1, 2, 3, 4}) {
            const auto words = fixture.words("variables", 0, n);
            CHECK(words[0] == (n % 2 != 0 ? table : initialised)[static_cast<std::size_t>(n) % 4]);
            CHECK(words[1] == 30);
        }
    }
}

TEST_CASE("calls, recursion and function pointers", "[architectures]") {
    for (const Machine& machine : machines) {
        CAPTURE(machine.platform, machine.timed);
        Fixture fixture(machine);
        for (const int n : {6, 9}) {
            const auto words = fixture.words("calls", 0, n);
            CHECK(words[0] == fibonacci(n));
            CHECK(words[1] == (n % 2 == 0 ? 3 * n : n + 7));
        }
    }
}

TEST_CASE("jump tables", "[architectures]") {
    for (const Machine& machine : machines) {
        CAPTURE(machine.platform, machine.timed);
        Fixture fixture(machine);
        const int n = 5;
        const auto words = fixture.words("jump_table", 0, n);
        for (int i = 0; i < int(threads); ++i) {
            CAPTURE(i);
            const std::array<int, 7> expected{3 * i, 7 + n, i - n, i * i, i / 3, n % (i + 1), -1};
            CHECK(words[static_cast<std::size_t>(i)] == expected[static_cast<std::size_t>((i + n) % 7)]);
        }
    }
}

TEST_CASE("a parameter that is indexed, and one whose address is taken", "[architectures]") {
    for (const Machine& machine : machines) {
        CAPTURE(machine.platform, machine.timed);
        Fixture fixture(machine);
        std::array<std::int32_t, 64> big{};
        for (std::size_t i = 0; i < big.size(); ++i) big[i] = static_cast<std::int32_t>(1000 + 3 * i);
        for (const int n : {2, 7}) {
            const auto words =
                fixture.run<std::int32_t>("indexed_parameter", Arguments().add(big).add(fixture.memory()).add(n));
            CHECK(words[0] == (n % 2 != 0 ? big[static_cast<std::size_t>(n) + 3] : n));
            for (std::size_t i = 0; i < threads; ++i)
                CHECK(words[i + 8] == big[(i + static_cast<std::size_t>(n)) % 64]);
        }
    }
}

TEST_CASE("local arrays", "[architectures]") {
    for (const Machine& machine : machines) {
        CAPTURE(machine.platform, machine.timed);
        Fixture fixture(machine);
        const int n = 11;
        std::array<int, 32> values{};
        for (int i = 0; i < 32; ++i) values[static_cast<std::size_t>(i)] = i * n;
        for (int i = 0; i < 32; ++i) values[static_cast<std::size_t>((i * 7 + n) & 31)] += i;
        const auto words = fixture.words("local_array", 0, n);
        for (int i = 0; i < int(threads); ++i)
            CHECK(words[static_cast<std::size_t>(i)] == values[static_cast<std::size_t>((i * n) & 31)]);
    }
}

TEST_CASE("FP64 division, whose steps wait for scoreboards", "[architectures]") {
    for (const Machine& machine : machines) {
        CAPTURE(machine.platform, machine.timed);
        Fixture fixture(machine);
        const double x = 3.7;
        const auto values = fixture.run<double>("division", Arguments().add(fixture.memory()).add(x));
        for (std::size_t i = 0; i < threads; ++i) CHECK(values[i] == static_cast<double>(i + 1) / x);
    }
}

TEST_CASE("sizes of the launch in constant bank 0", "[architectures]") {
    for (const Machine& machine : machines) {
        CAPTURE(machine.platform, machine.timed);
        Fixture fixture(machine);
        const auto words = fixture.run<std::int32_t>("sizes", Arguments().add(fixture.memory()), 512);
        CHECK(words[0] == int(threads));
        CHECK(words[1] == 1);
        CHECK(words[2] == 1);
        CHECK(words[3] == 1);
        CHECK(words[4] == 1);
        CHECK(words[5] == 512);
        CHECK(words[6] == 512);
    }
}
