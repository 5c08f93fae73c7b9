#include "core/array_file/array_writer.hpp"

#include <utility>

#include "core/array_file/npy_header.hpp"

namespace sassafras {
namespace {

Error unwritable(const std::string& path) {
    return {ErrorKind::bad_input, "cannot write the file", path, "check its folder, permissions and space on the disk"};
}

}  // namespace

Result<ArrayWriter> ArrayWriter::create(const std::string& path, ElementType type, std::uint64_t count) {
    ArrayWriter writer(path);
    writer.file_ = writer.staged_.open();
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
      staged_(std::move(other.staged_)),
      file_(std::move(other.file_)),
      element_bytes_(other.element_bytes_),
      missing_bytes_(other.missing_bytes_),
      unfinished_(std::exchange(other.unfinished_, false)) {}

ArrayWriter::~ArrayWriter() {
    if (!unfinished_) return;
    file_.close();
    staged_.discard();
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
    if (!file_ || !staged_.commit()) return unwritable(path_);
    unfinished_ = false;
    return {};
}

}  // namespace sassafras
