// Memory addresses as nvdisasm writes them, and the spelling of memory orders and cache policies.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "isa/sass/architecture.hpp"
#include "isa/sass/print_line.hpp"

namespace sassafras::isa {

struct AddressText {
    std::uint64_t base = 255;   ///< register number
    bool base_64 = false;       ///< a register pair
    bool base_32 = false;       ///< one register, of a 64-bit sum
    std::string_view suffix{};  ///< ".X4" and the like
    bool has_uniform = false;
    std::uint64_t uniform = 63;
    bool descriptor = false;  ///< the uniform register pair is the memory descriptor, not part of the sum
    bool descriptor_shown = true;
    std::int64_t offset = 0;  ///< bytes
};

/// "[R2.64+0x10]", "desc[UR4][R2.64]", "[R3+UR4]", "[UR4+0x8]".
std::string address_text(const AddressText& address);

/// nvdisasm shows memory descriptors from sm_90 on; before, where bit 101 asks for it.
[[nodiscard]] inline bool shows_descriptors(const PrintLine& line) {
    constexpr int asked_for = 101;
    return line.instruction().architecture >= Architecture::sm_90 || line.word().bit(asked_for);
}

/// Ordering and scope of a memory operation (bits 80..77): "", ".CONSTANT", ".STRONG.GPU".
std::string_view memory_order_text(std::uint64_t value, Architecture architecture);

/// How long a line is to stay in the caches, of loads, stores and atomics: "", ".EF".
void print_cache_policy(PrintLine& line);

}  // namespace sassafras::isa
