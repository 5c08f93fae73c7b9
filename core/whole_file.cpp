#include "core/whole_file.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "core/number_text.hpp"

namespace sassafras {

namespace {

template <class Content>
Result<Content> read_whole(const std::string& path, std::uint64_t most) {
    std::error_code failed;
    if (path.find('\0') != std::string::npos)
        return Error{ErrorKind::bad_input, "no file has a zero byte in its name", path.substr(0, path.find('\0')),
                     "check the name where it is written"};
    if (std::filesystem::is_directory(path, failed))
        return Error{ErrorKind::bad_input, "this is a folder, not a file", path, "give a file"};
    std::ifstream file(path, std::ios::binary);
    if (!file) return Error{ErrorKind::bad_input, "cannot open the file", path, "check the path"};
    const std::uint64_t said =
        std::filesystem::is_regular_file(path, failed) ? std::filesystem::file_size(path, failed) : 0;
    const std::uint64_t size = failed ? 0 : said;  // 0 also in /proc, whatever a file there holds
    if (size == 0) most = std::min(most, most_unsized_bytes);
    const auto too_long = [&] {
        return Error{ErrorKind::bad_input, fmt::format("the file is longer than {} bytes", grouped(most)), path,
                     "no such file is that long; check which file it is"};
    };
    if (size > most) return too_long();
    Content content;
    constexpr std::size_t step = std::size_t{1} << 20U;
    std::size_t filled = 0;
    for (std::size_t wanted = size == 0 ? step : size + 1;; wanted = filled + std::max(filled / 2, step)) {
        content.resize(std::min<std::uint64_t>(wanted, most + 1));
        file.read(reinterpret_cast<char*>(content.data()) + filled,
                  static_cast<std::streamsize>(content.size() - filled));
        filled += static_cast<std::size_t>(file.gcount());
        if (filled > most) return too_long();
        if (file.bad()) return Error{ErrorKind::bad_input, "cannot read the file", path, {}};
        if (!file) break;
    }
    content.resize(filled);
    return content;
}

}  // namespace

Result<std::vector<std::byte>> read_whole_file(const std::string& path, std::uint64_t most) {
    return read_whole<std::vector<std::byte>>(path, most);
}

Result<std::string> read_whole_text(const std::string& path, std::uint64_t most) {
    return read_whole<std::string>(path, most);
}

Result<void> check_regular_file(const std::string& path) {
    std::error_code failed;
    const auto status = std::filesystem::status(path, failed);
    if (!std::filesystem::exists(status) || std::filesystem::is_regular_file(status)) return {};
    const bool is_folder = std::filesystem::is_directory(status);
    return Error{ErrorKind::bad_input,
                 is_folder ? "this is a folder, not a file" : "this is a pipe or a device, not a file", path,
                 "give a regular file"};
}

bool means_file(std::string_view name, const std::filesystem::path& folder) {
    if (name.find('/') != std::string_view::npos || name.ends_with(".json")) return true;
    if (name.empty()) return false;
    std::error_code failed;  // a name that no file can have is no file's
    const auto status = std::filesystem::status(folder / std::filesystem::path(name), failed);
    return std::filesystem::exists(status) && !std::filesystem::is_directory(status);
}

}  // namespace sassafras
