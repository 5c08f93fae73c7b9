#include "study/sweep/record_checksum.hpp"

#include <span>

#include <fmt/format.h>

#include "core/xxhash64.hpp"

namespace sassafras::study::sweep {

namespace {

std::string checksum_member(std::string_view before) {
    return fmt::format(",\"checksum\":\"{:016x}\"}}\n", xxhash64(std::as_bytes(std::span(before))));
}

}  // namespace

std::string with_checksum(std::string_view object) {
    const std::string_view open = object.substr(0, object.rfind('}'));
    return std::string(open) + checksum_member(open);
}

bool has_own_checksum(std::string_view record) {
    const std::size_t length = checksum_member("").size();
    if (record.size() <= length) return false;
    const std::string_view before = record.substr(0, record.size() - length);
    return record.substr(before.size()) == checksum_member(before);
}

}  // namespace sassafras::study::sweep
