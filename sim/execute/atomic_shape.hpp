// What an atomic operation does to the word or words that it addresses.
#pragma once

#include <cstdint>

#include "isa/sass/fields.hpp"

namespace sassafras::sim {

enum class AtomicElement : std::uint32_t { u32, s32, u64, s64, f32_flush, f64, f16x2, bf16x2, b32, b64, b128 };
enum class AtomicAction : std::uint32_t { operate, swap_if_equal, store_if_equal };

/// What an instruction does, packed into MicroOp::m2. Vectors are several elements side by side.
struct AtomicShape {
    AtomicElement type{};
    isa::fields::AtomicOperation operation{};
    AtomicAction action{};
    unsigned elements = 1;

    [[nodiscard]] constexpr unsigned words_an_element() const {
        switch (type) {
            case AtomicElement::u64:
            case AtomicElement::s64:
            case AtomicElement::f64:
            case AtomicElement::b64: return 2;
            case AtomicElement::b128: return 4;
            default: return 1;
        }
    }
    [[nodiscard]] constexpr unsigned words() const { return elements * words_an_element(); }
    /// ATOM does these on global memory only, and its predicate says where it did: the code behind it does the rest.
    [[nodiscard]] constexpr bool is_floating() const {
        return type == AtomicElement::f16x2 || type == AtomicElement::bf16x2 || type == AtomicElement::f32_flush ||
               type == AtomicElement::f64;
    }
    [[nodiscard]] constexpr std::uint32_t packed() const {
        return static_cast<std::uint32_t>(type) | static_cast<std::uint32_t>(operation) << 8U |
               static_cast<std::uint32_t>(action) << 16U | elements << 24U;
    }
    [[nodiscard]] static constexpr AtomicShape unpack(std::uint32_t bits) {
        return {static_cast<AtomicElement>(bits & 0xffU), static_cast<isa::fields::AtomicOperation>(bits >> 8U & 0xffU),
                static_cast<AtomicAction>(bits >> 16U & 0xffU), bits >> 24U};
    }
};

}  // namespace sassafras::sim
