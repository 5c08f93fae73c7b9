// Any bytes given as a fat binary: list its entries, unpack each. Nothing may crash, hang or leak, and what unpacks has
// the size that its header says.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "isa/cubin/fat_binary.hpp"

using namespace sassafras;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::uint64_t most = 1U << 24U;  // larger promises are kept too, but take the fuzzer's memory
    const auto entries = isa::read_fat_binary({reinterpret_cast<const std::byte*>(data), size}, "fuzzed");
    if (!entries) {
        if (entries.error().what.empty() || entries.error().where.empty()) std::abort();
        return 0;
    }
    for (const isa::FatEntry& entry : *entries) {
        if (entry.size > most) continue;
        const auto unpacked = isa::unpack(entry, "fuzzed");
        if (unpacked && unpacked->size() != entry.size) std::abort();
    }
    (void)isa::best_cubin(*entries, 90);
    return 0;
}
