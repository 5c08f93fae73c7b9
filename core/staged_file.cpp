#include "core/staged_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace sassafras {

namespace {

namespace files = std::filesystem;

std::string from_root(const files::path& path) {
    std::error_code failed;  // then it is as it is
    const files::path whole = files::absolute(path, failed);
    return (failed ? path : whole).lexically_normal().string();
}

/// The descriptor that a name stands for: what is open already, to which others write, too.
std::optional<int> named_descriptor(const files::path& path) {
    const std::string name = from_root(path);
    if (name == "/dev/stdout") return STDOUT_FILENO;
    if (name == "/dev/stderr") return STDERR_FILENO;
    for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
        if (!name.starts_with(folder)) continue;
        int number = -1;
        const char* const end = name.data() + name.size();
        const auto [stop, code] = std::from_chars(name.data() + folder.size(), end, number);
        if (code == std::errc() && stop == end && number >= 0) return number;
    }
    return std::nullopt;
}

/// No file can be put there.
bool is_in_proc(const files::path& path) { return from_root(path).starts_with("/proc/"); }

/// The file that a chain of links leads to, which need not exist. A link still, if the chain has no end.
files::path follow(files::path path) {
    constexpr int longest_chain = 40;  // as Linux has it
    std::error_code failed;
    for (int links = 0; links < longest_chain && !named_descriptor(path); ++links) {
        if (!files::is_symlink(files::symlink_status(path, failed))) break;
        files::path next = files::read_symlink(path, failed);
        if (failed) break;
        path = next.is_absolute() ? std::move(next) : path.parent_path() / next;
    }
    return path;
}

/// Two processes that write one file do not meet before the rename.
files::path beside(const files::path& target, int attempt) {
    constexpr std::size_t longest_name = 255;  // bytes, as most file systems have it
    std::string part = fmt::format(".sassafras-part-{}", getpid());
    if (attempt != 0) part += fmt::format("-{}", attempt);
    const std::string name = target.filename().string();
    const bool fits = name.size() + part.size() <= longest_name;
    // A name that is too long itself stays, and is refused.
    return target.parent_path() / (fits || name.size() > longest_name ? name + part : part);
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

StagedFile::StagedFile(OutputName name) : name_(std::move(name)), target_(follow(name_.path)), place_(target_) {
    std::error_code failed;
    const auto status = files::status(target_, failed);
    if (named_descriptor(target_) || is_in_proc(target_)) return;
    if (files::exists(status) && !files::is_regular_file(status)) return;
    place_ = beside(target_, 0);
    is_staged_ = true;
}

StagedFile::StagedFile(StagedFile&& other) noexcept
    : name_(std::move(other.name_)),
      target_(std::move(other.target_)),
      place_(std::move(other.place_)),
      writer_(std::move(other.writer_)),
      is_staged_(other.is_staged_),
      is_made_(std::exchange(other.is_made_, false)) {}

StagedFile::~StagedFile() {
    std::error_code ignored;
    if (is_made_) files::remove(place_, ignored);
}

Error StagedFile::refuse(std::string_view why) const {
    return {ErrorKind::bad_input, fmt::format("cannot write {}: {}", name_.what, why), name_.path,
            fmt::format("give {} a path that can be written", name_.option)};
}

Error StagedFile::refuse(int error_number) const {
    return cannot_write(name_.what, name_.path, error_number,
                        fmt::format("give {} a path that can be written", name_.option));
}

/// Without waiting; what is written then waits for who reads it.
Result<FileWriter> StagedFile::open_at_once(int more_flags) const {
    const auto known = named_descriptor(target_);
    const int descriptor = known ? fcntl(*known, F_DUPFD_CLOEXEC, 0)
                                 : ::open(target_.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | more_flags);
    if (descriptor < 0) {
        const int error_number = errno;
        std::error_code failed;
        if (error_number != ENXIO || !files::is_fifo(target_, failed)) return refuse(error_number);
        Error error = refuse("this is a pipe that nobody reads from");
        error.remedy = fmt::format("start what reads from it before, or give {} a file", name_.option);
        return error;
    }
    FileWriter writer(descriptor);
    if (!known) fcntl(descriptor, F_SETFL, 0);
    if ((fcntl(descriptor, F_GETFL) & O_ACCMODE) == O_RDONLY) return refuse("it is open for reading");
    return writer;
}

Result<FileWriter> StagedFile::try_open() const {
    std::error_code failed;
    if (target_.empty()) return refuse("it has no name");
    if (files::is_directory(target_, failed)) return refuse("this is a folder");
    if (!is_staged_) return open_at_once(0);
    if (files::is_symlink(files::symlink_status(target_, failed))) return refuse(ELOOP);
    const bool is_there = files::exists(target_, failed);
    const files::path folder = target_.has_parent_path() ? target_.parent_path() : files::path(".");
    if (!is_there && !files::is_directory(folder, failed)) return refuse("its folder does not exist");
    if (is_there && access(target_.c_str(), W_OK) != 0) return refuse(errno);
    const NewFile made = make_beside(target_);
    if (made.descriptor < 0)
        return refuse(fmt::format("nothing can be written beside it: {}", reason_of(made.error_number)));
    close(made.descriptor);
    unlink(made.place.c_str());
    return FileWriter();
}

Result<void> StagedFile::open() {
    if (!is_staged_) {
        std::error_code failed;
        auto opened = open_at_once(files::is_regular_file(target_, failed) ? O_TRUNC : 0);
        if (!opened) return opened.error();
        writer_ = std::move(*opened);
        return {};
    }
    std::error_code failed;
    if (files::is_symlink(files::symlink_status(target_, failed))) return refuse(ELOOP);
    NewFile made = make_beside(target_);
    if (made.descriptor < 0) return refuse(made.error_number);
    is_made_ = true;
    place_ = std::move(made.place);
    writer_ = FileWriter(made.descriptor);
    return {};
}

Result<void> StagedFile::write(std::span<const std::byte> bytes) {
    return writer_.write(bytes) ? Result<void>() : refuse(writer_.error_number());
}

Result<void> StagedFile::commit() {
    require_invariant(writer_.is_open(), "what takes its place was opened");
    if (!writer_.close()) return refuse(writer_.error_number());
    if (!is_staged_) return {};
    std::error_code failed;
    const auto replaced = files::status(target_, failed);
    if (files::exists(replaced)) files::permissions(place_, replaced.permissions(), failed);
    files::rename(place_, target_, failed);
    if (failed) return refuse(failed.value());
    is_made_ = false;
    return {};
}

Result<ReservedOutput> reserve_output_file(const OutputName& name) { return StagedFile(name).try_open(); }

Result<void> write_output_file(const OutputName& name, std::string_view content) {
    StagedFile staged(name);
    if (auto done = staged.open(); !done) return done;
    if (auto done = staged.write(content); !done) return done;
    return staged.commit();
}

}  // namespace sassafras
