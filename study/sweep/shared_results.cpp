#include "study/sweep/shared_results.hpp"

#include <optional>
#include <utility>

#include "study/sweep/run_record.hpp"
#include "study/sweep/stored_record.hpp"
#include "study/sweep/working_folder.hpp"

namespace sassafras::study::sweep {

Result<std::uint64_t> take_results(std::span<const Task> tasks, const RunStore& store,
                                   const std::filesystem::path& other) {
    std::filesystem::path folder = other;
    std::error_code ignored;
    if (!std::filesystem::is_directory(folder, ignored) && folder.extension() == ".json") folder.replace_extension();
    if (!std::filesystem::is_directory(folder, ignored))
        return Error{ErrorKind::bad_input, "there is no study whose results could be shared", other.string(),
                     "give the folder of another study"};
    const RunStore others(folder);
    const auto there = others.states();
    std::optional<WorkingFolder> working;
    std::uint64_t taken = 0;
    for (const Task& task : tasks) {
        const auto found = there.find(task.key);
        if (found == there.end() || found->second != RunStore::State::done) continue;
        auto record = read_record(others, task.key, RunStore::State::done, task.is_part);
        if (!record) continue;
        if (!working) {
            auto made = WorkingFolder::make(store.folder());
            if (!made) return made.error();
            working.emplace(std::move(*made));
        }
        if (auto written = store.write(task.key, RunStore::State::done, restated_record(std::move(*record), *task.run),
                                       working->path());
            !written)
            return written.error();
        ++taken;
    }
    return taken;
}

}  // namespace sassafras::study::sweep
