// configs/platforms/*.json as text inside the program; embedded_platforms.cmake makes the definition.
#pragma once

#include <span>
#include <string_view>

namespace sassafras::sim {

struct EmbeddedPlatform {
    std::string_view name;  ///< file name without ".json"
    std::string_view text;
};

/// In no order that matters.
[[nodiscard]] std::span<const EmbeddedPlatform> embedded_platforms();

}  // namespace sassafras::sim
