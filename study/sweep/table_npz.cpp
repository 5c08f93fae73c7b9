#include <minizip/zip.h>

#include <algorithm>
#include <cstddef>
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

std::vector<std::byte> numbers(const Table& table, const Table::Column& column) {
    std::vector<std::byte> bytes = make_npy_header(ElementType::f64, table.rows());
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const auto* number = std::get_if<double>(&table.at(column, row));
        const double value = number == nullptr ? std::numeric_limits<double>::quiet_NaN() : *number;
        const auto raw = std::as_bytes(std::span(&value, 1));
        bytes.insert(bytes.end(), raw.begin(), raw.end());
    }
    return bytes;
}

/// NumPy's strings are of one length and four bytes a character.
std::vector<std::byte> texts(const Table& table, const Table::Column& column) {
    std::vector<std::vector<char32_t>> all;
    std::size_t longest = 1;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        all.push_back(code_points(text_of(table.at(column, row))));
        longest = std::max(longest, all.back().size());
    }
    std::vector<std::byte> bytes = make_npy_text_header(longest, table.rows());
    for (auto& points : all) {
        points.resize(longest);
        const auto raw = std::as_bytes(std::span(points));
        bytes.insert(bytes.end(), raw.begin(), raw.end());
    }
    return bytes;
}

bool add_file(zipFile zip, const std::string& name, std::span<const std::byte> bytes) {
    constexpr int level = 1;
    const zip_fileinfo no_time{};  // the same table gives the same bytes
    if (zipOpenNewFileInZip(zip, name.c_str(), &no_time, nullptr, 0, nullptr, 0, nullptr, Z_DEFLATED, level) != ZIP_OK)
        return false;
    const bool written = zipWriteInFileInZip(zip, bytes.data(), static_cast<unsigned>(bytes.size())) == ZIP_OK;
    return zipCloseFileInZip(zip) == ZIP_OK && written;
}

}  // namespace

Result<void> write_npz(const Table& table, const std::string& path) {
    const std::string beside = fmt::format("{}.{}", path, getpid());
    bool written = false;
    if (zipFile zip = zipOpen64(beside.c_str(), APPEND_STATUS_CREATE); zip != nullptr) {
        written = true;
        for (const Table::Column& column : table.columns())
            written = written && add_file(zip, column.name + ".npy",
                                          column.is_numeric() ? numbers(table, column) : texts(table, column));
        written = zipClose(zip, nullptr) == ZIP_OK && written;
    }
    std::error_code failure;
    if (written) std::filesystem::rename(beside, path, failure);
    if (written && !failure) return {};
    std::error_code ignored;
    std::filesystem::remove(beside, ignored);
    return Error{ErrorKind::bad_input, "cannot write the arrays", path, "choose another --output"};
}

}  // namespace sassafras::study::sweep
