// What differs between architectures: the words are of cubins that nvcc 13.0 made, the fields by docs/isa.md.
#include <catch2/catch.hpp>

#include <string>

#include "isa/program/program.hpp"
#include "isa/program/targets.hpp"
#include "isa/sass/atomic_type.hpp"
#include "isa/sass/memory_order.hpp"
#include "isa/sass/table.hpp"
#include "tests/unit/isa/cubin_fixture.hpp"

using namespace sassafras;
using namespace sassafras::isa;
using Catch::Matchers::Contains;

namespace {

Instruction decoded(std::uint64_t high, std::uint64_t low, Architecture architecture) {
    const auto result = decode({low, high}, architecture);
    if (!result) FAIL(result.error().message());
    return *result;
}

std::string text(std::uint64_t high, std::uint64_t low, Architecture architecture, std::uint64_t pc = 0) {
    return print(decoded(high, low, architecture), pc);
}

}  // namespace

TEST_CASE("machine code runs on its own major number and no smaller a minor one") {
    CHECK(runs_on(Architecture::sm_80, {8, 0}));
    CHECK(runs_on(Architecture::sm_80, {8, 6}));
    CHECK(runs_on(Architecture::sm_86, {8, 9}));
    CHECK_FALSE(runs_on(Architecture::sm_86, {8, 0}));
    CHECK_FALSE(runs_on(Architecture::sm_80, {9, 0}));
    CHECK_FALSE(runs_on(Architecture::sm_75, {8, 0}));
    CHECK_FALSE(runs_on(Architecture::sm_90, {8, 9}));
    CHECK(runs_on(Architecture::sm_75, {7, 5}));
    CHECK(has_code_for({7, 5}));
    CHECK_FALSE(has_code_for({7, 0}));
    CHECK_FALSE(has_code_for({10, 0}));
    CHECK(architecture_of(86) == Architecture::sm_86);
    CHECK_FALSE(architecture_of(100));
    CHECK(name_of(Architecture::sm_75) == "sm_75");
}

TEST_CASE("branches have eight more bits on sm_90") {
    // The branch to itself behind the end of a kernel, as each architecture writes it.
    for (const Architecture architecture : {Architecture::sm_75, Architecture::sm_80, Architecture::sm_86})
        CHECK(text(0x000fc0000383ffff, 0xfffffff000007947, architecture, 0xc80) == "BRA 0xc80");
    CHECK(text(0x000fc0000383ffff, 0xfffffffc00fc7947, Architecture::sm_90, 0x150) == "BRA 0x150");
    // Its own address: nvcc adds to it the distance from there to where the call behind it returns.
    const Instruction own = decoded(0x003fca0000000000, 0x000000000008734e, Architecture::sm_80);
    CHECK(text(0x003fca0000000000, 0x000000000008734e, Architecture::sm_80, 0x1c0) == "LEPC R8");
    CHECK(isa::effective_address(own, 0x1c0) == 0x1c0);
    // A call 0x2b0 bytes on, of sm_75.
    const Instruction call = decoded(0x001fea0003c00000, 0x000002b000007944, Architecture::sm_75);
    CHECK(branch_target(call, 0x240) == 0x240U + 16 + 0x2b0);
}

TEST_CASE("an operation is known to the architectures that have it") {
    const Word128 move_to_uniform{0x00000000050a73c2, 0x000e0000};  // R2UR UR10, R5 before sm_90
    CHECK(decode(move_to_uniform, Architecture::sm_75).ok());
    CHECK(decode(move_to_uniform, Architecture::sm_80).ok());
    const auto refused = decode(move_to_uniform, Architecture::sm_90);
    REQUIRE_FALSE(refused);
    CHECK_THAT(refused.error().what, Contains("the sm_90 operation with opcode key"));
    CHECK(find_row(0x236, Architecture::sm_90) != nullptr);  // VIADD
    CHECK(find_row(0x236, Architecture::sm_80) == nullptr);
    CHECK(find_row(0x245, Architecture::sm_86) != nullptr);  // I2FP
    CHECK(find_row(0x245, Architecture::sm_80) == nullptr);
    CHECK(find_row(0x9af, Architecture::sm_80) != nullptr);  // LDGDEPBAR
    CHECK(find_row(0x9af, Architecture::sm_75) == nullptr);
}

TEST_CASE("types of atomics lie apart") {
    const auto type = [](Architecture architecture, unsigned field) {
        Word128 word{0x98e, 0};
        word.high |= std::uint64_t{field} << (73U - 64U);
        const auto instruction = decode(word, architecture);
        REQUIRE(instruction);
        const AtomicDatum datum = atomic_datum(*instruction);
        return std::pair(datum.floating, datum.type);
    };
    using Integer = fields::AtomicType;
    using Float = fields::AtomicFloatType;
    CHECK(type(Architecture::sm_80, 2) == std::pair(false, unsigned(Integer::u64)));
    CHECK(type(Architecture::sm_80, 3) == std::pair(true, unsigned(Float::f32_flush)));
    CHECK(type(Architecture::sm_80, 5) == std::pair(false, unsigned(Integer::s64)));
    CHECK(type(Architecture::sm_75, 6) == std::pair(true, unsigned(Float::f64)));
    CHECK(type(Architecture::sm_90, 3) == std::pair(false, unsigned(Integer::s64)));
}

TEST_CASE("sm_75 adds a uniform register to an address; sm_80 has descriptors") {
    CHECK(text(0x000ea2000c1ee900, 0x0000000a06047981, Architecture::sm_75) == "LDG.E.SYS R4, [R6.64+UR10]");
    CHECK(text(0x000ea4000c1e1900, 0x0000000402007981, Architecture::sm_80) == "LDG.E R0, [R2.64]");
    CHECK(text(0x000ea2000c1ee900, 0x00000024ff057981, Architecture::sm_75) == "LDG.E.SYS R5, [UR36]");
}

TEST_CASE("a weak load of sm_75 is no stronger than one of sm_80") {
    const auto order = [](std::uint64_t high, std::uint64_t low, Architecture architecture) {
        return static_cast<MemoryOrder>(memory_order_of(decoded(high, low, architecture)));
    };
    CHECK(order(0x000ea2000c1ee900, 0x0000000a06047981, Architecture::sm_75) == MemoryOrder::weak);  // LDG.E.SYS
    CHECK(order(0x000ea4000c1e1900, 0x0000000402007981, Architecture::sm_80) == MemoryOrder::weak);  // LDG.E
    CHECK(order(0x000ea2000c1f5900, 0x0000000a06047981, Architecture::sm_75) == MemoryOrder::strong_gpu);
    CHECK(order(0x000ea2000c1f7900, 0x0000000a06047981, Architecture::sm_75) == MemoryOrder::strong_system);
    CHECK(order(0x000ea2000c1e6900, 0x0000000a06047981, Architecture::sm_75) == MemoryOrder::constant);
    CHECK(order(0x000ea2000c1f0900, 0x0000000a06047981, Architecture::sm_75) == MemoryOrder::strong_sm);
}

TEST_CASE("a cubin of each architecture reads: registers, shared memory, parameters") {
    for (const auto& [file, architecture] :
         {std::pair{"architectures_75.cubin", Architecture::sm_75}, {"architectures_80.cubin", Architecture::sm_80}}) {
        const Cubin cubin = test::fixture(file);
        CHECK(cubin.architecture == architecture);
        const Kernel& kernel = test::kernel_of(cubin, "shared_and_pointers");
        CHECK(kernel.architecture == architecture);
        CHECK(kernel.parameter_base == 0x160);
        CHECK(kernel.static_shared == Bytes{256});
        CHECK(kernel.registers_per_thread > 0);
        REQUIRE(kernel.parameters.size() == 2);
        CHECK(kernel.parameters[1].offset == 8);
        for (const Kernel& each : cubin.kernels) {
            const auto program = build_program(each);
            if (!program) FAIL(program.error().message());
        }
    }
}
