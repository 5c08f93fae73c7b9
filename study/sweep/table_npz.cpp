#include <minizip/zip.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <limits>
#include <span>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "core/array_file/npy_header.hpp"
#include "study/sweep/table_files.hpp"

namespace sassafras::study::sweep {

namespace {

/// Code points of UTF-8; a byte that is none stands for itself.
std::vector<char32_t> code_points(const std::string& text) {
    std::vector<char32_t> points;
    for (std::size_t i = 0; i < text.size();) {
        const auto first = static_cast<unsigned char>(text[i]);
        const std::size_t length = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
        if (first < 0x80 || first < 0xc0 || i + length > text.size()) {
            points.push_back(first);
            ++i;
            continue;
        }
        char32_t point = first & (0x7fU >> length);
        for (std::size_t k = 1; k < length; ++k)
            point = point << 6U | (static_cast<unsigned char>(text[i + k]) & 0x3fU);
        points.push_back(point);
        i += length;
    }
    return points;
}

constexpr std::uint64_t most_file_bytes = std::numeric_limits<std::uint32_t>::max();

/// Of each row what `value_of` makes of its cell.
template <class ValueOf>
std::vector<std::byte> numbers(const Table& table, const Table::Column& column, ElementType type,
                               const ValueOf& value_of) {
    std::vector<std::byte> bytes = make_npy_header(type, table.rows());
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const auto value = value_of(table.at(column, row));
        const auto raw = std::as_bytes(std::span(&value, 1));
        bytes.insert(bytes.end(), raw.begin(), raw.end());
    }
    return bytes;
}

/// NumPy's strings are of one length and four bytes a character.
Result<std::vector<std::byte>> texts(const Table& table, const Table::Column& column) {
    std::size_t longest = 1;
    for (std::size_t row = 0; row < table.rows(); ++row)
        longest = std::max(longest, code_points(text_of(table.at(column, row))).size());
    std::vector<std::byte> bytes = make_npy_text_header(longest, table.rows());
    if (longest > (most_file_bytes - bytes.size()) / sizeof(char32_t) / std::max<std::size_t>(table.rows(), 1))
        return Error{ErrorKind::bad_input,
                     fmt::format("a column is too long for an array of 4 GiB: {} texts of up to {} characters",
                                 table.rows(), longest),
                     column.name, "choose .csv or .sqlite for --output"};
    bytes.reserve(bytes.size() + longest * sizeof(char32_t) * table.rows());
    for (std::size_t row = 0; row < table.rows(); ++row) {
        std::vector<char32_t> points = code_points(text_of(table.at(column, row)));
        points.resize(longest);
        const auto raw = std::as_bytes(std::span(points));
        bytes.insert(bytes.end(), raw.begin(), raw.end());
    }
    return bytes;
}

Result<std::vector<std::byte>> array_of(const Table& table, const Table::Column& column) {
    const ColumnType type = column.type();
    if (type == ColumnType::text) return texts(table, column);
    bool exact = true;
    bool complete = column.cells.size() == table.rows();
    for (const Cell& cell : column.cells) {
        const auto* integer = std::get_if<std::int64_t>(&cell);
        exact = exact && (integer == nullptr || std::abs(static_cast<double>(*integer)) < 0x1p53);
        complete = complete && number_of(cell).has_value();
    }
    if (type == ColumnType::integer && !exact) {
        if (!complete) return texts(table, column);
        return numbers(table, column, ElementType::i64, [](const Cell& cell) {
            const auto* integer = std::get_if<std::int64_t>(&cell);
            return integer != nullptr ? *integer : static_cast<std::int64_t>(number_of(cell).value_or(0));
        });
    }
    return numbers(table, column, ElementType::f64,
                   [](const Cell& cell) { return number_of(cell).value_or(std::numeric_limits<double>::quiet_NaN()); });
}

bool add_file(zipFile zip, const std::string& name, std::span<const std::byte> bytes) {
    constexpr int level = 1;
    const zip_fileinfo no_time{};  // the same table gives the same bytes
    if (zipOpenNewFileInZip(zip, name.c_str(), &no_time, nullptr, 0, nullptr, 0, nullptr, Z_DEFLATED, level) != ZIP_OK)
        return false;
    // It takes 32 bits; array_of() makes no longer ones.
    const bool written = bytes.size() <= most_file_bytes &&
                         zipWriteInFileInZip(zip, bytes.data(), static_cast<unsigned>(bytes.size())) == ZIP_OK;
    return zipCloseFileInZip(zip) == ZIP_OK && written;
}

}  // namespace

Result<void> write_npz(const Table& table, const std::string& path) {
    const std::string beside = fmt::format("{}.{}", path, getpid());
    bool written = false;
    Error fault{ErrorKind::bad_input, "cannot write the arrays", path, "choose another --output"};
    if (zipFile zip = zipOpen64(beside.c_str(), APPEND_STATUS_CREATE); zip != nullptr) {
        written = true;
        for (const Table::Column& column : table.columns()) {
            if (!written) break;
            const auto array = array_of(table, column);
            if (!array) fault = array.error();
            written = array && add_file(zip, column.name + ".npy", *array);
        }
        written = zipClose(zip, nullptr) == ZIP_OK && written;
    }
    std::error_code failure;
    if (written) std::filesystem::rename(beside, path, failure);
    if (written && !failure) return {};
    std::error_code ignored;
    std::filesystem::remove(beside, ignored);
    return fault;
}

}  // namespace sassafras::study::sweep
