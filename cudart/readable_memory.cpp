#include "cudart/readable_memory.hpp"

#include <charconv>
#include <fstream>
#include <limits>
#include <string>

namespace sassafras::cudart {

std::uint64_t readable_bytes(const void* address) {
    std::ifstream maps("/proc/self/maps");
    if (!maps) return std::numeric_limits<std::uint64_t>::max();
    const auto wanted = reinterpret_cast<std::uint64_t>(address);
    std::uint64_t end_of_readable = 0;  // of the mappings from `address` on that follow one another; 0: none yet
    // 7f0c2c000000-7f0c2c021000 rw-p 00000000 00:00 0 [name], by address
    for (std::string line; std::getline(maps, line);) {
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
        const char* const stop = line.data() + line.size();
        const auto first = std::from_chars(line.data(), stop, begin, 16);
        if (first.ec != std::errc() || first.ptr == stop || *first.ptr != '-') continue;
        const auto second = std::from_chars(first.ptr + 1, stop, end, 16);
        if (second.ec != std::errc() || stop - second.ptr < 2) continue;
        if (end <= wanted) continue;
        const bool readable = second.ptr[1] == 'r';
        if (!readable || begin > (end_of_readable == 0 ? wanted : end_of_readable)) break;
        end_of_readable = end;
    }
    return end_of_readable == 0 ? 0 : end_of_readable - wanted;
}

}  // namespace sassafras::cudart
