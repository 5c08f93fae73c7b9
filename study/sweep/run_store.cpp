#include "study/sweep/run_store.hpp"

#include <fmt/format.h>

#include "core/file_writer.hpp"
#include "core/staged_file.hpp"

namespace sassafras::study::sweep {

namespace {

namespace fs = std::filesystem;

// The state is in the name, so that listing a folder is enough to know it.
constexpr std::string_view done_suffix = ".json";
constexpr std::string_view failed_suffix = ".failed.json";
constexpr std::size_t key_digits = 32;
constexpr std::size_t folder_digits = 2;  // 256 folders: none has so many files that listing it is slow

}  // namespace

fs::path RunStore::place(std::string_view key, State state) const {
    const std::string_view suffix = state == State::failed ? failed_suffix : done_suffix;
    return folder_ / key.substr(0, folder_digits) / fmt::format("{}{}", key, suffix);
}

RunStore::States RunStore::states() const {
    States states;
    std::error_code ignored;
    for (const auto& inner : fs::directory_iterator(folder_, ignored)) {
        if (inner.path().filename().string().size() != folder_digits) continue;
        for (const auto& file : fs::directory_iterator(inner.path(), ignored)) {
            const std::string name = file.path().filename().string();
            if (name.size() < key_digits) continue;
            const std::string_view suffix = std::string_view(name).substr(key_digits);
            // What succeeded at last counts, should a process have been killed before it removed the failure.
            if (suffix == done_suffix)
                states[name.substr(0, key_digits)] = State::done;
            else if (suffix == failed_suffix)
                states.try_emplace(name.substr(0, key_digits), State::failed);
        }
    }
    return states;
}

RunStore::State RunStore::state_of(std::string_view key) const {
    std::error_code ignored;
    for (const State state : {State::done, State::failed})
        if (fs::exists(place(key, state), ignored)) return state;
    return State::missing;
}

fs::file_time_type RunStore::written(std::string_view key, State state) const {
    std::error_code failure;
    const auto time = fs::last_write_time(place(key, state), failure);
    return failure ? fs::file_time_type::min() : time;
}

Result<void> RunStore::write(std::string_view key, State state, std::string_view record,
                             const fs::path& staging) const {
    const fs::path path = place(key, state);
    const char* const remedy = "see to the study's folder, and run the study again: it goes on where it ended";
    const auto refused = [&](const std::error_code& failure) {
        return cannot_write("a result", path.string(), failure.value(), remedy);
    };
    std::error_code failure;
    fs::create_directories(path.parent_path(), failure);
    if (failure) return refused(failure);
    const fs::path staged = staging / path.filename();
    if (auto written = write_output_file({staged.string(), "a result", "STUDY"}, record); !written) {
        Error error = written.error();
        error.where = path.string();
        // "make room there, or give another path": of that the first half.
        const std::size_t end = error.remedy.find(", or ");
        error.remedy = end == std::string::npos
                           ? remedy
                           : error.remedy.substr(0, end) + ", and run the study again: it goes on where it ended";
        return error;
    }
    fs::rename(staged, path, failure);
    if (failure) return refused(failure);
    fs::remove(place(key, state == State::done ? State::failed : State::done), failure);
    return {};
}

}  // namespace sassafras::study::sweep
