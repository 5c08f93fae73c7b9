// A name, or an expression that names match, as a user gives them: NAME or regex:EXPRESSION.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/result.hpp"

namespace sassafras {

class TextPattern {
  public:
    /// "regex:EXPRESSION" (ECMAScript's) is found in what matches; any other text is all of it. Error bad_input, with
    /// `option`, if it is no expression.
    [[nodiscard]] static Result<TextPattern> parse(std::string_view text, std::string_view option);
    /// An expression that all of a text matches.
    [[nodiscard]] static Result<TextPattern> whole(std::string_view expression, std::string_view option);
    /// Everything matches.
    TextPattern();
    TextPattern(TextPattern&& other) noexcept;
    TextPattern& operator=(TextPattern&& other) noexcept;
    TextPattern(const TextPattern&) = delete;
    TextPattern& operator=(const TextPattern&) = delete;
    ~TextPattern();

    [[nodiscard]] bool matches(const std::string& text) const;

  private:
    struct Expression;
    std::string exact_;
    bool is_whole_ = false;
    std::unique_ptr<const Expression> expression_;
};

/// What the front of an expression is that is no plain name; empty without it.
inline constexpr std::string_view regex_prefix = "regex:";

}  // namespace sassafras
