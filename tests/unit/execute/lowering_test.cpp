// Lowering of forms that no compiler's output at hand has.
#include <cstring>

#include <catch2/catch.hpp>

#include "sim/execute/coverage.hpp"
#include "sim/execute/lowering.hpp"

namespace {

using namespace sassafras;

isa::Instruction with_key(unsigned key, std::uint64_t rest_of_low) {
    isa::Word128 word;
    word.low = (key & 0xfffU) | 7U << 12U | rest_of_low;  // no guard
    word.high = static_cast<std::uint64_t>(key >> 12U) << 27U;
    auto decoded = isa::decode(word);
    REQUIRE(decoded.ok());
    return *decoded;
}

}  // namespace

TEST_CASE("UIADD3 of 64 bits is refused in every form", "[execute]") {
    isa::Program program;
    for (const unsigned key : {0x1290U, 0x1490U, 0x1890U, 0x1297U, 0x1497U, 0x1897U})
        program.instructions.push_back(with_key(key, 0));
    CHECK(sim::modelled_instructions(program) == std::vector<bool>{true, true, true, false, false, false});
}

TEST_CASE("R2P takes its mask from where its form says", "[execute]") {
    constexpr std::uint64_t constant_at_0x20 = std::uint64_t{0x20} << 38U;
    constexpr std::uint64_t register_6 = std::uint64_t{6} << 32U;
    isa::Program program;
    program.instructions.push_back(with_key(0x0a04, constant_at_0x20));  // R2P PR, R0, c[0x0][0x20]
    program.instructions.push_back(with_key(0x0204, register_6));        // R2P PR, R0, R6
    sim::Launch launch;
    launch.program = &program;
    launch.banks.assign(1, std::vector<std::byte>(64));
    const std::uint32_t mask = 0x5a;
    std::memcpy(launch.banks[0].data() + 0x20, &mask, sizeof mask);
    sim::Lowering to(program, launch);
    to.run();
    const std::uint32_t constant = launch.ops[0].b;
    REQUIRE((constant & 1U) != 0);  // a row of the launch's constants
    std::uint32_t found = 0;
    std::memcpy(&found, launch.constants.data() + (constant & ~1U), sizeof found);
    CHECK(found == mask);
    CHECK(launch.ops[1].b == to.vector_source(6));
}
