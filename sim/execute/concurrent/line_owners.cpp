#include "sim/execute/concurrent/line_owners.hpp"

#include <sys/mman.h>

#include "sim/execute/affordable_space.hpp"

namespace sassafras::sim {

LineOwners::LineOwners(std::span<std::byte> memory)
    : begin_(reinterpret_cast<std::uintptr_t>(memory.data())), bytes_(memory.size()) {
    const std::uint64_t wanted = (bytes_ >> line_shift) * sizeof(Word);
    if (wanted == 0 || affordable_space(wanted) < wanted) return;
    void* words = mmap(nullptr, wanted, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (words == MAP_FAILED) return;
    // Pages of zeros are atomic words of 0: no epoch has that number.
    words_ = static_cast<Word*>(words);
}

LineOwners::~LineOwners() {
    if (words_ != nullptr) munmap(static_cast<void*>(words_), (bytes_ >> line_shift) * sizeof(Word));
}

}  // namespace sassafras::sim
