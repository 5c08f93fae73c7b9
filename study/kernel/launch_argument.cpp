#include "study/kernel/launch_argument.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/array_file/array_file.hpp"

namespace sassafras::study {

namespace {

constexpr std::uint64_t largest_buffer = std::uint64_t{1} << 40;

Error malformed(const std::string& text, const std::string& why) {
    return {ErrorKind::bad_input, "malformed kernel argument: " + why, "--arg " + text,
            "write i32:N, u32:N, i64:N, u64:N, f32:X, f64:X, buffer:BYTES[:zero|iota|random|file=FILE] or file:FILE, "
            "and behind a buffer :out=FILE[:u4|i4|f4|u8|i8|f8]"};
}

template <class T>
std::vector<std::byte> bytes_of(T value) {
    std::vector<std::byte> bytes(sizeof value);
    std::memcpy(bytes.data(), &value, sizeof value);
    return bytes;
}

template <class T>
std::optional<T> integer(std::string_view text) {
    int base = 10;
    if (text.starts_with("0x")) {
        base = 16;
        text.remove_prefix(2);
        if (text.starts_with('-')) return std::nullopt;
    }
    T value{};
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

template <class T>
std::optional<T> real(std::string_view text) {
    T value{};
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

template <class T>
Result<LaunchArgument> number(const std::optional<T>& value, const std::string& text) {
    if (!value) return malformed(text, "the value is no number of this type");
    return LaunchArgument(bytes_of(*value));
}

/// Takes what begins with ":out=" off the end of `rest`.
Result<BufferArgument> take_output(std::string_view& rest, const std::string& text) {
    constexpr std::string_view begin = ":out=";
    BufferArgument argument;
    const std::size_t at = rest.rfind(begin);
    if (at == std::string_view::npos) return argument;
    std::string_view output = rest.substr(at + begin.size());
    rest = rest.substr(0, at);
    for (const ElementTypeNames& known : element_types)
        if (const std::size_t colon = output.rfind(':');
            colon != std::string_view::npos && output.substr(colon + 1) == known.name) {
            argument.type = known.type;
            output = output.substr(0, colon);
        }
    if (output.empty()) return malformed(text, "no file is named behind out=");
    argument.output = output;
    return argument;
}

Result<LaunchArgument> buffer(std::string_view rest, const std::string& text) {
    auto taken = take_output(rest, text);
    if (!taken) return taken.error();
    BufferArgument argument = std::move(*taken);
    const std::size_t colon = rest.find(':');
    const auto size = integer<std::uint64_t>(rest.substr(0, colon));
    if (!size || *size > largest_buffer) return malformed(text, "the buffer's size is no number of bytes up to 2^40");
    argument.size = Bytes{*size};
    const std::string_view content = colon == std::string_view::npos ? "zero" : rest.substr(colon + 1);
    if (content == "iota") {
        argument.content = BufferArgument::Content::iota;
    } else if (content == "random") {
        argument.content = BufferArgument::Content::random;
    } else if (content.starts_with("file=") && content.size() > 5) {
        argument.content = BufferArgument::Content::file;
        argument.file = content.substr(5);
    } else if (content != "zero") {
        return malformed(text, "the buffer's content is none of zero, iota, random, file=FILE");
    }
    return LaunchArgument(argument);
}

Result<LaunchArgument> file(std::string_view path, const std::string& text) {
    auto argument = take_output(path, text);
    if (!argument) return argument.error();
    if (path.empty()) return malformed(text, "no file is named");
    argument->content = BufferArgument::Content::file;
    argument->file = path;
    return LaunchArgument(std::move(*argument));
}

}  // namespace

Result<LaunchArgument> parse_launch_argument(const std::string& text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos) return malformed(text, "there is no colon between type and value");
    const std::string_view type = std::string_view(text).substr(0, colon);
    const std::string_view value = std::string_view(text).substr(colon + 1);
    if (type == "i32") return number(integer<std::int32_t>(value), text);
    if (type == "u32") return number(integer<std::uint32_t>(value), text);
    if (type == "i64") return number(integer<std::int64_t>(value), text);
    if (type == "u64") return number(integer<std::uint64_t>(value), text);
    if (type == "f32") return number(real<float>(value), text);
    if (type == "f64") return number(real<double>(value), text);
    if (type == "buffer") return buffer(value, text);
    if (type == "file") return file(value, text);
    return malformed(text, "unknown type " + std::string(type));
}

Result<Dim3> parse_extents(const std::string& text, const char* option) {
    std::array<std::uint32_t, 3> extents{1, 1, 1};
    std::string_view rest = text;
    for (std::size_t i = 0; i < extents.size(); ++i) {
        const std::size_t comma = rest.find(',');
        const std::string_view part = rest.substr(0, comma);
        const auto value = integer<std::uint32_t>(part);
        if (!value && !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos)
            return Error{ErrorKind::bad_input,
                         fmt::format("the extent {} is larger than any launch can have: {}", part,
                                     std::numeric_limits<std::uint32_t>::max()),
                         std::string(option) + " " + text,
                         "give a smaller one; the platform's limits (max_grid_x, max_block_x and their neighbours) are "
                         "lower still"};
        if (!value || *value == 0)
            return Error{ErrorKind::bad_input,
                         fmt::format("extents must be one to three positive numbers, and \"{}\" is none", part),
                         std::string(option) + " " + text, "write X,Y,Z, with commas between them"};
        extents[i] = *value;
        if (comma == std::string_view::npos) return Dim3{extents[0], extents[1], extents[2]};
        rest.remove_prefix(comma + 1);
    }
    return Error{ErrorKind::bad_input, "there are more than three extents", std::string(option) + " " + text,
                 "write X,Y,Z"};
}

Result<Bytes> size_of(const BufferArgument& buffer) {
    if (buffer.size) return *buffer.size;
    const auto layout = read_array_layout(buffer.file);
    if (!layout) return layout.error();
    if (layout->bytes > largest_buffer)
        return Error{ErrorKind::bad_input, "the file is too large for a buffer", buffer.file,
                     "give at most 2^40 bytes"};
    return Bytes{layout->bytes};
}

namespace {

constexpr std::uint64_t fnv_prime = 0x100000001b3U;

constexpr std::uint64_t prime_to_the(std::uint64_t exponent) {
    std::uint64_t power = 1;
    for (std::uint64_t factor = fnv_prime; exponent != 0; exponent >>= 1U, factor *= factor)
        if ((exponent & 1U) != 0) power *= factor;
    return power;
}

}  // namespace

void Checksum::add(std::span<const std::byte> bytes) {
    constexpr std::size_t block = 4096;
    constexpr std::uint64_t prime_to_block = prime_to_the(block);
    constexpr std::array<std::byte, block> zeros{};
    while (!bytes.empty()) {
        const auto part = bytes.first(std::min(block, bytes.size()));
        bytes = bytes.subspan(part.size());
        if (part.size() == block && std::memcmp(part.data(), zeros.data(), block) == 0) {
            hash_ *= prime_to_block;
            continue;
        }
        for (const std::byte byte : part) hash_ = (hash_ ^ std::to_integer<std::uint64_t>(byte)) * fnv_prime;
    }
}

/// A zero only multiplies.
void Checksum::add_zeros(Bytes count) { hash_ *= prime_to_the(count.count); }

}  // namespace sassafras::study
