// Text as a template's argument: a literal, by its characters.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace sassafras {

template <std::size_t size>
struct LiteralText {
    std::array<char, size> text{};  ///< with the zero that ends it
    // Not consteval: clang 14 calls such constructors at run time in templates.
    // NOLINTNEXTLINE(google-explicit-constructor): so that a literal will do
    constexpr LiteralText(const char (&literal)[size]) {
        for (std::size_t i = 0; i < size; ++i) text[i] = literal[i];
    }
    [[nodiscard]] constexpr std::string_view view() const { return {text.data(), size - 1}; }
};

}  // namespace sassafras
