#include "core/file_writer.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "core/file_limit_signal.hpp"
#include "core/number_text.hpp"

namespace sassafras {

namespace {

constexpr std::size_t writer_buffer_bytes = std::size_t{1} << 16U;

constexpr std::array standard_descriptors{STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};

bool is_closed(int descriptor) { return fcntl(descriptor, F_GETFD) < 0; }

void wait_for_room(int descriptor) {
    pollfd waited{descriptor, POLLOUT, 0};
    poll(&waited, 1, -1);
}

}  // namespace

FileWriter open_for_writing(const std::string& path, int flags) {
    constexpr mode_t for_all = 0666;  // less the process's umask
    std::vector<int> in_between;
    while (std::any_of(standard_descriptors.begin(), standard_descriptors.end(), is_closed)) {
        in_between.push_back(::open("/dev/null", O_RDWR | O_CLOEXEC));
        if (in_between.back() < 0) break;
    }
    const int descriptor = ::open(path.c_str(), flags | O_WRONLY | O_CLOEXEC, for_all);
    const int error_number = descriptor < 0 ? errno : 0;
    for (const int held : in_between)
        if (held >= 0) ::close(held);
    return FileWriter(descriptor, error_number);
}

FileWriter& FileWriter::operator=(FileWriter&& other) noexcept {
    if (this == &other) return *this;
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = std::exchange(other.descriptor_, -1);
    error_number_ = std::exchange(other.error_number_, 0);
    buffer_ = std::exchange(other.buffer_, {});
    return *this;
}

FileWriter::~FileWriter() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

void FileWriter::put(std::span<const std::byte> bytes) {
    const FileLimitSignalHeld held;
    while (!bytes.empty() && error_number_ == 0) {
        const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
        if (written >= 0)
            bytes = bytes.subspan(static_cast<std::size_t>(written));
        else if (errno == EAGAIN)  // somebody else's descriptor may be one that does not wait
            wait_for_room(descriptor_);
        else if (errno != EINTR)
            error_number_ = errno;
    }
}

bool FileWriter::write(std::span<const std::byte> bytes) {
    if (descriptor_ < 0 && error_number_ == 0) error_number_ = EBADF;
    if (error_number_ != 0) return false;
    if (buffer_.size() + bytes.size() > writer_buffer_bytes && !flush()) return false;
    if (bytes.size() >= writer_buffer_bytes)
        put(bytes);
    else
        buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
    return error_number_ == 0;
}

bool FileWriter::flush() {
    put(buffer_);
    buffer_.clear();
    return error_number_ == 0;
}

bool FileWriter::close() {
    if (descriptor_ < 0) return error_number_ == 0;
    put(buffer_);
    buffer_.clear();
    // Some file systems say only now that there is no room. The descriptor is gone in any case.
    if (::close(std::exchange(descriptor_, -1)) != 0 && error_number_ == 0 && errno != EINTR) error_number_ = errno;
    return error_number_ == 0;
}

std::string reason_of(int error_number) {
    std::string reason = std::strerror(error_number);
    rlimit limit{};
    if (error_number == EFBIG && getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        reason += fmt::format("; files are limited to {} KiB by ulimit -f", grouped(limit.rlim_cur >> 10U));
    return reason;
}

Error cannot_write(std::string_view what, const std::string& path, int error_number, std::string_view remedy) {
    const std::string whole = fmt::format("cannot write {}{}{}", what, error_number == 0 ? "" : ": ",
                                          error_number == 0 ? std::string() : reason_of(error_number));
    switch (error_number) {
        case ENOSPC:
        case EDQUOT: return {ErrorKind::bad_input, whole, path, fmt::format("make room there, or {}", remedy)};
        case EFBIG: return {ErrorKind::bad_input, whole, path, fmt::format("raise the limit, or {}", remedy)};
        default: return {ErrorKind::bad_input, whole, path, remedy};
    }
}

}  // namespace sassafras
