// A folder while a trace is written to it: one writer at a time, and of a trace that fails nothing stays.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <utility>

#include "core/result.hpp"

namespace sassafras::sim {

class NewTraceFolder {
  public:
    /// Makes the folder, in one that exists, or takes an empty one. Error bad_input if that fails, if it holds
    /// anything, or if another process is writing a trace there (it holds the lock of the folder, which goes when that
    /// ends).
    [[nodiscard]] static Result<NewTraceFolder> make(const std::string& path);

    NewTraceFolder(NewTraceFolder&& other) noexcept
        : path_(std::move(other.path_)),
          lock_(std::exchange(other.lock_, -1)),
          made_(other.made_),
          kept_(other.kept_) {}
    NewTraceFolder& operator=(NewTraceFolder&&) = delete;
    NewTraceFolder(const NewTraceFolder&) = delete;
    NewTraceFolder& operator=(const NewTraceFolder&) = delete;
    /// Unless it was kept, removes the files of the trace, and the folder if it was made here.
    ~NewTraceFolder();

    /// The trace is whole.
    void keep() { kept_ = true; }
    /// The same, of a program that may have ended within a launch: only these of the launches' files stay.
    void keep(const std::set<std::string>& launches);

  private:
    NewTraceFolder(std::string path, int lock, bool made) : path_(std::move(path)), lock_(lock), made_(made) {}
    void remove_files(const std::function<bool(const std::filesystem::path&)>& which) const;

    std::string path_;
    int lock_ = -1;      ///< descriptor of the folder
    bool made_ = false;  ///< it was not there before
    bool kept_ = false;
};

/// Why a folder with files of a trace has no index, which comes last.
enum class UnfinishedTrace : std::uint8_t {
    none,        ///< it has one, or holds no trace
    running,     ///< somebody is writing to it
    broken_off,  ///< nobody is any more
};
[[nodiscard]] UnfinishedTrace unfinished_trace(const std::string& folder);

}  // namespace sassafras::sim
