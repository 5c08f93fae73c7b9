// Strict reading of JSON that people write: nothing is ignored, converted or defaulted in silence, and every fault is
// reported at once with its JSON pointer (RFC 6901).
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace sassafras {

struct JsonFault {
    std::string origin;   ///< file or name of the document
    std::string pointer;  ///< "/lsu/l1_ways"; empty for the document itself
    std::string what;
};

/// Every fault found so far, in the order found.
class JsonFaults {
  public:
    explicit JsonFaults(std::string origin) : origin_(std::move(origin)) {}

    /// Beyond some thousand, faults are counted and not kept: a hostile file must not make its errors fill the memory.
    void add(std::string pointer, std::string what) {
        if (faults_.size() < most_kept)
            faults_.push_back({origin_, std::move(pointer), std::move(what)});
        else
            ++not_kept_;
    }
    /// Takes the faults of another document, for instance a base, in front of these.
    void prepend(const JsonFaults& others) {
        faults_.insert(faults_.begin(), others.faults_.begin(), others.faults_.end());
    }

    [[nodiscard]] bool empty() const { return faults_.empty(); }
    [[nodiscard]] const std::string& origin() const { return origin_; }
    [[nodiscard]] const std::vector<JsonFault>& all() const { return faults_; }
    /// True if a fault lies at the pointer, below it, or at something it is part of.
    [[nodiscard]] bool touches(std::string_view pointer) const;
    /// One bad_input error that lists them all as "origin#pointer: what". There must be one at least.
    [[nodiscard]] Error error() const;

  private:
    static constexpr std::size_t most_kept = 4096;
    std::string origin_;
    std::vector<JsonFault> faults_;
    std::size_t not_kept_ = 0;
};

/// Appends one member name to a JSON pointer.
[[nodiscard]] std::string json_pointer(std::string_view parent, std::string_view key);

/// Parses one document. Syntax errors carry line and column; a key that comes twice in an object is a fault (the first
/// is kept, so that reading can go on). Empty only after a syntax error, nesting beyond 64 or an object of more than
/// 4096 members.
[[nodiscard]] std::optional<nlohmann::ordered_json> parse_json(std::string_view text, JsonFaults& faults);

enum class Presence : std::uint8_t { required, optional };

/// Reads the members of one object. Each read names a key that may be there; finish() then reports every other key.
/// A read gives nothing when the key is missing or wrong; the fault is recorded. The JSON value and the faults must
/// outlive it.
class JsonObjectReader {
  public:
    /// A value that is no object is a fault; all reads then give nothing and say nothing more.
    JsonObjectReader(const nlohmann::ordered_json& value, std::string pointer, JsonFaults& faults);

    [[nodiscard]] bool is_object() const { return value_ != nullptr; }
    [[nodiscard]] const std::string& pointer() const { return pointer_; }
    [[nodiscard]] bool has(std::string_view key) const;

    /// The member itself, of any type; null when missing.
    const nlohmann::ordered_json* member(std::string_view key, Presence presence);
    std::optional<std::int64_t> integer(std::string_view key, std::int64_t low, std::int64_t high, Presence presence);
    std::optional<double> number(std::string_view key, double low, double high, Presence presence);
    std::optional<bool> boolean(std::string_view key, Presence presence);
    std::optional<std::string> text(std::string_view key, Presence presence);
    /// Index into `names`.
    std::optional<std::size_t> choice(std::string_view key, std::span<const std::string_view> names, Presence presence);

    /// Reports every key that no read named, with the key that was probably meant.
    void finish();

  private:
    const nlohmann::ordered_json* value_;
    std::string pointer_;
    JsonFaults* faults_;
    std::vector<std::string> known_;
};

/// The same checks on one value, for formats where a member may have several shapes.
std::optional<std::int64_t> read_json_integer(const nlohmann::ordered_json& value, std::int64_t low, std::int64_t high,
                                              const std::string& pointer, JsonFaults& faults);
std::optional<double> read_json_number(const nlohmann::ordered_json& value, double low, double high,
                                       const std::string& pointer, JsonFaults& faults);
std::optional<std::string> read_json_text(const nlohmann::ordered_json& value, const std::string& pointer,
                                          JsonFaults& faults);
std::optional<std::size_t> read_json_choice(const nlohmann::ordered_json& value,
                                            std::span<const std::string_view> names, const std::string& pointer,
                                            JsonFaults& faults);

}  // namespace sassafras
