#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/json_reader.hpp"

namespace sassafras {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t deepest_nesting = 64;  // files that people write have three or four levels
/// Of one object: looking a member up takes time in proportion to them.
constexpr std::size_t most_members = 4096;

/// Builds the document itself, because the library's own builder lets the last of two equal keys win in silence.
class DocumentBuilder final : public nlohmann::json_sax<Json> {
  public:
    DocumentBuilder(std::string_view text, JsonFaults& faults) : text_(text), faults_(&faults) {}

    std::optional<Json> take() { return std::exchange(root_, std::nullopt); }

    bool null() override { return place(nullptr); }
    bool boolean(bool value) override { return place(value); }
    bool number_integer(number_integer_t value) override { return place(value); }
    bool number_unsigned(number_unsigned_t value) override { return place(value); }
    bool number_float(number_float_t value, const string_t& /*text*/) override { return place(value); }
    bool string(string_t& value) override { return place(std::move(value)); }
    bool binary(binary_t& value) override { return place(std::move(value)); }
    bool start_object(std::size_t /*elements*/) override { return open(Json::object()); }
    bool start_array(std::size_t /*elements*/) override { return open(Json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(string_t& name) override {
        Level& level = levels_.back();
        level.key = std::move(name);
        if (level.value.size() == most_members) {
            faults_->add(pointer(), fmt::format("an object of more than {} members", most_members));
            return false;
        }
        level.drop_next = level.value.contains(level.key);
        if (level.drop_next) faults_->add(pointer(), "the key comes twice in this object");
        return true;
    }
    bool parse_error(std::size_t position, const std::string& /*last_token*/,
                     const nlohmann::detail::exception& exception) override {
        const std::string_view before = text_.substr(0, std::min(position == 0 ? 0 : position - 1, text_.size()));
        const auto line = 1 + std::count(before.begin(), before.end(), '\n');
        const std::size_t newline = before.rfind('\n');
        const std::size_t column = newline == std::string_view::npos ? before.size() + 1 : before.size() - newline;
        // "[json.exception.parse_error.101] parse error at line 2, column 7: syntax error while ...": the tail is what
        // helps.
        std::string_view reason = exception.what();
        if (const std::size_t bracket = reason.find("] "); bracket != std::string_view::npos)
            reason.remove_prefix(bracket + 2);
        if (reason.starts_with("parse error"))
            if (const std::size_t colon = reason.find(": "); colon != std::string_view::npos)
                reason.remove_prefix(colon + 2);
        faults_->add("", fmt::format("not JSON at line {}, column {}: {}", line, column, reason));
        return false;
    }

  private:
    struct Level {
        Json value;
        std::string key;         ///< of the member being read
        bool drop_next = false;  ///< that member is a duplicate
    };

    /// Of the member being read.
    [[nodiscard]] std::string pointer() const {
        std::string text;
        for (const Level& level : levels_)
            text = json_pointer(text, level.value.is_array() ? std::to_string(level.value.size()) : level.key);
        return text;
    }

    bool place(Json value) {
        if (levels_.empty()) {
            root_.emplace(std::move(value));
            return true;
        }
        Level& level = levels_.back();
        if (level.value.is_array())
            level.value.push_back(std::move(value));
        else if (!level.drop_next)
            level.value[level.key] = std::move(value);
        return true;
    }

    bool open(Json empty) {
        if (levels_.size() == deepest_nesting) {
            faults_->add("", fmt::format("nested deeper than {} levels", deepest_nesting));
            return false;
        }
        levels_.push_back({std::move(empty), {}, false});
        return true;
    }

    bool close() {
        Json value = std::move(levels_.back().value);
        levels_.pop_back();
        return place(std::move(value));
    }

    std::string_view text_;
    JsonFaults* faults_;
    std::vector<Level> levels_;
    std::optional<Json> root_;
};

}  // namespace

std::optional<Json> parse_json(std::string_view text, JsonFaults& faults) {
    DocumentBuilder builder(text, faults);
    if (!Json::sax_parse(text.begin(), text.end(), &builder)) return std::nullopt;
    return builder.take();
}

}  // namespace sassafras
