#include "sim/formats/trace_file/new_trace_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <thread>
#include <vector>

namespace sassafras::sim {

namespace {

namespace files = std::filesystem;

bool is_index(const std::string& name) { return name == "kernelslist.g" || name.starts_with("index.json"); }

bool is_of_a_trace(const files::path& file) {
    const std::string name = file.filename().string();
    return name.ends_with(".sft") || name.ends_with(".traceg") || is_index(name);
}

/// What a capture leaves that is killed: its files, but no index, which comes last.
bool holds_half_a_trace(const std::string& path) {
    std::error_code failed;
    bool any = false;
    for (files::directory_iterator entry(path, failed), end; !failed && entry != end; entry.increment(failed)) {
        if (!is_of_a_trace(entry->path()) || is_index(entry->path().filename().string())) return false;
        any = true;
    }
    return any && !failed;
}

bool is_locked(const std::string& path) {
    const int folder = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return false;
    const bool locked = flock(folder, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    close(folder);  // and its lock goes
    return locked;
}

/// False if another has it for longer than is_locked() needs to look.
bool takes_lock(int folder) {
    constexpr int most_attempts = 10;
    constexpr auto pause = std::chrono::milliseconds(5);
    for (int attempt = 0; attempt < most_attempts; ++attempt) {
        if (attempt != 0) std::this_thread::sleep_for(pause);
        if (flock(folder, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return true;
    }
    return false;
}

}  // namespace

Result<NewTraceFolder> NewTraceFolder::make(const std::string& path) {
    const auto refuse = [&](std::string what, const char* remedy) {
        return Error{ErrorKind::bad_input, std::move(what), path, remedy};
    };
    std::error_code code;
    const bool made = files::create_directory(path, code);  // one folder: a misspelt path makes no others
    if (code) return refuse("cannot make the folder: " + code.message(), "choose another folder");
    const int lock = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock < 0)
        return refuse("cannot open the folder: " + std::generic_category().message(errno), "choose another folder");
    NewTraceFolder folder(path, lock, made);
    // Where a file system has no such locks, writing goes on without.
    if (!takes_lock(lock)) {
        folder.kept_ = true;
        return refuse("another capture is writing to this folder", "choose another folder, or wait until it ends");
    }
    const bool is_empty = files::is_empty(path, code);
    if (code) return refuse("cannot look into the folder: " + code.message(), "choose another folder");
    if (!is_empty) {
        folder.kept_ = true;
        if (holds_half_a_trace(path))
            return refuse("the folder holds the files of a capture that was broken off",
                          "remove the folder, or choose another");
        return refuse("the folder is not empty", "choose another, or empty it");
    }
    return folder;
}

void NewTraceFolder::keep(const std::set<std::string>& launches) {
    remove_files([&](const files::path& file) {
        return file.extension() == ".sft" && !launches.contains(file.filename().string());
    });
    keep();
}

NewTraceFolder::~NewTraceFolder() {
    if (lock_ < 0) return;
    if (!kept_) {
        std::error_code ignored;
        remove_files(is_of_a_trace);
        if (made_) files::remove(path_, ignored);  // what another put there keeps it
    }
    close(lock_);
}

void NewTraceFolder::remove_files(const std::function<bool(const files::path&)>& which) const {
    std::error_code ignored;
    std::vector<files::path> chosen;
    for (files::directory_iterator entry(path_, ignored), end; !ignored && entry != end; entry.increment(ignored))
        if (which(entry->path())) chosen.push_back(entry->path());
    for (const files::path& file : chosen) files::remove(file, ignored);
}

UnfinishedTrace unfinished_trace(const std::string& folder) {
    if (!holds_half_a_trace(folder)) return UnfinishedTrace::none;
    return is_locked(folder) ? UnfinishedTrace::running : UnfinishedTrace::broken_off;
}

}  // namespace sassafras::sim
