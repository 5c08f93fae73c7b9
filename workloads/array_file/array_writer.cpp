#include "workloads/array_file/array_writer.hpp"

#include <filesystem>
#include <utility>

#include "workloads/array_file/npy_header.hpp"

namespace sassafras::workloads {
namespace {

std::string part_of(const std::string& path) { return path + ".part"; }

Error unwritable(const std::string& path) {
    return {ErrorKind::bad_input, "cannot write the file", path, "check its folder, permissions and space on the disk"};
}

}  // namespace

Result<ArrayWriter> ArrayWriter::create(const std::string& path, ElementType type, std::uint64_t count) {
    ArrayWriter writer;
    writer.path_ = path;
    writer.file_.open(part_of(path), std::ios::binary | std::ios::trunc);
    if (!writer.file_) return unwritable(path);
    writer.unfinished_ = true;
    writer.element_bytes_ = bytes_of(type);
    const std::vector<std::byte> header =
        path.ends_with(".npy") ? make_npy_header(type, count) : std::vector<std::byte>();
    writer.missing_bytes_ = header.size() + count * writer.element_bytes_;
    if (auto written = writer.append_bytes(header); !written) return written.error();
    return writer;
}

ArrayWriter::ArrayWriter(ArrayWriter&& other) noexcept
    : path_(std::move(other.path_)),
      file_(std::move(other.file_)),
      element_bytes_(other.element_bytes_),
      missing_bytes_(other.missing_bytes_),
      unfinished_(std::exchange(other.unfinished_, false)) {}

ArrayWriter::~ArrayWriter() {
    if (!unfinished_) return;
    file_.close();
    std::error_code ignored;
    std::filesystem::remove(part_of(path_), ignored);
}

Result<void> ArrayWriter::append(std::span<const std::uint32_t> elements) {
    require_invariant(element_bytes_ == sizeof(std::uint32_t), "32-bit elements for a file of others");
    return append_bytes(std::as_bytes(elements));
}

Result<void> ArrayWriter::append(std::span<const std::uint64_t> elements) {
    require_invariant(element_bytes_ == sizeof(std::uint64_t), "64-bit elements for a file of others");
    return append_bytes(std::as_bytes(elements));
}

Result<void> ArrayWriter::append_bytes(std::span<const std::byte> bytes) {
    require_invariant(bytes.size() <= missing_bytes_, "more elements than were announced");
    missing_bytes_ -= bytes.size();
    file_.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (!file_) return unwritable(path_);
    return {};
}

Result<void> ArrayWriter::finish() {
    require_invariant(missing_bytes_ == 0, "fewer elements than were announced");
    file_.close();
    std::error_code failed;
    if (file_) std::filesystem::rename(part_of(path_), path_, failed);
    if (!file_ || failed) return unwritable(path_);
    unfinished_ = false;
    return {};
}

}  // namespace sassafras::workloads
