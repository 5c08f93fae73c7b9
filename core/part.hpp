// One of N parts of a list of things, each for another process.
#pragma once

#include <cstdint>
#include <string>

#include "core/result.hpp"

namespace sassafras {

/// Every N-th thing, from the I-th.
struct Part {
    std::uint64_t index = 0;
    std::uint64_t count = 1;

    [[nodiscard]] bool has(std::uint64_t thing) const { return thing % count == index; }
    bool operator==(const Part&) const = default;
};

/// "2/8": the third of eight; no text: all in one. Error bad_input, with `option`.
[[nodiscard]] Result<Part> parse_part(const std::string& text, const std::string& option);

[[nodiscard]] std::string part_text(const Part& part);

}  // namespace sassafras
