#include "sim/execute/affordable_space.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace sassafras::sim {

std::optional<std::uint64_t> space_limit() {
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
    return limit.rlim_cur;
}

std::uint64_t affordable_space(std::uint64_t wanted) {
    constexpr std::uint64_t granule = std::uint64_t{2} << 20U;
    const auto limit = space_limit();
    if (!limit) return wanted;
    std::uint64_t pages_used = 0;  // the first number of the file is the process's size
    std::ifstream("/proc/self/statm") >> pages_used;
    const std::uint64_t used = pages_used * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    const std::uint64_t left = *limit > used ? *limit - used : 0;
    return std::min(wanted, left / 2 / granule * granule);
}

}  // namespace sassafras::sim
