#include "study/sweep/process_name.hpp"

#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>

#include <fmt/format.h>

namespace sassafras::study::sweep {

std::string process_name() {
    char host[256] = {};
    std::string name = gethostname(host, sizeof host - 1) == 0 ? host : "host";
    std::replace(name.begin(), name.end(), '.', '-');
    std::replace(name.begin(), name.end(), '/', '-');
    std::uint64_t digits = 0;
    if (getrandom(&digits, sizeof digits, GRND_NONBLOCK) != static_cast<ssize_t>(sizeof digits))
        digits = static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
    return fmt::format("{}-{}-{:016x}", name, getpid(), digits);
}

}  // namespace sassafras::study::sweep
