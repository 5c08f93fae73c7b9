// Several values of one option: 2^10..2^28, 2^10..2^28:x4, 32..256:+32, 1000,2000,5000.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace sassafras {

/// A list of numbers and ranges. A range without a step doubles; :xF multiplies by F, :+D adds D; its end is in it
/// where a step meets it. A number may be a power: 2^28, 10^8. Error bad_input, naming `option`: what is no number, a
/// range that goes down or never ends, more values than a series may have.
[[nodiscard]] Result<std::vector<std::uint64_t>> parse_series(std::string_view text, const std::string& option);

/// Whether the text is more than one plain number.
[[nodiscard]] bool is_series(std::string_view text);

}  // namespace sassafras
