// Which options a user gave: an option that would have no effect is refused, never ignored.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "core/result.hpp"

namespace sassafras::cli {

struct GivenOptions {
    std::vector<std::string> names;  ///< with their dashes: "--page", "-o" if it has no long name

    [[nodiscard]] bool has(std::string_view name) const;
    /// Error bad_input if any of these was given: "--page, --csv would have no effect: REASON"; `remedy` is what else
    /// to do than to leave them out.
    [[nodiscard]] Result<void> refuse(std::initializer_list<std::string_view> unwanted, const std::string& reason,
                                      const std::string& remedy = {}) const;
};

/// To be asked after parsing.
[[nodiscard]] GivenOptions given_options(const CLI::App& command);

}  // namespace sassafras::cli
