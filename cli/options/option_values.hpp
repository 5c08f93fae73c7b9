// What the values of options may be, and messages that say so in a line.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace sassafras::cli {

/// A whole decimal number from `least` to `most`. For CLI::Option::transform: what is written with leading zeros stays
/// decimal.
[[nodiscard]] CLI::Validator whole_number(std::uint64_t least = 0,
                                          std::uint64_t most = std::numeric_limits<std::uint64_t>::max());

/// A decimal number from `least` to `most`, which NaN is not.
[[nodiscard]] CLI::Validator real_number(double least, double most);

/// A share above 0 and up to 1, written in per cent, with the sign or without it. For CLI::Option::transform, which
/// makes it the number of per cents.
[[nodiscard]] CLI::Validator percentage();

/// One of a few words; a near miss is told which one it nearly was.
[[nodiscard]] CLI::Validator one_of(std::vector<std::string> words);

/// Anything but the empty word; `what` is what to give.
[[nodiscard]] CLI::Validator not_empty(std::string what);

/// A file to write: neither the empty word, nor -, as standard output has the report.
[[nodiscard]] CLI::Validator output_file();

}  // namespace sassafras::cli
