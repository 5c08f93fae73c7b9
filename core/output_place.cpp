#include "core/output_place.hpp"

#include <filesystem>
#include <utility>

#include <fmt/format.h>

namespace sassafras {

namespace {

/// Where a path leads, also through a link to what does not exist yet.
std::filesystem::path end_of(std::filesystem::path path) {
    constexpr int most_links = 40;  // as Linux follows
    std::error_code failed;
    for (int links = 0; links < most_links; ++links) {
        if (!std::filesystem::is_symlink(std::filesystem::symlink_status(path, failed))) break;
        const auto next = std::filesystem::read_symlink(path, failed);
        if (failed) break;
        path = path.parent_path() / next;  // an absolute one replaces it
    }
    auto whole = std::filesystem::weakly_canonical(std::filesystem::absolute(path, failed), failed);
    return failed ? path.lexically_normal() : whole;
}

}  // namespace

bool same_file(const std::string& one, const std::string& other) {
    std::error_code failed;
    if (std::filesystem::equivalent(one, other, failed) && !failed) return true;  // hard links, too
    return end_of(one) == end_of(other);
}

Result<void> check_not_read(const std::string& path, const char* option, const std::string& read) {
    if (!same_file(path, read)) return {};
    return Error{ErrorKind::bad_input, fmt::format("{} would write over {}, which is read", option, read), path,
                 fmt::format("give {} another file", option)};
}

}  // namespace sassafras
