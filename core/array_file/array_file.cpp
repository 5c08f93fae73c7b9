#include "core/array_file/array_file.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "core/array_file/npy_header.hpp"
#include "core/input_file.hpp"

namespace sassafras {
namespace {

static_assert(std::endian::native == std::endian::little);

Error refuse(std::string what, const std::string& origin, std::string remedy) {
    return {ErrorKind::bad_input, std::move(what), origin, std::move(remedy)};
}

Error unreadable(const std::string& origin) {
    return refuse("cannot read the file", origin, "check the name and its permissions");
}

/// Where the numbers are and what they are, by the file's beginning, its size and its name.
Result<NpyHeader> layout_of(std::span<const std::byte> beginning, std::uint64_t size, const std::string& origin,
                            const ArrayExpectation& expected) {
    if (begins_as_npy(beginning) || origin.ends_with(".npy")) {
        auto header = parse_npy_header(beginning, origin);
        if (!header) return header;
        if (expected.type && *expected.type != header->type)
            return refuse(
                fmt::format("the file holds {}, not {}", names_of(header->type).name, names_of(*expected.type).name),
                origin, "leave the type out, as the file says it, or save it with another: array.astype(...)");
        const std::uint64_t bytes = size - header->data_offset;
        const std::uint64_t each = bytes_of(header->type);
        if (bytes % each != 0 || bytes / each != header->count)
            return refuse(fmt::format("the header says {} numbers of {} bytes, but {} bytes follow it", header->count,
                                      each, bytes),
                          origin, "the file is cut off or was changed; write it again with numpy.save");
        return header;
    }
    const ElementType type = expected.type.value_or(expected.raw);
    const std::uint64_t each = bytes_of(type);
    if (size % each != 0)
        return refuse(fmt::format("the file has {} bytes, no multiple of {}", size, each), origin,
                      fmt::format("write little-endian numbers of {} bits, or a .npy file", 8 * each));
    return NpyHeader{type, size / each, 0};
}

template <class Word>
bool read_words(std::istream& stream, std::uint64_t count, std::vector<Word>& words) {
    words.resize(count);
    const auto bytes = std::as_writable_bytes(std::span(words));
    stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return static_cast<std::uint64_t>(stream.gcount()) == bytes.size();
}

template <class Float, class Word>
std::optional<std::size_t> first_nan(const std::vector<Word>& words) {
    const auto found =
        std::find_if(words.begin(), words.end(), [](Word word) { return std::isnan(std::bit_cast<Float>(word)); });
    if (found == words.end()) return std::nullopt;
    return static_cast<std::size_t>(found - words.begin());
}

template <class Word>
void map_words(std::vector<Word>& words, bool floats) {
    constexpr Word sign = Word{1} << (8 * sizeof(Word) - 1);
    for (Word& word : words) word = floats && (word & sign) != 0 ? ~word : word ^ sign;
}

struct OpenFile {
    std::ifstream stream;
    std::uint64_t size = 0;
};

Result<OpenFile> open_file(const std::string& path) {
    std::error_code failed;
    if (auto regular = check_regular_file(path); !regular) return regular.error();
    if (!std::filesystem::exists(path, failed)) return refuse("there is no such file", path, "check the name");
    OpenFile file{std::ifstream(path, std::ios::binary), std::filesystem::file_size(path, failed)};
    if (failed || !file.stream) return unreadable(path);
    return file;
}

/// Where a file's numbers begin, whatever they are; their type if the file says it.
struct Layout {
    std::uint64_t offset = 0;
    std::optional<ElementType> type;
};

Result<Layout> layout_of(OpenFile& file, const std::string& path) {
    std::vector<std::byte> beginning(std::min<std::uint64_t>(file.size, greatest_npy_header_bytes));
    file.stream.read(reinterpret_cast<char*>(beginning.data()), static_cast<std::streamsize>(beginning.size()));
    if (static_cast<std::size_t>(file.stream.gcount()) != beginning.size()) return unreadable(path);
    if (!begins_as_npy(beginning) && !path.ends_with(".npy")) return Layout{};
    const auto header = layout_of(beginning, file.size, path, {});
    if (!header) return header.error();
    return Layout{header->data_offset, header->type};
}

}  // namespace

Result<Array> read_array(std::istream& stream, std::uint64_t size, const std::string& origin,
                         const ArrayExpectation& expected) {
    std::vector<std::byte> beginning(std::min<std::uint64_t>(size, greatest_npy_header_bytes));
    stream.read(reinterpret_cast<char*>(beginning.data()), static_cast<std::streamsize>(beginning.size()));
    if (static_cast<std::size_t>(stream.gcount()) != beginning.size()) return unreadable(origin);
    const auto layout = layout_of(beginning, size, origin, expected);
    if (!layout) return layout.error();
    if (layout->count > expected.greatest_count)
        return refuse(fmt::format("the file has {} numbers", layout->count), origin,
                      fmt::format("at most {}", expected.greatest_count));
    stream.clear();
    stream.seekg(static_cast<std::streamoff>(layout->data_offset));
    Array array;
    array.type = layout->type;
    const bool wide = bytes_of(array.type) == sizeof(std::uint64_t);
    if (!(wide ? read_words(stream, layout->count, array.wide) : read_words(stream, layout->count, array.narrow)))
        return unreadable(origin);
    if (!expected.nans) {
        std::optional<std::size_t> nan;
        if (array.type == ElementType::f32) nan = first_nan<float>(array.narrow);
        if (array.type == ElementType::f64) nan = first_nan<double>(array.wide);
        if (nan)
            return refuse(fmt::format("number {} (from 0) is NaN", *nan), origin,
                          "NaNs have no place in an order, and no workload takes them; take them out");
    }
    return array;
}

Result<Array> read_array(const std::string& path, const ArrayExpectation& expected) {
    auto file = open_file(path);
    if (!file) return file.error();
    return read_array(file->stream, file->size, path, expected);
}

Result<ArrayLayout> read_array_layout(const std::string& path) {
    auto file = open_file(path);
    if (!file) return file.error();
    const auto layout = layout_of(*file, path);
    if (!layout) return layout.error();
    return ArrayLayout{file->size - layout->offset, layout->type};
}

Result<ArrayBytes> ArrayBytes::open(const std::string& path, std::uint64_t greatest) {
    auto file = open_file(path);
    if (!file) return file.error();
    const auto layout = layout_of(*file, path);
    if (!layout) return layout.error();
    ArrayBytes bytes;
    bytes.left_ = file->size - layout->offset;
    if (bytes.left_ > greatest)
        return refuse(fmt::format("the file has {} bytes of numbers", bytes.left_), path,
                      fmt::format("at most {} are wanted", greatest));
    bytes.path_ = path;
    bytes.stream_ = std::move(file->stream);
    bytes.stream_.clear();
    bytes.stream_.seekg(static_cast<std::streamoff>(layout->offset));
    return bytes;
}

Result<void> ArrayBytes::read(std::span<std::byte> to) {
    require_invariant(to.size() <= left_, "no more is read than there is");
    stream_.read(reinterpret_cast<char*>(to.data()), static_cast<std::streamsize>(to.size()));
    if (static_cast<std::size_t>(stream_.gcount()) != to.size()) return unreadable(path_);
    left_ -= to.size();
    return {};
}

Result<void> narrow_to_32_bits(Array& array, const std::string& origin) {
    if (bytes_of(array.type) == sizeof(std::uint32_t)) return {};
    const bool floats = array.type == ElementType::f64;
    const bool negative = array.type == ElementType::i64 &&
                          std::any_of(array.wide.begin(), array.wide.end(),
                                      [](std::uint64_t bits) { return static_cast<std::int64_t>(bits) < 0; });
    const auto narrowed = [&](std::uint64_t bits) -> std::optional<std::uint32_t> {
        const auto low = static_cast<std::uint32_t>(bits);
        if (floats) {
            const double value = std::bit_cast<double>(bits);
            const bool fits = std::isnan(value) || std::isinf(value) ||
                              std::abs(value) <= static_cast<double>(std::numeric_limits<float>::max());
            const float shorter = fits ? static_cast<float>(value) : 0;
            if (!fits || (!std::isnan(value) && static_cast<double>(shorter) != value)) return std::nullopt;
            return std::bit_cast<std::uint32_t>(shorter);
        }
        if (negative)
            return static_cast<std::int64_t>(bits) == std::int64_t{static_cast<std::int32_t>(low)} ? std::optional(low)
                                                                                                   : std::nullopt;
        return bits == low ? std::optional(low) : std::nullopt;
    };
    std::vector<std::uint32_t> narrow;
    narrow.reserve(array.wide.size());
    for (const std::uint64_t bits : array.wide) {
        const auto fitting = narrowed(bits);
        if (!fitting)
            return refuse(
                fmt::format("number {} (from 0) does not fit in 32 bits, and this takes numbers of 32", narrow.size()),
                origin,
                floats ? "round them: array.astype('<f4')"
                       : fmt::format("give numbers from {}",
                                     negative ? "-2^31 to 2^31 - 1, as some are negative" : "0 to 2^32 - 1"));
        narrow.push_back(*fitting);
    }
    array.type = floats ? ElementType::f32 : negative ? ElementType::i32 : ElementType::u32;
    array.narrow = std::move(narrow);
    array.wide.clear();
    return {};
}

void map_to_unsigned(Array& array) {
    switch (array.type) {
        case ElementType::u32:
        case ElementType::u64: return;
        case ElementType::i32:
        case ElementType::f32: map_words(array.narrow, array.type == ElementType::f32); break;
        case ElementType::i64:
        case ElementType::f64: map_words(array.wide, array.type == ElementType::f64); break;
    }
    array.type =
        array.wide.empty() && bytes_of(array.type) == sizeof(std::uint32_t) ? ElementType::u32 : ElementType::u64;
}

}  // namespace sassafras
