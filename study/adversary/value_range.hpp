// The numbers that a search may write into an input.
#pragma once

#include <cstdint>
#include <string>

#include "core/array_file/element_type.hpp"
#include "core/random.hpp"
#include "core/result.hpp"

namespace sassafras::study::adversary {

/// All numbers of a type from one to another. The ends are ordered (element_order.hpp).
struct ValueRange {
    ElementType type = ElementType::u32;
    std::uint64_t least = 0;
    std::uint64_t greatest = 0xffffffff;

    bool operator==(const ValueRange&) const = default;
    /// Of a number's bits.
    [[nodiscard]] bool holds(std::uint64_t bits) const;
    /// Any number of the range, as bits: integers are equally likely, floats by their value.
    [[nodiscard]] std::uint64_t draw(Random& random) const;
    /// A number of the range moved by a power of two, up or down, round the range's ends. Floats move by units in their
    /// last place.
    [[nodiscard]] std::uint64_t moved(std::uint64_t bits, Random& random) const;
};

/// "LEAST..GREATEST", both included: 0..31, -1.5..1e3. Error bad_input: malformed, a number that the type does not
/// have, no number in the range.
[[nodiscard]] Result<ValueRange> parse_value_range(ElementType type, const std::string& text);

}  // namespace sassafras::study::adversary
