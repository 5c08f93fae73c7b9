#include "sim/execute/affordable_space.hpp"

#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "core/number_text.hpp"

namespace sassafras::sim {

namespace {

/// Pages of address space, and of data and stack: the first and the sixth number of statm (proc(5)).
struct Used {
    std::uint64_t pages = 0;
    std::uint64_t data_pages = 0;
};

/// Not with a stream, which takes memory.
Used used_space() noexcept {
    std::array<char, 128> text{};
    const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0) return {};
    const ssize_t size = ::read(file, text.data(), text.size());
    ::close(file);
    std::array<std::uint64_t, 6> pages{};
    const char* at = text.data();
    const char* const end = at + std::max<ssize_t>(size, 0);
    for (std::uint64_t& number : pages) {
        at = std::from_chars(at, end, number).ptr;
        if (at != end) ++at;
    }
    return {pages[0], pages[5]};
}

}  // namespace

std::string SpaceLimit::text() const {
    return fmt::format("{} is limited to {} KiB by ulimit {}", what, grouped(bytes >> 10U), option);
}

std::optional<SpaceLimit> space_limit() noexcept {
    rlimit addresses{};
    rlimit data{};
    const bool is_limited = (getrlimit(RLIMIT_AS, &addresses) == 0 && addresses.rlim_cur != RLIM_INFINITY) ||
                            (getrlimit(RLIMIT_DATA, &data) == 0 && data.rlim_cur != RLIM_INFINITY);
    if (!is_limited) return std::nullopt;  // nearly always: nothing is read then
    const Used used = used_space();
    const auto page_size = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    std::optional<SpaceLimit> tightest;
    const auto consider = [&](SpaceLimit limit, auto resource, std::uint64_t bytes) {
        rlimit set{};
        if (getrlimit(resource, &set) != 0 || set.rlim_cur == RLIM_INFINITY) return;
        limit.bytes = set.rlim_cur;
        limit.left = limit.bytes > bytes ? limit.bytes - bytes : 0;
        if (!tightest || limit.left < tightest->left) tightest = limit;
    };
    consider({"the address space of this process", "-v"}, RLIMIT_AS, used.pages * page_size);
    consider({"the data memory of this process", "-d"}, RLIMIT_DATA, used.data_pages * page_size);
    return tightest;
}

std::string space_limit_text() {
    const auto limit = space_limit();
    return limit ? limit->text() : std::string();
}

std::uint64_t affordable_space(std::uint64_t wanted) {
    constexpr std::uint64_t granule = std::uint64_t{2} << 20U;
    const auto limit = space_limit();
    return limit ? std::min(wanted, limit->left / 2 / granule * granule) : wanted;
}

std::uint32_t prepare_threads(std::uint32_t threads) {
    if (threads <= 1) return threads;
    const auto limit = space_limit();
    if (!limit) return threads;
    mallopt(M_ARENA_MAX, 1);
    pthread_attr_t attributes{};
    std::size_t stack = std::size_t{8} << 20U;  // glibc's own where there is no limit of stacks
    if (pthread_getattr_default_np(&attributes) == 0) {
        pthread_attr_getstacksize(&attributes, &stack);
        pthread_attr_destroy(&attributes);
    }
    const std::uint64_t others =
        std::min<std::uint64_t>(limit->left / 4 / std::max<std::size_t>(stack, 1), threads - 1);
    return static_cast<std::uint32_t>(others) + 1;
}

Error out_of_device_memory(std::uint64_t wanted, std::uint64_t free, std::uint64_t capacity) {
    const std::string what = fmt::format("out of device memory: {} bytes wanted", wanted);
    const std::string some = fmt::format("{}, {} of {} free", what, free, capacity);
    const std::string limit = space_limit_text();
    if (limit.empty() && capacity == 0)
        return {ErrorKind::bad_input, what + "; this machine gives the process no address space for any", "",
                "see vm.overcommit_memory, or use a platform with less memory"};
    if (limit.empty()) return {ErrorKind::bad_input, some, "", "use a smaller problem or a platform with more memory"};
    if (capacity == 0)
        return {ErrorKind::bad_input, fmt::format("{}; {}, which leaves none for it", what, limit), "",
                "raise the limit"};
    return {ErrorKind::bad_input, fmt::format("{}; {}, and device memory gets half of what is left", some, limit), "",
            "raise the limit, or use a smaller problem or a platform with more memory"};
}

}  // namespace sassafras::sim
