// printf in a kernel: the format string is read as C does, arguments lie in memory one behind the other, each aligned
// to its size. Source: CUDA C++ Programming Guide, formatted output; what an H200 printed
// (tests/unit/execute/print_test.cpp): an asterisk stands for a width but not for a precision, and of C's lengths there
// are h, l and ll. What is no conversion comes out as it is written.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace sassafras::sim {

/// Where arguments come from; nothing where memory cannot be read.
struct PrintArguments {
    /// The next argument of 4 or 8 bytes.
    std::function<std::optional<std::uint64_t>(std::uint32_t bytes)> next;
    /// The text at a device address, up to its NUL.
    std::function<std::optional<std::string>(std::uint64_t address)> text;
};

struct Printed {
    std::string text;
    std::int32_t arguments = 0;  ///< that were taken: what printf returns
};

/// At most so many arguments are taken; conversions behind them come out as they are.
inline constexpr std::int32_t most_print_arguments = 32;

/// Nothing if memory could not be read.
[[nodiscard]] std::optional<Printed> print_format(std::string_view format, const PrintArguments& arguments);

}  // namespace sassafras::sim
