#include <catch2/catch.hpp>

#include <cstring>

#include "sim/device/parameter_area.hpp"

using namespace sassafras;
using namespace sassafras::sim;

namespace {

/// char at 0, int at 4, long at 8: as nvcc lays out (char, int, long long).
isa::Kernel three_parameters() {
    isa::Kernel kernel;
    kernel.parameters = {{0, 0, 1}, {1, 4, 4}, {2, 8, 8}};
    kernel.parameter_bytes = 16;
    return kernel;
}

Arguments three_arguments() {
    Arguments arguments;
    arguments.add(std::uint8_t{0xab}).add(std::uint32_t{0x01020304}).add(std::uint64_t{0x1122334455667788});
    return arguments;
}

}  // namespace

TEST_CASE("arguments lie at the offsets of their parameters and gaps are zero") {
    const auto area = pack_parameters(three_parameters(), three_arguments(), "k");
    REQUIRE(area.ok());
    REQUIRE(area->size() == 16);
    CHECK(std::to_integer<int>((*area)[0]) == 0xab);
    for (std::size_t gap = 1; gap < 4; ++gap) CHECK(std::to_integer<int>((*area)[gap]) == 0);
    std::uint32_t middle = 0;
    std::uint64_t last = 0;
    std::memcpy(&middle, area->data() + 4, sizeof middle);
    std::memcpy(&last, area->data() + 8, sizeof last);
    CHECK(middle == 0x01020304);
    CHECK(last == 0x1122334455667788);
}

TEST_CASE("a wrong size names the argument, the parameter and both sizes") {
    Arguments arguments;
    arguments.add(std::uint8_t{1}).add(std::uint64_t{2}).add(std::uint64_t{3});
    const std::string where{"m.cubin, kernel k"};
    const auto area = pack_parameters(three_parameters(), arguments, where);
    REQUIRE_FALSE(area.ok());
    CHECK(area.error().kind == ErrorKind::bad_input);
    CHECK(area.error().what == "argument 1 has 8 bytes, but parameter 1 at offset 4 has 4");
    CHECK(area.error().where == where);
}

TEST_CASE("too few and too many arguments are told apart") {
    Arguments few;
    few.add(std::uint8_t{1}).add(std::uint32_t{2});
    const auto missing = pack_parameters(three_parameters(), few, "k");
    REQUIRE_FALSE(missing.ok());
    CHECK(missing.error().what == "the kernel takes 3 arguments, 2 given: parameter 2 of 8 bytes is missing");

    Arguments many = three_arguments();
    many.add(1);
    const auto extra = pack_parameters(three_parameters(), many, "k");
    REQUIRE_FALSE(extra.ok());
    CHECK(extra.error().what == "the kernel takes 3 arguments, 4 given");
}

TEST_CASE("a kernel without parameters has an empty area") {
    const auto area = pack_parameters(isa::Kernel{}, Arguments{}, "k");
    REQUIRE(area.ok());
    CHECK(area->empty());
}
