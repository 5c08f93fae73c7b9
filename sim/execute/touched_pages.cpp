#include "sim/execute/touched_pages.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>

namespace sassafras::sim {

std::uint64_t untouched_bytes(const std::byte* begin, std::uint64_t size) {
    if (size == 0) return 0;
    // One word a page: bit 63 if it is in memory, bit 62 if it was swapped out (Documentation/admin-guide/mm/pagemap).
    constexpr std::uint64_t has_content = std::uint64_t{3} << 62U;
    std::array<std::uint64_t, 512> words{};
    const auto page_size = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    const auto first_byte = reinterpret_cast<std::uint64_t>(begin);
    const std::uint64_t last = (first_byte + (size - 1)) / page_size;
    const int file = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    std::uint64_t page = first_byte / page_size;
    while (page <= last) {
        const std::uint64_t wanted = std::min<std::uint64_t>(words.size(), last - page + 1);
        const ssize_t got =
            pread(file, words.data(), wanted * sizeof words[0], static_cast<off_t>(page * sizeof words[0]));
        if (got != static_cast<ssize_t>(wanted * sizeof words[0])) break;
        const auto end = words.begin() + static_cast<std::ptrdiff_t>(wanted);
        const auto touched =
            std::find_if(words.begin(), end, [](std::uint64_t word) { return (word & has_content) != 0; });
        page += static_cast<std::uint64_t>(touched - words.begin());
        if (touched != end) break;
    }
    close(file);
    return std::min(std::max(page * page_size, first_byte) - first_byte, size);
}

void get_pages(std::byte* begin, std::uint64_t size) {
    constexpr int populate_write = 23;  // MADV_POPULATE_WRITE, which older headers lack
    constexpr std::uint64_t least = std::uint64_t{64} << 10U;
    if (size < least) return;
    const auto page_size = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    const std::uint64_t into_page = reinterpret_cast<std::uint64_t>(begin) % page_size;
    const std::uint64_t length = (into_page + size + page_size - 1) / page_size * page_size;
    // Where it fails, as for want of memory, writing will fault as it would have done.
    madvise(begin - into_page, length, populate_write);
}

}  // namespace sassafras::sim
