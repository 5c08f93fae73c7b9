// What a run reads: the hash of the files that its command names, and whether they still are what was hashed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace sassafras::study::sweep {

/// 32 hexadecimal digits: XXH3 of its content, which is read in pieces. Error bad_input if it cannot be read.
[[nodiscard]] Result<std::string> file_digest(const std::string& path);

/// When a file was what it is, by what its folder says of it.
struct FileStamp {
    std::uint64_t size = 0;
    std::int64_t modified_ns = 0;
    std::int64_t changed_ns = 0;  ///< ctime: also of a file whose modification time was set back
    friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

struct RunInput {
    bool is_folder = false;
    std::string digest;
    std::map<std::string, FileStamp> stamps;  ///< by path, before it was read; of a folder also itself and those in it
};

using RunInputs = std::vector<std::shared_ptr<const RunInput>>;

/// A path whose size or modification time is another now, or that is gone.
[[nodiscard]] std::optional<std::string> changed_since(const RunInputs& inputs);

class InputFiles {
  public:
    /// `cache` is a file that has the digests of large files, so that they are not read again; empty: there is none.
    /// Relative names begin in `directory`; empty: in the current one.
    explicit InputFiles(std::filesystem::path cache = {}, std::filesystem::path directory = {});

    /// The path of a name.
    [[nodiscard]] std::string path_of(const std::string& name) const {
        return directory_.empty() ? name : (directory_ / name).string();
    }

    /// Of a regular file, or of a trace's folder: the paths and the content of all files in it. Any other folder is
    /// none, however it is named: it may be for output, or hold no end of files. Null if it is none. Errors: bad_input
    /// if it cannot be read, changes meanwhile, or is too deep or too large a folder.
    [[nodiscard]] Result<std::shared_ptr<const RunInput>> of(const std::string& name);
    /// Writes the cache, of what was asked for. Where it cannot be written nothing happens: no result depends on it.
    void save() const;

  private:
    struct Cached {
        FileStamp stamp;
        std::string digest;
        friend bool operator==(const Cached&, const Cached&) = default;
    };
    Result<std::string> hashed(const std::string& path, RunInput& input);
    Result<std::string> hashed_folder(const std::string& path, RunInput& input);

    std::filesystem::path cache_;
    std::filesystem::path directory_;
    std::map<std::string, Cached> cached_;  ///< by absolute path, as the cache has it
    std::map<std::string, Cached> used_;    ///< as it will have it
    std::map<std::string, std::shared_ptr<const RunInput>> known_;
};

}  // namespace sassafras::study::sweep
