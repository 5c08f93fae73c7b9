// The text of --help, no line wider than the terminal that it goes to.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

namespace sassafras::cli {

/// Of lines of help, in characters.
struct HelpWidth {
    std::size_t columns = 100;
    std::size_t description_column = 30;  ///< where the description of an option begins
};

/// Of a terminal so wide, as far as that is of use. `columns` is the text of the variable COLUMNS, which goes before
/// what the terminal says (nothing: there is none); what is no number counts as not set.
[[nodiscard]] HelpWidth help_width(const char* columns, std::optional<std::size_t> of_terminal);

/// Breaks lines at spaces or behind commas, within a word that is longer than a line behind | or :, or before [; what
/// goes on stands below where the description of an option begins, or where its line does. Other words stay whole.
[[nodiscard]] std::string wrap_help(std::string_view text, HelpWidth width);

class HelpFormat final : public CLI::Formatter {
  public:
    /// As wide as COLUMNS and the terminal on standard output say.
    HelpFormat();
    [[nodiscard]] std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
        return wrap_help(CLI::Formatter::make_help(app, std::move(name), mode), width_);
    }

  private:
    HelpWidth width_;
};

}  // namespace sassafras::cli
