#include "study/sweep/machine_memory.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

namespace sassafras::study::sweep {

namespace {

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

std::optional<std::uint64_t> number_in(const char* path) {
    std::ifstream file(path);
    std::uint64_t value = 0;
    if (file >> value) return value;
    return std::nullopt;  // none, or "max"
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

std::uint64_t available_memory() {
    std::uint64_t available = available_of_machine();
    const auto most = number_in("/sys/fs/cgroup/memory.max");
    const auto used = number_in("/sys/fs/cgroup/memory.current");
    if (most && used) available = std::min(available, *most > *used ? *most - *used : 0);
    return available;
}

}  // namespace sassafras::study::sweep
