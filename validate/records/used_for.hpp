// What a recorded run may be used for.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/result.hpp"

namespace sassafras::validate {

enum class UsedFor : std::uint8_t {
    model,  ///< numbers and mechanisms of the model were found on it, or judged by it
    unseen  ///< its error is looked at once a release, and nothing else of it (docs/unseen.md)
};

/// As records write it: model, unseen.
[[nodiscard]] std::string_view used_for_name(UsedFor used_for);
/// Error bad_input at `where` for any other word.
[[nodiscard]] Result<UsedFor> parse_used_for(std::string_view text, const std::string& where);

}  // namespace sassafras::validate
