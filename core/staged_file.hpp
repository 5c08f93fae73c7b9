// A file that appears whole or not at all: written beside its place, then renamed. Devices, pipes and folders are never
// replaced: what is written to them goes there at once. A symbolic link that is the target is followed.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "core/file_writer.hpp"
#include "core/result.hpp"

namespace sassafras {

/// A file to be written, as errors name it.
struct OutputName {
    std::string path;
    std::string_view what = "the file";    ///< what it holds: "the JSON file"
    std::string_view option = "--output";  ///< of the command line
};

class StagedFile {
  public:
    explicit StagedFile(OutputName name);
    StagedFile(StagedFile&& other) noexcept;
    StagedFile& operator=(StagedFile&&) = delete;
    StagedFile(const StagedFile&) = delete;
    StagedFile& operator=(const StagedFile&) = delete;
    /// Unless it was committed, what open() made goes away.
    ~StagedFile();

    /// Error bad_input if nothing can be written, as of all here. The file is a new one: what has its name already, a
    /// link that was planted or what a killed process left, is neither followed nor written, and another name is taken.
    /// Nobody is waited for: a pipe that nobody reads from is refused.
    [[nodiscard]] Result<void> open();
    /// Where it is written; begins with the name of the target and has the number of this process.
    [[nodiscard]] const std::filesystem::path& place() const { return place_; }
    [[nodiscard]] Result<void> write(std::span<const std::byte> bytes);
    [[nodiscard]] Result<void> write(std::string_view text) { return write(std::as_bytes(std::span(text))); }
    /// What was written takes its place, with the permissions of what it replaces.
    [[nodiscard]] Result<void> commit();

    /// What would keep the file from being written, as far as it can be known before: an error as open() gives it. All
    /// stays as it is, and what is to be written to at once stays open as long as what is returned: closing a pipe
    /// would tell its reader that all has come.
    [[nodiscard]] Result<FileWriter> try_open() const;

  private:
    [[nodiscard]] Error refuse(std::string_view why) const;
    [[nodiscard]] Error refuse(int error_number) const;
    [[nodiscard]] Result<FileWriter> open_at_once(int more_flags) const;

    OutputName name_;
    std::filesystem::path target_;
    std::filesystem::path place_;
    FileWriter writer_;
    bool is_staged_ = false;  ///< place_ is not target_
    bool is_made_ = false;    ///< place_ is a file of ours
};

/// Keeps open what is written to at once: from the time of asking until the result is there.
using ReservedOutput = FileWriter;

/// Asked before a result is computed, so that the work is not lost: error bad_input if the file cannot be written.
[[nodiscard]] Result<ReservedOutput> reserve_output_file(const OutputName& name);

/// Writes the file whole, or leaves it as it was and gives the error bad_input.
[[nodiscard]] Result<void> write_output_file(const OutputName& name, std::string_view content);

}  // namespace sassafras
