#include "sim/platform/platform_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "core/json_reader.hpp"
#include "sim/platform/platform_constraints.hpp"

namespace sassafras::sim {

namespace {

/// Calls `each` with the pointer, the range and the place of every number.
template <class Each>
class NumberVisitor {
  public:
    NumberVisitor(std::string prefix, Each& each) : prefix_(std::move(prefix)), each_(&each) {}

    template <class Group>
    void group(std::string_view key, Group& parameters) {
        NumberVisitor inner(json_pointer(prefix_, key), *each_);
        Group::visit(parameters, inner);
    }
    template <class Place>
    void integer(std::string_view key, Place& place, std::uint32_t low, std::uint32_t high,
                 std::string_view /*meaning*/) {
        (*each_)(PlatformNumber{json_pointer(prefix_, key), static_cast<double>(place), true, static_cast<double>(low),
                                static_cast<double>(high)},
                 place);
    }
    template <class Places>
    void integers(std::string_view, Places&, std::uint32_t, std::uint32_t, std::string_view) {}
    template <class Place>
    void number(std::string_view key, Place& place, double low, double high, std::string_view /*meaning*/) {
        (*each_)(PlatformNumber{json_pointer(prefix_, key), place, false, low, high}, place);
    }
    template <class Enum>
    void choice(std::string_view, Enum&,
                std::initializer_list<std::pair<std::string_view, std::type_identity_t<std::remove_const_t<Enum>>>>,
                std::string_view) {}

  private:
    std::string prefix_;
    Each* each_;
};

template <class SomePlatform, class Each>
void visit_numbers(SomePlatform& platform, Each each) {
    NumberVisitor<Each> visitor("", each);
    Platform::visit(platform, visitor);
}

}  // namespace

std::vector<PlatformNumber> platform_numbers(const Platform& platform) {
    std::vector<PlatformNumber> numbers;
    visit_numbers(platform, [&](PlatformNumber number, const auto&) { numbers.push_back(std::move(number)); });
    return numbers;
}

std::optional<PlatformNumber> number_at(const Platform& platform, std::string_view pointer) {
    std::optional<PlatformNumber> found;
    visit_numbers(platform, [&](PlatformNumber number, const auto&) {
        if (number.pointer == pointer) found = std::move(number);
    });
    return found;
}

Result<void> set_number(Platform& platform, std::string_view pointer, double value) {
    const auto number = number_at(platform, pointer);
    if (!number)
        return Error{ErrorKind::bad_input, "a platform has no such number", std::string(pointer),
                     "configs/platform.schema.json lists them"};
    if (!(value >= number->least && value <= number->greatest) || (number->integer && value != std::floor(value)))
        return Error{ErrorKind::bad_input,
                     fmt::format("expected {} from {} to {}, got {}", number->integer ? "an integer" : "a number",
                                 number->least, number->greatest, value),
                     std::string(pointer)};
    Platform changed = platform;
    visit_numbers(changed, [&](const PlatformNumber& other, auto& place) {
        if (other.pointer == pointer) place = static_cast<std::remove_reference_t<decltype(place)>>(value);
    });
    if (const auto broken = broken_constraints(changed); !broken.empty())
        return Error{ErrorKind::bad_input, broken.front().what, broken.front().pointers.front()};
    platform = std::move(changed);
    return {};
}

}  // namespace sassafras::sim
