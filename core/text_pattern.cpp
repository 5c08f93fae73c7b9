#include "core/text_pattern.hpp"

#include <fmt/format.h>

#include <regex>
#include <utility>

namespace sassafras {

struct TextPattern::Expression {
    std::regex regex;
};

namespace {

std::string problem_of(std::regex_constants::error_type code) {
    using namespace std::regex_constants;
    if (code == error_brack) return "a [ has no ], or a ] no [";
    if (code == error_paren) return "a ( has no ), or a ) no (";
    if (code == error_brace || code == error_badbrace) return "braces do not say how often";
    if (code == error_badrepeat) return "nothing is before *, + or ? that could repeat";
    if (code == error_escape) return "a backslash is before what has no meaning with it";
    if (code == error_range) return "a range of characters ends before it begins";
    if (code == error_ctype || code == error_collate) return "a class of characters is not known";
    if (code == error_backref) return "a group that it refers to is not there";
    return "it is too large";
}

}  // namespace

TextPattern::TextPattern() = default;
TextPattern::TextPattern(TextPattern&& other) noexcept = default;
TextPattern& TextPattern::operator=(TextPattern&& other) noexcept = default;
TextPattern::~TextPattern() = default;

Result<TextPattern> TextPattern::whole(std::string_view expression, std::string_view option) {
    TextPattern pattern;
    pattern.is_whole_ = true;
    try {
        pattern.expression_ = std::make_unique<const Expression>(
            Expression{std::regex(expression.begin(), expression.end(), std::regex::ECMAScript)});
    } catch (const std::regex_error& error) {
        return Error{ErrorKind::bad_input,
                     fmt::format("\"{}\" is no regular expression: {}", expression, problem_of(error.code())), option,
                     "write it as ECMAScript has them, and quote it for the shell"};
    }
    return pattern;
}

Result<TextPattern> TextPattern::parse(std::string_view text, std::string_view option) {
    if (text.starts_with(regex_prefix)) {
        auto pattern = whole(text.substr(regex_prefix.size()), option);
        if (pattern) pattern->is_whole_ = false;
        return pattern;
    }
    TextPattern pattern;
    pattern.exact_ = text;
    return pattern;
}

bool TextPattern::matches(const std::string& text) const {
    if (!expression_) return exact_.empty() || text == exact_;
    try {
        return is_whole_ ? std::regex_match(text, expression_->regex) : std::regex_search(text, expression_->regex);
    } catch (const std::regex_error&) {
        return false;  // what would take for ever
    }
}

}  // namespace sassafras
