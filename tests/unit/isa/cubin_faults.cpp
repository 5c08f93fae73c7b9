// Bad files: an Error that says what, where and what to do, never a crash.
#include <cstring>
#include <random>

#include "cubin_fixture.hpp"
#include "isa/program/program.hpp"

using namespace sassafras;
using namespace sassafras::isa;
using Catch::Matchers::Contains;
using test::fixture_bytes;

namespace {

Error error_of(const std::vector<std::byte>& bytes) {
    const auto cubin = read_cubin(bytes, "file.cubin");
    REQUIRE_FALSE(cubin);
    CHECK_THAT(cubin.error().where, Contains("file.cubin"));
    CHECK_FALSE(cubin.error().what.empty());
    CHECK_FALSE(cubin.error().remedy.empty());
    return cubin.error();
}

template <class T>
void put(std::vector<std::byte>& bytes, std::size_t offset, T value) {
    REQUIRE(offset + sizeof value <= bytes.size());
    std::memcpy(bytes.data() + offset, &value, sizeof value);
}

template <class T>
T get(const std::vector<std::byte>& bytes, std::size_t offset) {
    T value;
    REQUIRE(offset + sizeof value <= bytes.size());
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

/// Offset of the section header whose name is `name`.
std::size_t header_of(const std::vector<std::byte>& bytes, const std::string& name) {
    const auto table = get<std::uint64_t>(bytes, 40);
    const auto names = get<std::uint64_t>(bytes, table + 64U * get<std::uint16_t>(bytes, 62) + 24);
    for (std::size_t i = 0; i < get<std::uint16_t>(bytes, 60); ++i)
        if (name == reinterpret_cast<const char*>(bytes.data() + names + get<std::uint32_t>(bytes, table + 64 * i)))
            return table + 64 * i;
    FAIL("no section " << name);
    return 0;
}

/// Reads it, and builds every kernel of it; the result may be anything but a crash. True if the file was accepted.
bool survives(const std::vector<std::byte>& bytes) {
    const auto cubin = read_cubin(bytes, "damaged.cubin");
    if (!cubin) {
        CHECK_FALSE(cubin.error().message().empty());
        return false;
    }
    for (const Kernel& kernel : cubin->kernels) {
        const auto program = build_program(kernel);
        if (!program) CHECK_FALSE(program.error().message().empty());
    }
    return true;
}

}  // namespace

TEST_CASE("files that are no cubins") {
    CHECK_THAT(error_of({}).what, Contains("empty"));
    CHECK_THAT(error_of(std::vector<std::byte>(100)).what, Contains("not an ELF"));
    auto bytes = fixture_bytes("sm_100.cubin");
    put<std::uint16_t>(bytes, 18, 62);  // x86-64
    CHECK_THAT(error_of(bytes).what, Contains("not an NVIDIA GPU"));
}

TEST_CASE("a cubin for another GPU says which") {
    const Error error = error_of(fixture_bytes("sm_100.cubin"));
    CHECK(error.kind == ErrorKind::bad_input);
    CHECK_THAT(error.what, Contains("is for sm_100") && Contains("runs sm_75, 80, 86, 89, 90"));
    CHECK_THAT(error.remedy, Contains("-arch=sm_90"));
}

TEST_CASE("the SM number of an older toolkit's file is in another byte") {
    auto bytes = fixture_bytes("sm_100.cubin");
    put<std::uint8_t>(bytes, 7, 0x33);
    put<std::uint32_t>(bytes, 48, 0x00480548);
    CHECK_THAT(error_of(bytes).what, Contains("sm_72"));
}

TEST_CASE("a stack that the linker could not bound is the driver's default") {
    auto bytes = fixture_bytes("basics.cubin");
    const auto info = get<std::uint64_t>(bytes, header_of(bytes, ".nv.info") + 24);
    put<std::uint32_t>(bytes, info + 3 * 12 + 8,
                       0xffffffffU);  // FRAME_SIZE of stack_frame, the fourth item of 12 bytes
    const auto cubin = read_cubin(bytes, "file.cubin");
    REQUIRE(cubin);
    const Kernel* kernel = cubin->find("stack_frame");
    REQUIRE(kernel != nullptr);
    CHECK(kernel->local_per_thread == default_stack_limit);
}

TEST_CASE("a relocatable cubin must be linked") {
    CHECK_THAT(error_of(fixture_bytes("relocatable.cubin")).what, Contains("not linked"));
}

TEST_CASE("faults name the section") {
    auto bytes = fixture_bytes("basics.cubin");
    SECTION("section out of range") {
        put<std::uint64_t>(bytes, header_of(bytes, ".text.parameters") + 32, ~std::uint64_t{0} - 5);
        CHECK_THAT(error_of(bytes).what, Contains("out of range"));
    }
    SECTION("code not a multiple of 16 bytes") {
        put<std::uint64_t>(bytes, header_of(bytes, ".text.parameters") + 32, 0x2f8);
        CHECK_THAT(error_of(bytes).where, Contains(".text.parameters"));
    }
    SECTION("kernel without .nv.info") {
        const std::size_t header = header_of(bytes, ".nv.info.parameters");
        put<std::uint32_t>(bytes, header, get<std::uint32_t>(bytes, header) + 1);  // "nv.info.parameters"
        const Error error = error_of(bytes);
        CHECK_THAT(error.what, Contains("no .nv.info"));
        CHECK_THAT(error.where, Contains(".text.parameters"));
    }
    SECTION("cut .nv.info") {
        const std::size_t header = header_of(bytes, ".nv.info.parameters");
        put<std::uint64_t>(bytes, header + 32, get<std::uint64_t>(bytes, header + 32) - 1);
        CHECK_THAT(error_of(bytes).where, Contains(".nv.info.parameters"));
    }
    SECTION("symbol of a relocation") {
        const std::size_t header = header_of(bytes, ".rela.nv.constant4");
        put<std::uint32_t>(bytes, get<std::uint64_t>(bytes, header + 24) + 12, 0xffffffffU);
        CHECK_THAT(error_of(bytes).where, Contains(".rela.nv.constant4"));
    }
    SECTION("place of a relocation") {
        const std::size_t header = header_of(bytes, ".rela.nv.constant4");
        put<std::uint64_t>(bytes, get<std::uint64_t>(bytes, header + 24), 24 - 7);
        CHECK_THAT(error_of(bytes).what, Contains("outside .nv.constant4"));
    }
    SECTION("unknown type of a relocation is not modelled") {
        const std::size_t header = header_of(bytes, ".rela.nv.constant4");
        put<std::uint32_t>(bytes, get<std::uint64_t>(bytes, header + 24) + 8, 99);
        const Error error = error_of(bytes);
        CHECK(error.kind == ErrorKind::not_modelled);
        CHECK_THAT(error.what, Contains("type 99"));
    }
    SECTION("sections that overlap") {
        const std::size_t header = header_of(bytes, ".text.empty");
        put<std::uint64_t>(bytes, header + 24, 0);
        put<std::uint64_t>(bytes, header + 32, bytes.size() / 16 * 16);
        CHECK_THAT(error_of(bytes).what, Contains("overlap"));
    }
}

TEST_CASE("a cubin cut at any length is refused") {
    // The tables of sections and segments are at the end, so every cut loses something.
    for (const char* name : {"linked.cubin", "control_flow.cubin"}) {
        const auto bytes = fixture_bytes(name);
        std::size_t accepted = 0;
        for (std::size_t length = 0; length < bytes.size(); ++length)
            if (read_cubin(std::span(bytes).first(length), name)) ++accepted;
        CHECK(accepted == 0);
    }
}

TEST_CASE("flipped bits never crash the reader or the builder") {
    std::mt19937 random(20240501);
    for (const char* name : {"linked.cubin", "control_flow.cubin", "basics.cubin"}) {
        const auto bytes = fixture_bytes(name);
        std::size_t refused = 0;
        for (int round = 0; round < 700; ++round) {
            auto damaged = bytes;
            const auto flips = 1 + random() % 8;
            for (std::size_t i = 0; i < flips; ++i)
                damaged[random() % damaged.size()] ^= std::byte{1} << (random() % 8);
            if (!survives(damaged)) ++refused;
        }
        CHECK(refused > 0);
        CHECK(survives(bytes));
    }
}

TEST_CASE("flipped bits in the tables never crash the reader or the builder") {
    // Most of a file is code and debug information; headers, symbols, relocations and attributes are where it matters.
    std::mt19937 random(7);
    const auto bytes = fixture_bytes("linked.cubin");
    std::vector<std::size_t> places;
    const auto table = get<std::uint64_t>(bytes, 40);
    for (std::size_t i = 0; i < 64; ++i) places.push_back(i);
    for (std::size_t i = table; i < bytes.size(); ++i) places.push_back(i);
    for (const char* name : {".symtab", ".nv.info", ".nv.info.calls_outside", ".rela.text.calls_outside",
                             ".rela.nv.global.init", ".shstrtab"}) {
        const std::size_t header = header_of(bytes, name);
        for (std::uint64_t i = 0; i < get<std::uint64_t>(bytes, header + 32); ++i)
            places.push_back(get<std::uint64_t>(bytes, header + 24) + i);
    }
    std::size_t refused = 0;
    for (int round = 0; round < 3000; ++round) {
        auto damaged = bytes;
        damaged[places[random() % places.size()]] ^= std::byte{1} << (random() % 8);
        if (!survives(damaged)) ++refused;
    }
    CHECK(refused > 300);
}
