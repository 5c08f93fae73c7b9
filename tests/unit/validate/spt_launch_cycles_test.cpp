// Cycles by launch out of a file: in order, by name, all of them.
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <string>

#include "validate/models/spt/launch_cycles.hpp"

using namespace sassafras;
using validate::spt::LaunchCycles;

namespace {

std::string written(const std::string& name, const std::string& text) {
    const auto path = std::filesystem::temp_directory_path() / ("sassafras_launch_cycles_" + name);
    std::ofstream(path) << text;
    return path.string();
}

}  // namespace

TEST_CASE("launches give their cycles in the file's order") {
    auto launches = LaunchCycles::read(written("good.csv", "kernel,sm__cycles_elapsed.max\na,100\nb,200.5\n"));
    REQUIRE(launches.ok());
    CHECK(!launches->all_taken().ok());
    CHECK(*launches->next("a") == 100);
    const auto other = launches->next("c");
    REQUIRE(!other.ok());
    CHECK(other.error().message().find("launch 2 is of b, not of c") != std::string::npos);
    CHECK(*launches->next("b") == 200.5);
    CHECK(launches->all_taken().ok());
    const auto more = launches->next("b");
    REQUIRE(!more.ok());
    CHECK(more.error().message().find("only 2 launches") != std::string::npos);
}

TEST_CASE("files of launches that cannot be are refused") {
    CHECK(!LaunchCycles::read("/nowhere/launches.csv").ok());
    CHECK(!LaunchCycles::read(written("column.csv", "kernel,cycles\na,100\n")).ok());
    const auto none = LaunchCycles::read(written("zero.csv", "kernel,sm__cycles_elapsed.max\na,0\n"));
    REQUIRE(!none.ok());
    CHECK(none.error().message().find("more than 0 cycles") != std::string::npos);
    CHECK(!LaunchCycles::read(written("text.csv", "kernel,sm__cycles_elapsed.max\na,many\n")).ok());
}
