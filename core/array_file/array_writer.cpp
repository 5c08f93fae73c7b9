#include "core/array_file/array_writer.hpp"

#include <utility>

#include "core/array_file/npy_header.hpp"

namespace sassafras {

Result<ArrayWriter> ArrayWriter::create(const std::string& path, ElementType type, std::uint64_t count) {
    ArrayWriter writer(StagedFile({.path = path}));
    if (auto opened = writer.staged_.open(); !opened) return opened.error();
    writer.element_bytes_ = bytes_of(type);
    const std::vector<std::byte> header =
        path.ends_with(".npy") ? make_npy_header(type, count) : std::vector<std::byte>();
    writer.missing_bytes_ = header.size() + count * writer.element_bytes_;
    if (auto written = writer.append_bytes(header); !written) return written.error();
    return writer;
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
    return staged_.write(bytes);
}

Result<void> ArrayWriter::finish() {
    require_invariant(missing_bytes_ == 0, "fewer elements than were announced");
    return staged_.commit();
}

}  // namespace sassafras
