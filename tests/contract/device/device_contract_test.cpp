// What every Device must do, whatever is behind it.
#include <catch2/catch.hpp>

#include <cstring>
#include <iostream>

#include "devices.hpp"

using namespace sassafras;
using namespace sassafras::sim;
using namespace sassafras::sim::test;

namespace {

template <class Body>
void on_each(const Body& body) {
    for (const auto& implementation : implementations()) {
        INFO("device " << implementation.name);
        const auto device = implementation.make();
        body(*device, implementation);
    }
}

std::vector<std::byte> pattern(std::size_t size) {
    std::vector<std::byte> bytes(size);
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>((i * 7 + 3) & 0xffU);
    return bytes;
}

ModuleId load(Device& device, const std::string& name = "faults.cubin") {
    const auto module = device.load_module(fixture(name), name);
    INFO((module.ok() ? "" : module.error().message()));
    REQUIRE(module.ok());
    return *module;
}

Launch make_launch(ModuleId module, const std::string& kernel, Dim3 grid, Dim3 block, Arguments arguments,
                   std::uint64_t shared = 0) {
    Launch launch;
    launch.module = module;
    launch.kernel = kernel;
    launch.grid = grid;
    launch.block = block;
    launch.dynamic_shared = Bytes{shared};
    launch.arguments = std::move(arguments);
    return launch;
}

/// The error of a launch, from launch() or from synchronize().
Result<void> run(Device& device, const Launch& launch) {
    if (auto launched = device.launch(launch); !launched) return launched;
    return device.synchronize();
}

void refuses(const Result<void>& result, ErrorKind kind = ErrorKind::bad_input) {
    REQUIRE_FALSE(result.ok());
    INFO(result.error().message());
    CHECK(result.error().kind == kind);
    CHECK_FALSE(result.error().what.empty());
}

std::vector<std::uint32_t> read_words(Device& device, Address from, std::size_t count) {
    std::vector<std::uint32_t> words(count);
    REQUIRE(device.copy_from_device(std::as_writable_bytes(std::span(words)), from).ok());
    return words;
}

}  // namespace

TEST_CASE("which devices are tested") {
    if (const auto reason = why_no_cuda()) std::cout << "skipped: device cuda: " << *reason << "\n";
    CHECK_FALSE(implementations().empty());
    on_each([](Device& device, const Implementation&) {
        CHECK_FALSE(device.name().empty());
        CHECK(device.sm_count() > 0);
        CHECK(device.results().empty());
    });
}

TEST_CASE("what is copied in comes back") {
    on_each([](Device& device, const Implementation&) {
        for (const std::size_t size : {1U, 511U, 512U, 513U, 100'000U}) {
            const auto address = device.allocate(Bytes{size});
            REQUIRE(address.ok());
            CHECK(address->value % 256 == 0);
            const auto data = pattern(size);
            REQUIRE(device.copy_to_device(*address, data).ok());
            std::vector<std::byte> back(size);
            REQUIRE(device.copy_from_device(back, *address).ok());
            CHECK(back == data);
            REQUIRE(device.fill(*address, std::byte{0x5a}, Bytes{size}).ok());
            REQUIRE(device.copy_from_device(back, *address).ok());
            CHECK(back == std::vector<std::byte>(size, std::byte{0x5a}));
            CHECK(device.free(*address).ok());
        }
    });
}

TEST_CASE("what a device knows to be zero is zero") {
    on_each([](Device& device, const Implementation&) {
        constexpr Bytes size{std::uint64_t{1} << 20U};
        const auto address = device.allocate(size);
        REQUIRE(address.ok());
        REQUIRE(device.fill(*address, std::byte{0}, size).ok());
        for (const std::uint64_t at : {std::uint64_t{0}, size.count / 2 + 1, size.count - 1}) {
            REQUIRE(device.copy_to_device(*address + Bytes{at}, pattern(1)).ok());
            CHECK(device.known_zeros(*address + Bytes{at}, Bytes{1}) == Bytes{0});
            CHECK(device.known_zeros(*address, size) <= Bytes{at});
            CHECK(device.known_zeros(*address + size, Bytes{1}) == Bytes{0});
            REQUIRE(device.fill(*address + Bytes{at}, std::byte{0}, Bytes{1}).ok());
        }
    });
}

TEST_CASE("a part of an allocation can be copied") {
    on_each([](Device& device, const Implementation&) {
        const auto address = device.allocate(Bytes{64});
        REQUIRE(address.ok());
        REQUIRE(device.fill(*address, std::byte{0}, Bytes{64}).ok());
        REQUIRE(device.copy_to_device(*address + Bytes{10}, pattern(4)).ok());
        std::vector<std::byte> back(6);
        REQUIRE(device.copy_from_device(back, *address + Bytes{9}).ok());
        const auto expected = pattern(4);
        CHECK(back[0] == std::byte{0});
        CHECK(std::equal(expected.begin(), expected.end(), back.begin() + 1));
        CHECK(back[5] == std::byte{0});
    });
}

TEST_CASE("live allocations do not overlap") {
    on_each([](Device& device, const Implementation&) {
        std::vector<std::pair<std::uint64_t, std::uint64_t>> live;
        for (std::uint64_t size = 1; size < 5000; size = size * 3 + 1) {
            const auto address = device.allocate(Bytes{size});
            REQUIRE(address.ok());
            for (const auto& [begin, bytes] : live)
                CHECK((address->value >= begin + bytes || begin >= address->value + size));
            live.emplace_back(address->value, size);
        }
    });
}

TEST_CASE("memory errors are values") {
    on_each([](Device& device, const Implementation&) {
        const auto address = device.allocate(Bytes{100});
        REQUIRE(address.ok());
        std::vector<std::byte> bytes(101);
        refuses(device.copy_to_device(*address, bytes));
        refuses(device.copy_from_device(bytes, *address));
        refuses(device.fill(*address, std::byte{0}, Bytes{101}));
        refuses(device.copy_to_device(Address{16}, bytes));
        refuses(device.copy_from_device(bytes, Address{~std::uint64_t{0} - 8}));
        refuses(device.fill(*address, std::byte{0}, Bytes{~std::uint64_t{0}}));
        refuses(device.free(*address + Bytes{1}));
        refuses(device.free(Address{12345}));
        REQUIRE(device.free(*address).ok());
        refuses(device.free(*address));
        refuses(device.copy_from_device(std::span(bytes).first(1), *address));
        const auto huge = device.allocate(Bytes{std::uint64_t{1} << 60});
        REQUIRE_FALSE(huge.ok());
        CHECK(huge.error().kind == ErrorKind::bad_input);
    });
}

TEST_CASE("no bytes are no mistake") {
    on_each([](Device& device, const Implementation&) {
        const auto address = device.allocate(Bytes{4});
        REQUIRE(address.ok());
        CHECK(device.copy_to_device(*address, {}).ok());
        CHECK(device.copy_from_device({}, *address).ok());
        CHECK(device.fill(*address, std::byte{1}, Bytes{0}).ok());
    });
}

TEST_CASE("cubins that are none are refused") {
    on_each([](Device& device, const Implementation&) {
        CHECK_FALSE(device.load_module({}, "empty").ok());
        CHECK_FALSE(device.load_module(pattern(1000), "noise").ok());
        auto cut = fixture("faults.cubin");
        cut.resize(cut.size() / 2);
        CHECK_FALSE(device.load_module(cut, "cut").ok());
        const auto other = device.load_module(fixture("faults_sm80.cubin"), "faults_sm80.cubin");
        REQUIRE_FALSE(other.ok());
        CHECK(other.error().kind == ErrorKind::bad_input);
        CHECK(other.error().message().find("faults_sm80.cubin") != std::string::npos);
    });
}

TEST_CASE("a kernel computes") {
    on_each([](Device& device, const Implementation&) {
        const ModuleId module = load(device);
        constexpr int n = 1000;
        std::vector<float> in(n);
        for (int i = 0; i < n; ++i) in[static_cast<std::size_t>(i)] = static_cast<float>(i) * 0.25F;
        const auto from = device.allocate(Bytes{n * sizeof(float)});
        const auto to = device.allocate(Bytes{n * sizeof(float)});
        REQUIRE((from.ok() && to.ok()));
        REQUIRE(device.copy_to_device(*from, std::as_bytes(std::span(in))).ok());
        const auto done =
            run(device, make_launch(module, "saxpy", {8, 1, 1}, {128, 1, 1},
                                    Arguments().add(to->value).add(from->value).add(3.0F).add(1.0F).add(n)));
        INFO((done.ok() ? "" : done.error().message()));
        REQUIRE(done.ok());
        std::vector<float> out(n);
        REQUIRE(device.copy_from_device(std::as_writable_bytes(std::span(out)), *to).ok());
        int wrong = 0;
        for (std::size_t i = 0; i < n; ++i) wrong += out[i] != 3.0F * in[i] + 1.0F ? 1 : 0;  // exact in FP32
        CHECK(wrong == 0);
        REQUIRE(device.results().size() == 1);
        const KernelResult& result = device.results()[0];
        CHECK(result.name == "saxpy");
        CHECK(result.grid == Dim3{8, 1, 1});
        CHECK(result.block == Dim3{128, 1, 1});
        CHECK(result.registers_per_thread > 0);
        CHECK_FALSE(result.metrics.empty());
        device.clear_results();
        CHECK(device.results().empty());
    });
}

TEST_CASE("arguments of every size arrive") {
    on_each([](Device& device, const Implementation&) {
        const ModuleId module = load(device);
        const auto out = device.allocate(Bytes{6 * 8});
        REQUIRE(out.ok());
        const auto done = run(device, make_launch(module, "echo", {1, 1, 1}, {1, 1, 1},
                                                  Arguments()
                                                      .add(out->value)
                                                      .add(std::uint8_t{200})
                                                      .add(std::uint16_t{60000})
                                                      .add(std::uint32_t{4000000000U})
                                                      .add(std::uint64_t{0x123456789abcdef0U})
                                                      .add(1.5F)
                                                      .add(-2.25)));
        INFO((done.ok() ? "" : done.error().message()));
        REQUIRE(done.ok());
        std::vector<std::uint64_t> words(6);
        REQUIRE(device.copy_from_device(std::as_writable_bytes(std::span(words)), *out).ok());
        CHECK(words == std::vector<std::uint64_t>{200, 60000, 4000000000U, 0x123456789abcdef0U, 0x3fc00000U,
                                                  0xc002000000000000U});
    });
}

TEST_CASE("device variables have their values") {
    on_each([](Device& device, const Implementation&) {
        const ModuleId module = load(device);
        const auto out = device.allocate(Bytes{8});
        REQUIRE(out.ok());
        const auto done =
            run(device, make_launch(module, "variables", {1, 1, 1}, {1, 1, 1}, Arguments().add(out->value)));
        INFO((done.ok() ? "" : done.error().message()));
        REQUIRE(done.ok());
        CHECK(read_words(device, *out, 2) == std::vector<std::uint32_t>{7, 0});
    });
}

TEST_CASE("launches that cannot be are refused, and the device goes on") {
    on_each([](Device& device, const Implementation&) {
        const ModuleId module = load(device);
        const auto out = device.allocate(Bytes{4096 * 4});
        REQUIRE(out.ok());
        const auto arguments = [&] { return Arguments().add(out->value); };
        const auto unknown = run(device, make_launch(module, "no_such_kernel", {1, 1, 1}, {1, 1, 1}, {}));
        refuses(unknown);
        CHECK(unknown.error().message().find("no_such_kernel") != std::string::npos);
        refuses(run(device, make_launch(ModuleId{99}, "bounded", {1, 1, 1}, {1, 1, 1}, arguments())));
        refuses(run(device, make_launch(module, "much_shared", {1, 1, 1}, {1025, 1, 1}, arguments())));
        refuses(run(device, make_launch(module, "bounded", {1, 1, 1}, {129, 1, 1}, arguments())));
        refuses(run(device, make_launch(module, "bounded", {0, 1, 1}, {128, 1, 1}, arguments())));
        refuses(run(device, make_launch(module, "much_shared", {1, 1, 1}, {32, 1, 1}, arguments(), 200'000)));
        refuses(run(device, make_launch(module, "bounded", {1, 1, 1}, {128, 1, 1}, {})));
        refuses(run(device, make_launch(module, "bounded", {1, 1, 1}, {128, 1, 1}, Arguments().add(std::uint32_t{1}))));
        refuses(run(device, make_launch(module, "bounded", {1, 1, 1}, {128, 1, 1}, arguments().add(1))));
        CHECK(device.results().empty());
        const auto done = run(device, make_launch(module, "bounded", {1, 1, 1}, {128, 1, 1}, arguments()));
        INFO((done.ok() ? "" : done.error().message()));
        REQUIRE(done.ok());
        CHECK(read_words(device, *out + Bytes{127 * 4}, 1)[0] == 127);
    });
}

TEST_CASE("most dynamic shared memory of a block can be used") {
    on_each([](Device& device, const Implementation&) {
        const ModuleId module = load(device);
        const auto out = device.allocate(Bytes{4});
        REQUIRE(out.ok());
        constexpr std::int32_t words = 232448 / 4;
        const auto launch = make_launch(module, "shared_out_of_bounds", {1, 1, 1}, {1, 1, 1},
                                        Arguments().add(out->value).add(words - 1), 4ULL * words);
        const auto done = run(device, launch);
        INFO((done.ok() ? "" : done.error().message()));
        REQUIRE(done.ok());
        CHECK(read_words(device, *out, 1)[0] == 1);
    });
}

TEST_CASE("faults of a kernel are failed checks that name it") {
    struct Fault {
        const char* kernel;
        std::uint32_t threads;
        bool scalar;  ///< takes an int after the pointer
    };
    for (const Fault& fault :
         {Fault{"out_of_bounds", 32, true}, Fault{"misaligned", 32, false}, Fault{"shared_out_of_bounds", 1, true}}) {
        for (const auto& implementation : implementations()) {
            INFO("device " << implementation.name << ", kernel " << fault.kernel);
            const auto device = implementation.make();  // a new one for each fault
            const ModuleId module = load(*device);
            const auto out = device->allocate(Bytes{4096});
            REQUIRE(out.ok());
            Arguments arguments;
            arguments.add(out->value);
            if (fault.scalar) arguments.add(std::int32_t{0x10000000});
            const auto done =
                run(*device, make_launch(module, fault.kernel, {1, 1, 1}, {fault.threads, 1, 1}, arguments));
            refuses(done, ErrorKind::check_failed);
            CHECK(done.error().message().find(fault.kernel) != std::string::npos);
        }
    }
}
