#include "study/adversary/value_range.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "core/array_file/element_order.hpp"

namespace sassafras::study::adversary {
namespace {

/// The bits of the number that the text is.
template <class T, class Bits>
std::optional<std::uint64_t> bits_of(std::string_view text) {
    T value{};
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || code != std::errc() || end != text.data() + text.size()) return std::nullopt;
    if constexpr (std::is_floating_point_v<T>)
        if (!std::isfinite(value)) return std::nullopt;
    return std::bit_cast<Bits>(value);
}

std::optional<std::uint64_t> parse_number(ElementType type, std::string_view text) {
    switch (type) {
        case ElementType::u32: return bits_of<std::uint32_t, std::uint32_t>(text);
        case ElementType::u64: return bits_of<std::uint64_t, std::uint64_t>(text);
        case ElementType::i32: return bits_of<std::int32_t, std::uint32_t>(text);
        case ElementType::i64: return bits_of<std::int64_t, std::uint64_t>(text);
        case ElementType::f32: return bits_of<float, std::uint32_t>(text);
        case ElementType::f64: return bits_of<double, std::uint64_t>(text);
    }
    return std::nullopt;
}

double real(ElementType type, std::uint64_t bits) {
    return type == ElementType::f32 ? static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)))
                                    : std::bit_cast<double>(bits);
}

}  // namespace

bool ValueRange::holds(std::uint64_t bits) const {
    const std::uint64_t place = to_ordered(type, bits);
    return place >= least && place <= greatest;
}

std::uint64_t ValueRange::draw(Random& random) const {
    if (!is_float(type)) {
        const std::uint64_t size = greatest - least + 1;  // 0: all of 64 bits
        return from_ordered(type, size == 0 ? random.next_u64() : least + random.below(size));
    }
    const double share = static_cast<double>(random.next_u64() >> 11U) * 0x1p-53;  // in [0, 1)
    const double low = real(type, from_ordered(type, least));
    const double high = real(type, from_ordered(type, greatest));
    const double value = std::fma(high, share, low * (1 - share));  // fma: the same on every machine
    const std::uint64_t bits = type == ElementType::f32 ? std::bit_cast<std::uint32_t>(static_cast<float>(value))
                                                        : std::bit_cast<std::uint64_t>(value);
    return from_ordered(type, std::clamp(to_ordered(type, bits), least, greatest));  // it may have been rounded out
}

std::uint64_t ValueRange::moved(std::uint64_t bits, Random& random) const {
    const std::uint64_t span = greatest - least;
    const std::uint64_t distance =
        std::uint64_t{1} << random.below(std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::bit_width(span))));
    const std::uint64_t place = to_ordered(type, bits) - least;
    const bool up = random.below(2) == 0;
    if (span == ~std::uint64_t{0}) return from_ordered(type, up ? place + distance : place - distance);
    const std::uint64_t size = span + 1;
    const std::uint64_t step = distance % size;
    // place + step may not fit in 64 bits
    const std::uint64_t next = up ? (place >= size - step ? place - (size - step) : place + step)
                                  : (place >= step ? place - step : place + (size - step));
    return from_ordered(type, least + next);
}

Result<ValueRange> parse_value_range(ElementType type, const std::string& text) {
    const auto refuse = [&](std::string what) {
        return Error{
            ErrorKind::bad_input, std::move(what), "--values " + text,
            is_float(type) ? "give LEAST..GREATEST, for example -1..1" : "give LEAST..GREATEST, for example 0..31"};
    };
    const std::size_t dots = text.find("..");
    if (dots == std::string::npos) return refuse("there are no two dots between a least and a greatest number");
    const auto least = parse_number(type, std::string_view(text).substr(0, dots));
    const auto greatest = parse_number(type, std::string_view(text).substr(dots + 2));
    if (!least || !greatest) return refuse(fmt::format("an end is no number of type {}", names_of(type).name));
    const ValueRange range{type, to_ordered(type, *least), to_ordered(type, *greatest)};
    if (range.least > range.greatest) return refuse("the least number is greater than the greatest");
    return range;
}

}  // namespace sassafras::study::adversary
