#include "study/sweep/machine_memory.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>
#include <optional>
#include <string>

namespace sassafras::study::sweep {

namespace {

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

namespace fs = std::filesystem;

/// Names of files of a group.
struct GroupFiles {
    const char* limit;
    const char* usage;
};
constexpr GroupFiles version_2{"memory.max", "memory.current"};
constexpr GroupFiles version_1{"memory.limit_in_bytes", "memory.usage_in_bytes"};

std::optional<std::uint64_t> number_in(const fs::path& path) {
    std::ifstream file(path);
    std::uint64_t value = 0;
    if (file >> value) return value;
    return std::nullopt;  // none, or "max"
}

std::uint64_t left_in_group(const fs::path& group, const GroupFiles& files) {
    const auto most = number_in(group / files.limit);
    const auto used = number_in(group / files.usage);
    if (!most || !used) return unlimited;
    return *most > *used ? *most - *used : 0;
}

/// Of the group and of all that it is in.
std::uint64_t left_along(const fs::path& root, const fs::path& group, const GroupFiles& files) {
    std::uint64_t left = left_in_group(root, files);
    fs::path at = root;
    for (const fs::path& part : group.relative_path()) {
        at /= part;
        left = std::min(left, left_in_group(at, files));
    }
    return left;
}

bool has_word(std::string_view list, std::string_view word) {
    for (std::size_t at = 0; at <= list.size();) {
        const std::size_t end = std::min(list.find(',', at), list.size());
        if (list.substr(at, end - at) == word) return true;
        at = end + 1;
    }
    return false;
}

std::uint64_t available_of_machine() {
    std::ifstream file("/proc/meminfo");
    std::string name;
    std::string unit;
    std::uint64_t kibibytes = 0;
    while (file >> name >> kibibytes && std::getline(file, unit))
        if (name == "MemAvailable:") return kibibytes << 10U;
    return unlimited;
}

}  // namespace

std::uint64_t left_in_groups(const fs::path& mounted, std::string_view own) {
    std::uint64_t left = std::min(left_in_group(mounted, version_2), left_in_group(mounted / "memory", version_1));
    for (std::size_t at = 0; at < own.size();) {
        const std::size_t end = std::min(own.find('\n', at), own.size());
        const std::string_view line = own.substr(at, end - at);
        at = end + 1;
        const std::size_t controllers = line.find(':');
        const std::size_t group = controllers == std::string_view::npos ? controllers : line.find(':', controllers + 1);
        if (group == std::string_view::npos) continue;
        const std::string_view names = line.substr(controllers + 1, group - controllers - 1);
        const fs::path path(line.substr(group + 1));
        if (names.empty()) {
            // Beside groups of version 1 those of version 2 are in a folder of their own.
            left = std::min(
                {left, left_along(mounted, path, version_2), left_along(mounted / "unified", path, version_2)});
        } else if (has_word(names, "memory")) {
            left = std::min(left, left_along(mounted / "memory", path, version_1));
        }
    }
    return left;
}

std::uint64_t available_memory() {
    std::ifstream file("/proc/self/cgroup");
    const std::string own((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    return std::min(available_of_machine(), left_in_groups("/sys/fs/cgroup", own));
}

}  // namespace sassafras::study::sweep
