#include "cli/options/temporary_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

namespace sassafras::cli {

Result<TemporaryFolder> TemporaryFolder::make() {
    // Not temp_directory_path: where that fails, it does not say which folder it means.
    const char* named = std::getenv("TMPDIR");
    std::string path =
        (std::filesystem::path(named == nullptr || *named == '\0' ? "/tmp" : named) / "sassafras-XXXXXX").string();
    std::error_code failed;  // then it is as it is; a program that is run there may change its folder
    if (const auto whole = std::filesystem::absolute(path, failed); !failed) path = whole.string();
    if (mkdtemp(path.data()) == nullptr)
        return Error{ErrorKind::bad_input,
                     fmt::format("cannot make a folder for temporary files: {}", std::strerror(errno)), path,
                     "let TMPDIR name a folder that can be written"};
    return TemporaryFolder(std::move(path));
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace sassafras::cli
