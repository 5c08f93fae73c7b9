#include "core/staged_file.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <ext/stdio_filebuf.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace sassafras {

namespace {

namespace files = std::filesystem;

/// Names such as /dev/stdout and /proc/self/fd/1 stand for what is open already: a file put in its place would not get
/// what else is written there.
bool names_open_file(const files::path& path) {
    const std::string name = path.lexically_normal().string();
    return name.starts_with("/dev/") || name.starts_with("/proc/");
}

/// The file that a chain of links leads to, which need not exist.
files::path follow(files::path path) {
    constexpr int longest_chain = 40;  // as Linux has it
    std::error_code failed;
    for (int links = 0; links < longest_chain && files::is_symlink(files::symlink_status(path, failed)); ++links) {
        files::path next = files::read_symlink(path, failed);
        if (failed) break;
        path = next.is_absolute() ? std::move(next) : path.parent_path() / next;
    }
    return path;
}

Error unwritable(const std::string& path, std::string_view what, std::string_view why, std::string_view option) {
    return {ErrorKind::bad_input, fmt::format("cannot write {}{}{}", what, why.empty() ? "" : ": ", why), path,
            fmt::format("give {} a path that can be written", option)};
}

/// Two processes that write one file do not meet before the rename.
files::path beside(files::path target, int attempt) {
    target += fmt::format(".sassafras-part-{}", getpid());
    if (attempt != 0) target += fmt::format("-{}", attempt);
    return target;
}

struct NewFile {
    files::path place;
    int descriptor = -1;  ///< negative: none was made
    int error_number = 0;
};

/// A file that nobody had, beside the target. What has the name already is left as it is.
NewFile make_beside(const files::path& target) {
    constexpr int most_attempts = 100;
    NewFile made;
    for (int attempt = 0; attempt < most_attempts; ++attempt) {
        made.place = beside(target, attempt);
        made.descriptor = open(made.place.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        made.error_number = errno;
        if (made.descriptor >= 0 || made.error_number != EEXIST) break;
    }
    return made;
}

}  // namespace

StagedFile::StagedFile(const std::string& path) : target_(path), place_(path) {
    std::error_code failed;
    const auto status = files::status(target_, failed);
    if (names_open_file(target_) || (files::exists(status) && !files::is_regular_file(status))) return;
    target_ = follow(target_);
    place_ = beside(target_, 0);
    is_staged_ = true;
}

std::ofstream StagedFile::open() {
    std::ofstream stream;
    if (!is_staged_) {
        stream.open(target_, std::ios::binary | std::ios::trunc);
        return stream;
    }
    const NewFile made = make_beside(target_);
    is_made_ = made.descriptor >= 0;
    if (is_made_) {
        place_ = made.place;
        // By its number and not by its name, which may mean something else by now. It closes the descriptor.
        __gnu_cxx::stdio_filebuf<char> opened(made.descriptor, std::ios::out | std::ios::binary);
        static_cast<std::filebuf&>(*stream.rdbuf()) = std::move(static_cast<std::filebuf&>(opened));
    }
    if (!stream.is_open()) stream.setstate(std::ios::failbit);
    return stream;
}

bool StagedFile::commit() const {
    if (!is_staged_) return true;
    if (!is_made_) return false;
    std::error_code failed;
    const auto replaced = files::status(target_, failed);
    if (files::exists(replaced)) files::permissions(place_, replaced.permissions(), failed);
    files::rename(place_, target_, failed);
    return !failed;
}

void StagedFile::discard() const {
    std::error_code ignored;
    if (is_made_) files::remove(place_, ignored);
}

std::string StagedFile::obstacle() const {
    std::error_code failed;
    if (target_.empty()) return "it has no name";
    if (files::is_directory(target_, failed)) return "this is a folder";
    const bool is_there = files::exists(target_, failed);
    const files::path folder = target_.has_parent_path() ? target_.parent_path() : files::path(".");
    if (!is_there && !files::is_directory(folder, failed)) return "its folder does not exist";
    if (is_there && access(target_.c_str(), W_OK) != 0) return std::strerror(errno);
    if (!is_staged_ && is_there) return {};
    if (!is_staged_) {  // in /dev and /proc few names can be made
        const int made = ::open(target_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (made < 0) return std::strerror(errno);
        close(made);
        unlink(target_.c_str());
        return {};
    }
    const NewFile made = make_beside(target_);
    if (made.descriptor < 0)
        return fmt::format("nothing can be written beside it: {}", std::strerror(made.error_number));
    close(made.descriptor);
    unlink(made.place.c_str());
    return {};
}

Result<void> check_output_file(const std::string& path, std::string_view what, std::string_view option) {
    const std::string why = StagedFile(path).obstacle();
    if (why.empty()) return {};
    return unwritable(path, what, why, option);
}

Result<void> write_output_file(const std::string& path, std::string_view content, std::string_view what,
                               std::string_view option) {
    StagedFile staged(path);
    std::ofstream file = staged.open();
    file.write(content.data(), static_cast<std::streamsize>(content.size()));
    file.close();
    if (file && staged.commit()) return {};
    staged.discard();
    return unwritable(path, what, {}, option);
}

}  // namespace sassafras
