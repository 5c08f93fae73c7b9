#include "study/sweep/working_folder.hpp"

#include <system_error>
#include <utility>

#include "core/file_writer.hpp"
#include "study/sweep/process_name.hpp"

namespace sassafras::study::sweep {

namespace {

namespace fs = std::filesystem;

constexpr const char* working_name = "working";
constexpr const char* lock_suffix = ".lock";
constexpr const char* claim_suffix = ".claim";

Error refuse_working_folder(const fs::path& path, const std::error_code& failure) {
    return cannot_write("the study's folder", path.string(), failure.value(),
                        "see to it, and run the study again: it goes on where it ended");
}

}  // namespace

void WorkingFolder::remove_left(const fs::path& store) {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(store / working_name, ignored)) {
        const fs::path& file = entry.path();
        if (file.extension() != lock_suffix && file.extension() != claim_suffix) continue;
        const auto left = HeldFile::take_left(file);
        if (!left || file.extension() != lock_suffix) continue;
        fs::path folder = file;
        fs::remove_all(folder.replace_extension(), ignored);
    }
}

Result<WorkingFolder> WorkingFolder::make(const fs::path& store) {
    remove_left(store);
    const fs::path path = store / working_name / process_name();
    std::error_code failure;
    fs::create_directories(path.parent_path(), failure);
    if (failure) return refuse_working_folder(path.parent_path(), failure);
    auto lock = HeldFile::take(path.string() + lock_suffix);
    if (!lock) return lock.error();
    require_invariant(lock->has_value(), "no two processes have one name");
    fs::create_directory(path, failure);
    if (failure) return refuse_working_folder(path, failure);
    return WorkingFolder(path, std::move(**lock));
}

Result<std::optional<HeldFile>> WorkingFolder::claim(const std::string& key) const {
    return HeldFile::take(path_.parent_path() / (key + claim_suffix));
}

WorkingFolder::WorkingFolder(WorkingFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})), lock_(std::move(other.lock_)) {}

WorkingFolder::~WorkingFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
}

}  // namespace sassafras::study::sweep
