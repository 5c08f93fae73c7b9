// Where a process that makes runs of a study writes, and which runs it has taken.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/result.hpp"
#include "study/sweep/held_file.hpp"

namespace sassafras::study::sweep {

/// STORE/working/NAME, of a name that no other process has, held by NAME.lock beside it; and KEY.claim beside it for
/// each run that this process makes now. It goes with this; of processes that were killed, by whoever comes next.
class WorkingFolder {
  public:
    /// Error bad_input if nothing can be written there.
    [[nodiscard]] static Result<WorkingFolder> make(const std::filesystem::path& store);
    /// Removes what processes left that have died. What cannot be locked stays.
    static void remove_left(const std::filesystem::path& store);

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    /// From now on until it is released no other process makes the run; nothing if one does. Error bad_input as
    /// HeldFile::take().
    [[nodiscard]] Result<std::optional<HeldFile>> claim(const std::string& key) const;

    WorkingFolder(WorkingFolder&& other) noexcept;
    WorkingFolder& operator=(WorkingFolder&&) = delete;
    WorkingFolder(const WorkingFolder&) = delete;
    WorkingFolder& operator=(const WorkingFolder&) = delete;
    ~WorkingFolder();

  private:
    WorkingFolder(std::filesystem::path path, HeldFile lock) : path_(std::move(path)), lock_(std::move(lock)) {}

    std::filesystem::path path_;
    HeldFile lock_;
};

}  // namespace sassafras::study::sweep
