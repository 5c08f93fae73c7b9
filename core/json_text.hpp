// JSON that the program writes, and reads back where it wrote it itself. In one place because the library's parser and
// serialiser are templates: each file that calls them compiles them again, for a second or two.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace sassafras {

/// A document for files and pages: two spaces a level, a newline at its end. Bytes that are no UTF-8, as names out of
/// files may have them, become U+FFFD.
[[nodiscard]] std::string json_document(const nlohmann::ordered_json& json);
/// The same on one line, without the newline.
[[nodiscard]] std::string json_line(const nlohmann::ordered_json& json);

/// The document that json_document or json_line made. What people write goes through core/json_reader.hpp.
/// Throws nlohmann::json::parse_error if it is none.
[[nodiscard]] nlohmann::ordered_json own_json(std::string_view text);

}  // namespace sassafras
