#include "core/input_file.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

namespace sassafras {

namespace {

Error refuse_folder(const std::string& path) {
    return {ErrorKind::bad_input, "this is a folder, not a file", path, "give a file"};
}

/// Of a pipe: who has one end of a pipe without a name had a peer at its other end, which may be gone. That is its end,
/// as a file has one.
bool has_a_name(int descriptor) {
    struct statfs system {};
    return fstatfs(descriptor, &system) != 0 || system.f_type != PIPEFS_MAGIC;
}

}  // namespace

Result<InputFile> InputFile::open(const std::string& path) {
    if (path.find('\0') != std::string::npos)
        return Error{ErrorKind::bad_input, "no file has a zero byte in its name", path.substr(0, path.find('\0')),
                     "check the name where it is written"};
    InputFile file(path, ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    struct stat status {};
    if (file.descriptor_ < 0 || fstat(file.descriptor_, &status) != 0)
        return Error{ErrorKind::bad_input, fmt::format("cannot open the file: {}", std::strerror(errno)), path,
                     "check the path"};
    if (S_ISDIR(status.st_mode)) return refuse_folder(path);
    if (S_ISREG(status.st_mode)) file.size_ = static_cast<std::uint64_t>(status.st_size);
    file.is_untried_pipe_ = S_ISFIFO(status.st_mode) && has_a_name(file.descriptor_);
    if (!file.is_untried_pipe_) fcntl(file.descriptor_, F_SETFL, 0);
    return file;
}

InputFile::~InputFile() {
    if (descriptor_ >= 0) close(descriptor_);
}

Result<std::size_t> InputFile::read(std::span<std::byte> to) {
    std::size_t filled = 0;
    while (filled < to.size()) {
        const ssize_t got = ::read(descriptor_, to.data() + filled, to.size() - filled);
        const int error_number = errno;
        // Of a pipe that does not wait, 0 says that nobody has it open for writing, EAGAIN that somebody has.
        if (got == 0 && is_untried_pipe_)
            return Error{ErrorKind::bad_input, "this is a pipe that nobody writes to", path_,
                         "give a file, or start what writes to the pipe before"};
        if (is_untried_pipe_) fcntl(descriptor_, F_SETFL, 0);
        const bool waits = std::exchange(is_untried_pipe_, false) && got < 0 && error_number == EAGAIN;
        if (got == 0) break;
        if (got > 0)
            filled += static_cast<std::size_t>(got);
        else if (!waits && error_number != EINTR)
            return Error{ErrorKind::bad_input, fmt::format("cannot read the file: {}", std::strerror(error_number)),
                         path_, "check which file it is, and the disk that it is on"};
    }
    return filled;
}

Result<void> check_regular_file(const std::string& path) {
    std::error_code failed;
    const auto status = std::filesystem::status(path, failed);
    if (!std::filesystem::exists(status) || std::filesystem::is_regular_file(status)) return {};
    if (std::filesystem::is_directory(status)) return refuse_folder(path);
    return Error{ErrorKind::bad_input, "this is a pipe or a device, not a file", path, "give a regular file"};
}

}  // namespace sassafras
