// Values of the reference implementation: xxHash's README of its Python binding, and its sanity tests.
#include <catch2/catch.hpp>

#include <string_view>

#include "core/xxhash64.hpp"

using namespace sassafras;

namespace {
std::uint64_t hash(std::string_view text) { return xxhash64(std::as_bytes(std::span(text.data(), text.size()))); }
}  // namespace

TEST_CASE("XXH64 of texts shorter and longer than a stripe") {
    CHECK(hash("") == 0xef46db3751d8e999U);
    CHECK(hash("a") == 0xd24ec4f1a98c6e5bU);
    CHECK(hash("abc") == 0x44bc2cf5ad770999U);
    CHECK(hash("Nobody inspects the spammish repetition") == 0xfbcea83c8a378bf1U);
}
