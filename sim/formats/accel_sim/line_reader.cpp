#include "sim/formats/accel_sim/line_reader.hpp"

#include <lzma.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include <fmt/format.h>

#include "core/input_file.hpp"

namespace sassafras::sim::accel_sim {

namespace {

/// No line of a trace is longer: 32 addresses and, in version 6, 32 values of each of a few registers.
constexpr std::size_t longest_line = std::size_t{1} << 17U;
/// xz -9 needs 65 MiB to decompress.
constexpr std::uint64_t most_decoder_bytes = std::uint64_t{256} << 20U;
constexpr std::size_t input_bytes = std::size_t{1} << 16U;

}  // namespace

class XzDecoder {
  public:
    XzDecoder() { ready_ = lzma_stream_decoder(&stream_, most_decoder_bytes, LZMA_CONCATENATED) == LZMA_OK; }
    XzDecoder(const XzDecoder&) = delete;
    XzDecoder& operator=(const XzDecoder&) = delete;
    ~XzDecoder() { lzma_end(&stream_); }

    /// Fills `room` as far as there is content; less only at the end. Nothing if the bytes are damaged or cut short.
    std::optional<std::size_t> read(std::istream& bytes, char* room, std::size_t size) {
        stream_.next_out = reinterpret_cast<std::uint8_t*>(room);
        stream_.avail_out = size;
        while (ready_ && !ended_ && stream_.avail_out != 0) {
            if (stream_.avail_in == 0 && bytes) {
                bytes.read(reinterpret_cast<char*>(input_.data()), static_cast<std::streamsize>(input_.size()));
                stream_.next_in = input_.data();
                stream_.avail_in = static_cast<std::size_t>(bytes.gcount());
            }
            const lzma_ret result = lzma_code(&stream_, bytes ? LZMA_RUN : LZMA_FINISH);
            if (result == LZMA_STREAM_END)
                ended_ = true;
            else if (result != LZMA_OK)
                return std::nullopt;
        }
        if (!ready_) return std::nullopt;
        return size - stream_.avail_out;
    }

  private:
    lzma_stream stream_ = LZMA_STREAM_INIT;
    std::array<std::uint8_t, input_bytes> input_{};
    bool ready_ = false;
    bool ended_ = false;
};

Result<LineReader> LineReader::open(const std::string& path) {
    std::error_code failed;
    if (std::filesystem::is_directory(path, failed))
        return Error{ErrorKind::bad_input, "this is a folder, not a file", path,
                     "give the kernelslist.g in it, or one of its .traceg files"};
    if (auto regular = check_regular_file(path); !regular) return regular.error();  // it is read twice
    auto file = std::make_unique<std::ifstream>(path, std::ios::binary);
    if (!*file)
        return Error{ErrorKind::bad_input, "cannot open the file", path,
                     "check its name and its permissions; those in a kernelslist.g are beside it"};
    if (file->peek() == std::ifstream::traits_type::eof())
        return Error{ErrorKind::bad_input, file->bad() ? "cannot read the file" : "the file is empty", path,
                     "write it again with Accel-Sim's tracer"};
    return LineReader(std::move(file), path, path.ends_with(".xz"));
}

LineReader::LineReader(std::unique_ptr<std::istream> bytes, std::string name, bool compressed)
    : bytes_(std::move(bytes)), name_(std::move(name)), buffer_(longest_line) {
    if (compressed) xz_ = std::make_unique<XzDecoder>();
}
LineReader::LineReader(LineReader&&) noexcept = default;
LineReader& LineReader::operator=(LineReader&&) noexcept = default;
LineReader::~LineReader() = default;

std::string LineReader::place() const { return fmt::format("{}, line {}", name_, line_); }

Result<void> LineReader::fill() {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    const std::size_t room = buffer_.size() - end_;
    std::size_t more = 0;
    if (xz_) {
        const auto read = xz_->read(*bytes_, buffer_.data() + end_, room);
        if (!read)
            return Error{ErrorKind::bad_input, "the compressed data is damaged, cut short or no xz",
                         fmt::format("{}, after line {}", name_, line_), "test it with xz -t"};
        more = *read;
    } else {
        bytes_->read(buffer_.data() + end_, static_cast<std::streamsize>(room));
        more = static_cast<std::size_t>(bytes_->gcount());
    }
    ended_ = more < room;
    end_ += more;
    return {};
}

Result<std::optional<std::string_view>> LineReader::next() {
    const auto newline = [&] { return static_cast<char*>(std::memchr(buffer_.data() + begin_, '\n', end_ - begin_)); };
    const char* found = newline();
    if (found == nullptr && !ended_) {
        if (auto done = fill(); !done) return done.error();
        found = newline();
    }
    if (found == nullptr && end_ - begin_ == buffer_.size())
        return Error{ErrorKind::bad_input, fmt::format("a line of more than {} bytes", longest_line),
                     fmt::format("{}, line {}", name_, line_ + 1), "this is no trace of Accel-Sim"};
    if (found == nullptr && begin_ == end_) return std::optional<std::string_view>();
    const std::size_t stop = found == nullptr ? end_ : static_cast<std::size_t>(found - buffer_.data());
    std::string_view text(buffer_.data() + begin_, stop - begin_);
    begin_ = found == nullptr ? end_ : stop + 1;
    ++line_;
    if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
    return std::optional(text);
}

}  // namespace sassafras::sim::accel_sim
