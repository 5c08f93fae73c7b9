#include <catch2/catch.hpp>

#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "isa/cubin/cubin.hpp"

TEST_CASE("a cubin says which NOPs stand for __syncwarp") {
    const std::string path = SASSAFRAS_SOURCE_DIR "/tests/fixtures/check/races.cubin";
    std::ifstream file(path, std::ios::binary);
    const std::vector<char> text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    const auto cubin = sassafras::isa::read_cubin(std::as_bytes(std::span(text)), path);
    REQUIRE(cubin.ok());
    const auto* const kernel = (*cubin).find("clean_warp");
    REQUIRE(kernel != nullptr);
    // As a reader of .nv.info in Python, written apart, lists attribute 0x28.
    CHECK(kernel->warp_wide_offsets == std::vector<std::uint32_t>{0xf0, 0x110, 0x130});
    CHECK((*cubin).find("clean_barrier")->warp_wide_offsets.empty());
}
