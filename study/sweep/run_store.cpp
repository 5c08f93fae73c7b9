#include "study/sweep/run_store.hpp"

#include <fmt/format.h>

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

std::unordered_map<std::string, RunStore::State> RunStore::states() const {
    std::unordered_map<std::string, State> states;
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

Result<void> RunStore::write(std::string_view key, State state, std::string_view record,
                             const fs::path& staging) const {
    const fs::path path = place(key, state);
    std::error_code failure;
    fs::create_directories(path.parent_path(), failure);
    const fs::path staged = staging / path.filename();
    if (auto written = write_output_file({staged.string(), "the result", "STUDY"}, record); !written) return written;
    fs::rename(staged, path, failure);
    if (failure)
        return Error{ErrorKind::bad_input, "a result cannot be put into its folder: " + failure.message(),
                     path.string(), "see to the folder of the study, and run it again"};
    if (state == State::done) fs::remove(place(key, State::failed), failure);
    return {};
}

}  // namespace sassafras::study::sweep
