// A record's last member is the checksum of all before it: damage is found without reading the rest as JSON.
#pragma once

#include <string>
#include <string_view>

namespace sassafras::study::sweep {

/// `object`, the text of a JSON object with members, and its member "checksum" (XXH64, 16 hexadecimal digits).
[[nodiscard]] std::string with_checksum(std::string_view object);
/// It ends with the checksum of what is before.
[[nodiscard]] bool has_own_checksum(std::string_view record);

}  // namespace sassafras::study::sweep
