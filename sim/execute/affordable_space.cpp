#include "sim/execute/affordable_space.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>

#include <fmt/format.h>

#include "core/number_text.hpp"

namespace sassafras::sim {

namespace {

struct SpaceLimit {
    const char* what = nullptr;
    const char* option = nullptr;  ///< of the shell's ulimit, in KiB
    std::uint64_t bytes = 0;
    std::uint64_t left = 0;
};

std::optional<SpaceLimit> tightest_limit() {
    // Pages: size, resident, shared, code, 0, data and stack (proc(5)).
    std::array<std::uint64_t, 6> pages{};
    std::ifstream file("/proc/self/statm");
    for (std::uint64_t& number : pages) file >> number;
    const auto page_size = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    std::optional<SpaceLimit> tightest;
    const auto consider = [&](SpaceLimit limit, auto resource, std::uint64_t used) {
        rlimit set{};
        if (getrlimit(resource, &set) != 0 || set.rlim_cur == RLIM_INFINITY) return;
        limit.bytes = set.rlim_cur;
        limit.left = limit.bytes > used ? limit.bytes - used : 0;
        if (!tightest || limit.left < tightest->left) tightest = limit;
    };
    consider({"the address space of this process", "-v"}, RLIMIT_AS, pages[0] * page_size);
    consider({"the data memory of this process", "-d"}, RLIMIT_DATA, pages[5] * page_size);
    return tightest;
}

}  // namespace

std::uint64_t affordable_space(std::uint64_t wanted) {
    constexpr std::uint64_t granule = std::uint64_t{2} << 20U;
    const auto limit = tightest_limit();
    return limit ? std::min(wanted, limit->left / 2 / granule * granule) : wanted;
}

std::string space_limit() {
    const auto limit = tightest_limit();
    if (!limit) return {};
    return fmt::format("{} is limited to {} KiB by ulimit {}", limit->what, grouped(limit->bytes >> 10U),
                       limit->option);
}

std::optional<std::uint64_t> address_space_limit() {
    rlimit set{};
    if (getrlimit(RLIMIT_AS, &set) != 0 || set.rlim_cur == RLIM_INFINITY) return std::nullopt;
    return set.rlim_cur;
}

}  // namespace sassafras::sim
