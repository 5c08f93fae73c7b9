// The text of --help, no line wider than a terminal of usual size.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

namespace sassafras::cli {

inline constexpr std::size_t help_columns = 100;

/// Breaks lines at spaces, or behind commas where a word has none; what goes on stands below where the description of
/// an option begins, or where its line does. Words that are longer stay whole.
[[nodiscard]] std::string wrap_help(std::string_view text, std::size_t columns = help_columns);

class HelpFormat final : public CLI::Formatter {
  public:
    [[nodiscard]] std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
        return wrap_help(CLI::Formatter::make_help(app, std::move(name), mode));
    }
};

}  // namespace sassafras::cli
