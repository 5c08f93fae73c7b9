#include "study/sweep/held_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "core/file_writer.hpp"

namespace sassafras::study::sweep {

namespace {

/// Whoever held it before may have removed it between our opening and our locking it.
bool is_still_there(int descriptor, const std::filesystem::path& path) {
    struct stat ours {};
    struct stat there {};
    return fstat(descriptor, &ours) == 0 && stat(path.c_str(), &there) == 0 && ours.st_dev == there.st_dev &&
           ours.st_ino == there.st_ino;
}

}  // namespace

std::optional<HeldFile> HeldFile::opened(const std::filesystem::path& path, int flags, int& error_number) {
    constexpr int most_attempts = 100;
    for (int attempt = 0; attempt < most_attempts; ++attempt) {
        const int descriptor = open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | flags, 0666);
        if (descriptor < 0) {
            error_number = errno;
            return std::nullopt;
        }
        HeldFile held({}, descriptor, flock(descriptor, LOCK_EX | LOCK_NB) == 0);
        if (!held.is_locked_ && errno == EWOULDBLOCK) return std::nullopt;
        if (held.is_locked_ && !is_still_there(descriptor, path)) continue;
        held.path_ = path;
        return held;
    }
    return std::nullopt;
}

Result<std::optional<HeldFile>> HeldFile::take(const std::filesystem::path& path) {
    int error_number = 0;
    auto held = opened(path, O_CREAT, error_number);
    if (error_number == 0) return held;
    return cannot_write("a file that says who makes a run", path.string(), error_number,
                        "see to the folder of the study, and run it again: it goes on where it ended");
}

std::optional<HeldFile> HeldFile::take_left(const std::filesystem::path& path) {
    int ignored = 0;
    auto held = opened(path, 0, ignored);
    if (held && !held->is_locked_) {
        held->path_.clear();  // somebody's, perhaps
        held.reset();
    }
    return held;
}

HeldFile::~HeldFile() {
    if (descriptor_ < 0) return;
    if (!path_.empty()) unlink(path_.c_str());  // while it is held: nobody else has it
    close(descriptor_);
}

}  // namespace sassafras::study::sweep
