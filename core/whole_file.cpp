#include "core/whole_file.hpp"

#include <algorithm>
#include <filesystem>
#include <span>

#include <fmt/format.h>

#include "core/input_file.hpp"
#include "core/number_text.hpp"

namespace sassafras {

namespace {

template <class Content>
Result<Content> read_whole(const std::string& path, std::uint64_t most) {
    auto file = InputFile::open(path);
    if (!file) return file.error();
    const std::uint64_t size = file->size();
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
        const auto room = std::as_writable_bytes(std::span(content)).subspan(filled);
        const auto got = file->read(room);
        if (!got) return got.error();
        filled += *got;
        if (filled > most) return too_long();
        if (*got < room.size()) break;
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

bool means_file(std::string_view name, const std::filesystem::path& folder) {
    if (name.find('/') != std::string_view::npos || name.ends_with(".json")) return true;
    if (name.empty()) return false;
    std::error_code failed;  // a name that no file can have is no file's
    const auto status = std::filesystem::status(folder / std::filesystem::path(name), failed);
    return std::filesystem::exists(status) && !std::filesystem::is_directory(status);
}

}  // namespace sassafras
