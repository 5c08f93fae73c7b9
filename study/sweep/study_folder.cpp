#include "study/sweep/study_folder.hpp"

#include <algorithm>
#include <unordered_set>

#include "core/staged_file.hpp"
#include "core/whole_file.hpp"
#include "study/sweep/run_keys.hpp"
#include "study/sweep/stored_record.hpp"

namespace sassafras::study::sweep {

namespace {

namespace fs = std::filesystem;

constexpr const char* description_file = "study.json";
constexpr const char* digests_file = "digests.txt";

/// The current folder as a study in `folder` has it: seen from there if it lies around that, so that both can be moved
/// together.
std::string current_directory(const fs::path& folder) {
    std::error_code failure;
    const fs::path current = fs::current_path(failure);
    if (failure) return {};
    const fs::path own = fs::weakly_canonical(fs::absolute(folder), failure);
    const fs::path seen = failure ? fs::path() : current.lexically_relative(own);
    const bool is_around = !seen.empty() && std::all_of(seen.begin(), seen.end(), [](const fs::path& name) {
        return name == ".." || name == ".";
    });
    return is_around ? seen.string() : current.string();
}

/// Absolute. Where it is not there (a study that was brought here without what it was made of) names begin where they
/// did before there was one: in the current folder.
fs::path directory_of(const Description& description, const fs::path& folder) {
    if (description.directory.empty()) return {};
    std::error_code failure;
    const fs::path own = fs::weakly_canonical(fs::absolute(folder.empty() ? fs::path(".") : folder), failure);
    fs::path directory = fs::canonical((own / description.directory).lexically_normal(), failure);
    return !failure && fs::is_directory(directory, failure) ? directory : fs::path();
}

Result<void> known_by(RunKeys& keys, const std::vector<PlannedRun>& runs, std::vector<std::string>& names,
                      std::vector<RunInputs>& inputs) {
    for (const PlannedRun& run : runs) {
        auto key = keys.of(run.command);
        if (!key) return key.error();
        names.push_back(std::move(key->digits));
        inputs.push_back(std::move(key->inputs));
    }
    return {};
}

}  // namespace

Result<StudyFolder> StudyFolder::planned(fs::path folder, Description description, const fs::path& directory,
                                         const std::string& version, InputFiles& files) {
    StudyFolder study(std::move(folder), std::move(description));
    study.directory_ = directory;
    auto runs = plan(study.description_);
    if (!runs) return runs.error();
    study.runs_ = std::move(*runs);
    RunKeys keys(version, files);
    if (auto known = known_by(keys, study.runs_, study.keys_, study.inputs_); !known) return known.error();
    if (study.description_.split_launches == 1) return study;
    Description whole = study.description_;
    whole.split_launches = 1;
    auto rows = plan(whole);
    if (!rows) return rows.error();
    study.rows_ = std::move(*rows);
    std::vector<RunInputs> unused;
    if (auto known = known_by(keys, study.rows_, study.row_keys_, unused); !known) return known.error();
    return study;
}

Result<StudyFolder> StudyFolder::open(const fs::path& place, const std::string& version) {
    std::error_code ignored;
    const bool is_folder = fs::is_directory(place, ignored) || place.filename() == description_file;
    fs::path folder = place;
    if (place.filename() == description_file && !fs::is_directory(place, ignored)) {
        folder = place.parent_path().empty() ? fs::path(".") : place.parent_path();
    } else if (!is_folder) {
        if (place.extension() != ".json" && fs::is_regular_file(place, ignored))
            return Error{ErrorKind::bad_input, "a study's file is named after its folder: NAME.json", place.string(),
                         "call it " + place.string() + ".json; results then lie in the folder " + place.string()};
        folder.replace_extension();
    }
    const fs::path file = is_folder ? folder / description_file : place;
    auto text = read_whole_text(file.string(), most_json_bytes);
    if (!text)
        return Error{ErrorKind::bad_input, "there is no study: " + text.error().what, file.string(),
                     "give a JSON file that describes one, or the folder of one; sassafras sweep plan makes one from "
                     "--vary, --set and a command behind --"};
    auto description = parse_description(*text, file.string());
    if (!description) return description.error();
    const fs::path directory = directory_of(*description, is_folder ? folder : place.parent_path());
    InputFiles files(folder / digests_file, directory);
    auto study = planned(folder, std::move(*description), directory, version, files);
    if (study && !is_folder) study->place_ = place;
    if (study && fs::is_directory(folder, ignored)) files.save();
    return study;
}

Result<StudyFolder> StudyFolder::make(const fs::path& folder, Description description, const std::string& version,
                                      const Check& check) {
    description.directory = current_directory(folder);
    const fs::path directory = directory_of(description, folder);
    InputFiles files(folder / digests_file, directory);
    auto study = planned(folder, std::move(description), directory, version, files);
    if (!study) return study;
    if (check)
        if (auto checked = check(*study); !checked) return checked.error();
    std::error_code failure;
    fs::create_directories(folder, failure);
    if (auto written = write_output_file({(folder / description_file).string(), "the study", "STUDY"},
                                         description_text(study->description_));
        !written)
        return written.error();
    files.save();
    return study;
}

std::string StudyFolder::path_of(const std::string& name) const {
    std::error_code ignored;
    const fs::path path = directory_ / name;
    return !directory_.empty() && fs::exists(path, ignored) ? path.string() : name;
}

RunStore::State StudyFolder::checked(const RunStore::States& named, const std::string& key) const {
    const auto state = named.find(key);
    if (state == named.end()) return RunStore::State::missing;
    return is_intact(store_, key, state->second) ? state->second : RunStore::State::damaged;
}

RunStore::States StudyFolder::states() const {
    const auto named = store_.states();
    RunStore::States states;
    for (const std::string& key : keys_)
        if (!states.contains(key) && named.contains(key)) states.emplace(key, checked(named, key));
    return states;
}

Status StudyFolder::status(const RunStore::States& states) const {
    Status status{.runs = runs_.size()};
    for (const std::string& key : keys_) {
        const auto state = states.find(key);
        if (state == states.end()) continue;
        switch (state->second) {
            case RunStore::State::done: ++status.done; break;
            case RunStore::State::failed: ++status.failed; break;
            case RunStore::State::damaged: ++status.damaged; break;
            case RunStore::State::missing: break;
        }
    }
    return status;
}

Task StudyFolder::task(std::size_t run) const {
    return {&runs_[run], keys_[run], &inputs_[run], description_.split_launches != 1};
}

std::vector<Task> StudyFolder::tasks(const Shard& shard, bool again) const {
    const auto named = store_.states();
    std::unordered_set<std::string> taken;
    std::vector<Task> tasks;
    for (std::size_t i = 0; i < runs_.size(); ++i) {
        if (!taken.insert(keys_[i]).second || !shard.has(i)) continue;
        const auto state = checked(named, keys_[i]);
        const bool is_failure = state == RunStore::State::failed;
        if (state == RunStore::State::done || (is_failure && !again)) continue;
        tasks.push_back(task(i));
        if (is_failure) tasks.back().failed = store_.written(keys_[i], state);
    }
    return tasks;
}

}  // namespace sassafras::study::sweep
