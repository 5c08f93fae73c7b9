#include "sim/formats/trace_file/trace_file_reader.hpp"

#include <cstddef>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "core/input_file.hpp"
#include "core/xxhash64.hpp"
#include "sim/formats/trace_file/trace_format.hpp"

namespace sassafras::sim {

namespace {

constexpr const char* capture_again = "the file was damaged or cut short; capture it again";

}  // namespace

Error TraceFileReader::fault(std::uint64_t offset, std::string what) const {
    return {ErrorKind::bad_input, std::move(what), fmt::format("{}, offset {}", path_, offset), capture_again};
}

Error TraceFileReader::damaged(std::size_t frame, std::string what) const {
    return fault(index_.frames[frame].offset, fmt::format("frame {} of the trace {}", frame, what));
}

Result<std::vector<std::byte>> TraceFileReader::read(std::uint64_t offset, std::uint64_t bytes) {
    if (offset > size_ || bytes > size_ - offset) return fault(size_, "the trace ends early");
    std::vector<std::byte> result(bytes);
    file_.clear();
    file_.seekg(static_cast<std::streamoff>(offset));
    file_.read(reinterpret_cast<char*>(result.data()), static_cast<std::streamsize>(bytes));
    if (static_cast<std::uint64_t>(file_.gcount()) != bytes)
        return fault(offset + static_cast<std::uint64_t>(file_.gcount()), "the trace cannot be read");
    return result;
}

Result<std::vector<std::byte>> TraceFileReader::section(std::uint64_t offset, std::uint64_t bytes,
                                                        std::uint64_t content_bytes, std::uint64_t most,
                                                        std::uint64_t checksum, const char* name) {
    auto compressed = read(offset, bytes);
    if (!compressed) return compressed.error();
    if (xxhash64(*compressed) != checksum)
        return fault(offset, fmt::format("the checksum of the trace's {} is wrong", name));
    if (content_bytes > most)
        return fault(offset, fmt::format("the trace's {} is too large: {} bytes", name, content_bytes));
    auto content = decompressor_.decompress(*compressed, content_bytes);
    if (!content) return fault(offset, fmt::format("the trace's {} cannot be decompressed", name));
    return std::move(*content);
}

Result<std::uint64_t> TraceFileReader::read_header() {
    using trace_format::Prologue;
    const auto bytes = read(0, sizeof(Prologue));
    if (!bytes) return bytes.error();
    Prologue prologue;
    std::memcpy(&prologue, bytes->data(), sizeof prologue);
    if (prologue.magic != trace_format::magic)
        return Error{ErrorKind::bad_input, "this is no trace", path_ + ", offset 0",
                     "give a file that sassafras trace capture wrote"};
    if (xxhash64(std::span(*bytes).first(offsetof(Prologue, checksum))) != prologue.checksum)
        return fault(0, "the checksum of the trace's prologue is wrong");
    if (prologue.version != trace_format::version)
        return Error{ErrorKind::bad_input,
                     fmt::format("the trace has format version {}; this program reads {}", prologue.version,
                                 trace_format::version),
                     fmt::format("{}, offset {}", path_, offsetof(Prologue, version)),
                     "capture it again with this program"};
    prologue_checksum_ = prologue.checksum;
    const std::uint64_t most =
        trace_format::most_header_bytes + trace_format::most_header_ratio * prologue.header_bytes;
    auto content = section(sizeof prologue, prologue.header_bytes, prologue.header_content_bytes, most,
                           prologue.header_checksum, "header");
    if (!content) return content.error();
    auto header = read_trace_header(*content);
    if (!header) return fault(sizeof prologue, "the trace's header makes no sense");
    header_ = std::move(*header);
    if (header_.shape.grid.volume() == 0 || header_.shape.block.volume() == 0 || header_.shape.block.volume() > 1024)
        return fault(sizeof prologue, "the trace's launch is impossible");
    auto program = isa::build_program(header_.kernel);
    if (!program) return program.error();
    program_ = std::move(*program);
    return sizeof prologue + prologue.header_bytes;
}

Result<void> TraceFileReader::read_index(std::uint64_t first_frame) {
    using trace_format::Epilogue;
    if (size_ < first_frame + sizeof(Epilogue)) return fault(size_, "the trace ends early");
    const std::uint64_t at = size_ - sizeof(Epilogue);
    const auto bytes = read(at, sizeof(Epilogue));
    if (!bytes) return bytes.error();
    Epilogue epilogue;
    std::memcpy(&epilogue, bytes->data(), sizeof epilogue);
    if (epilogue.magic != trace_format::magic)
        return fault(at + offsetof(Epilogue, magic), "the trace ends early, or its end is damaged");
    if (xxhash64(std::span(*bytes).first(offsetof(Epilogue, checksum))) != epilogue.checksum)
        return fault(at, "the checksum of the trace's epilogue is wrong");
    if (epilogue.prologue_checksum != prologue_checksum_)
        return fault(at + offsetof(Epilogue, prologue_checksum), "the trace's end belongs to another file");
    checksum_ = epilogue.checksum;
    if (epilogue.index_offset < first_frame || epilogue.index_offset > at ||
        epilogue.index_bytes != at - epilogue.index_offset)
        return fault(at, "the trace's index is not where its epilogue says");
    const std::uint64_t most = trace_format::most_index_bytes + trace_format::most_index_ratio * size_;
    auto content = section(epilogue.index_offset, epilogue.index_bytes, epilogue.index_content_bytes, most,
                           epilogue.index_checksum, "index");
    if (!content) return content.error();
    auto index = read_trace_index(std::move(*content), first_frame);
    if (!index) return fault(epilogue.index_offset, "the trace's index makes no sense");
    index_ = std::move(*index);
    return check_index(epilogue.index_offset);
}

Result<void> TraceFileReader::check_index(std::uint64_t index_offset) const {
    std::uint64_t end = index_.frames.empty() ? index_offset : index_.frames.front().offset;
    for (const TraceFrame& frame : index_.frames) {
        if (frame.bytes > index_offset - end) return fault(index_offset, "the trace's frames overlap its index");
        end += frame.bytes;
    }
    if (end != index_offset) return fault(end, "the trace has bytes that belong to no frame");
    const std::uint64_t blocks = header_.shape.grid.volume();
    if (blocks > index_.entry_count()) return fault(index_offset, "the trace lacks blocks of its grid");
    std::vector<bool> seen(blocks);
    std::uint64_t distinct = 0;
    bool outside = false;
    index_.for_each_entry([&](std::size_t /*frame*/, std::uint64_t block) {
        outside = outside || block >= blocks;
        if (outside) return;
        distinct += seen[block] ? 0U : 1U;
        seen[block] = true;
    });
    if (outside) return fault(index_offset, "the trace has blocks outside of its grid");
    if (distinct != blocks) return fault(index_offset, "the trace lacks blocks of its grid");
    return {};
}

Result<TraceFileReader> TraceFileReader::open(const std::string& path) {
    if (auto regular = check_regular_file(path); !regular) return regular.error();
    TraceFileReader reader;
    reader.path_ = path;
    reader.file_.open(path, std::ios::binary | std::ios::ate);
    const std::streamoff size = reader.file_ ? static_cast<std::streamoff>(reader.file_.tellg()) : -1;
    if (size < 0) return Error{ErrorKind::bad_input, "cannot open the trace", path, "check the path"};
    reader.size_ = static_cast<std::uint64_t>(size);
    auto first_frame = reader.read_header();
    if (!first_frame) return first_frame.error();
    if (auto done = reader.read_index(*first_frame); !done) return done.error();
    return reader;
}

Result<std::vector<std::byte>> TraceFileReader::frame(std::size_t number) {
    const TraceFrame& frame = index_.frames[number];
    auto content = section(frame.offset, frame.bytes, frame.content_bytes, trace_format::most_frame_bytes,
                           frame.checksum, "frame");
    if (!content) return damaged(number, "is damaged: " + content.error().what);
    return content;
}

}  // namespace sassafras::sim
