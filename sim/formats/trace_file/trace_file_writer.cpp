#include "sim/formats/trace_file/trace_file_writer.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <utility>

#include "core/xxhash64.hpp"
#include "sim/formats/trace_file/trace_format.hpp"

namespace sassafras::sim {

namespace {

/// A frame of several blocks is written when it has this much: large enough to compress, small enough to be read for
/// one of them.
constexpr std::size_t shared_frame_bytes = std::size_t{1} << 17U;

template <class Fixed>
std::span<const std::byte> bytes_of(const Fixed& fixed) {
    return {reinterpret_cast<const std::byte*>(&fixed), sizeof fixed};
}

}  // namespace

TraceFileWriter::TraceFileWriter(std::string path, const PayloadSites& sites)
    : path_(std::move(path)), shared_{FrameEncoder(sites), {}}, own_{FrameEncoder(sites), {}} {}

void TraceFileWriter::discard() {
    file_ = FileWriter();
    if (is_made_) std::remove(path_.c_str());
}

Error TraceFileWriter::refuse() const {
    return cannot_write("the trace", path_, file_.error_number(), "choose another folder");
}

Result<void> TraceFileWriter::write(std::span<const std::byte> bytes) {
    if (!file_.write(bytes)) return refuse();
    offset_ += bytes.size();
    return {};
}

Result<void> TraceFileWriter::open(const TraceHeader& header) {
    file_ = open_for_writing(path_, O_CREAT | O_EXCL);
    is_made_ = file_.is_open();
    content_ = write_trace_header(header);
    compressed_.clear();
    compressor_.compress(content_, compressed_);
    trace_format::Prologue prologue;
    prologue.magic = trace_format::magic;
    prologue.version = trace_format::version;
    prologue.header_bytes = static_cast<std::uint32_t>(compressed_.size());
    prologue.header_content_bytes = content_.size();
    prologue.header_checksum = xxhash64(compressed_);
    prologue.checksum = xxhash64(bytes_of(prologue).first(offsetof(trace_format::Prologue, checksum)));
    prologue_checksum_ = prologue.checksum;
    if (auto done = write(bytes_of(prologue)); !done) return done;
    return write(compressed_);
}

Result<void> TraceFileWriter::add(BlockTrace& block) {
    const bool ends = std::all_of(block.warps.begin(), block.warps.end(),
                                  [](const WarpTrace& warp) { return warp.state == WarpTrace::State::exited; });
    const bool is_whole = ends && !running_.contains(block.block_index);
    OpenFrame& open = is_whole ? shared_ : own_;
    open.encoder.add(block);
    open.blocks.push_back(block.block_index);
    if (is_whole) return open.encoder.bytes() < shared_frame_bytes ? Result<void>() : write_frame(open);
    if (ends)
        running_.erase(block.block_index);
    else
        running_.insert(block.block_index);
    return write_frame(open);
}

Result<void> TraceFileWriter::write_frame(OpenFrame& open) {
    TraceFrame frame;
    frame.offset = offset_;
    index_.warp_instructions += open.encoder.warp_instructions();
    index_.accesses += open.encoder.accesses();
    content_.clear();
    open.encoder.finish(content_);
    compressed_.clear();
    compressor_.compress(content_, compressed_);
    frame.bytes = compressed_.size();
    frame.content_bytes = content_.size();
    frame.checksum = xxhash64(compressed_);
    index_.add(frame, open.blocks);
    open.blocks.clear();
    return write(compressed_);
}

Result<void> TraceFileWriter::close() {
    if (!shared_.blocks.empty())
        if (auto done = write_frame(shared_); !done) return done;
    trace_format::Epilogue epilogue;
    epilogue.index_offset = offset_;
    content_ = write_trace_index(index_);
    compressed_.clear();
    compressor_.compress(content_, compressed_);
    epilogue.index_bytes = compressed_.size();
    epilogue.index_content_bytes = content_.size();
    epilogue.index_checksum = xxhash64(compressed_);
    epilogue.prologue_checksum = prologue_checksum_;
    epilogue.checksum = xxhash64(bytes_of(epilogue).first(offsetof(trace_format::Epilogue, checksum)));
    epilogue.magic = trace_format::magic;
    checksum_ = epilogue.checksum;
    if (auto done = write(compressed_); !done) return done;
    if (auto done = write(bytes_of(epilogue)); !done) return done;
    return file_.close() ? Result<void>() : refuse();
}

}  // namespace sassafras::sim
