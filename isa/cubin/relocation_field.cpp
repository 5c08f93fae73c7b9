#include "isa/cubin/relocation_field.hpp"

#include "isa/cubin/cubin.hpp"

namespace sassafras::isa {

bool is_text(const ElfSection& section) { return section.name.substr(0, elf::text_prefix.size()) == elf::text_prefix; }

std::int64_t addend_in_place(const ElfSection& target, const ElfRelocation& relocation) {
    const auto type = static_cast<RelocationType>(relocation.type);
    if (type == RelocationType::address64 || type == RelocationType::generic_address64)
        return read_value<std::int64_t>(target.bytes, relocation.offset);
    if (is_text(target) && (type == RelocationType::address_low32 || type == RelocationType::address_high32))
        return read_value<std::int32_t>(target.bytes, relocation.offset + immediate_byte);
    return 0;
}

void set_call_target(Word128& call, std::uint64_t address, Architecture architecture) {
    constexpr std::uint64_t low_field = std::uint64_t{0xff} << 16U;
    constexpr std::uint64_t high_field_in_low = ~std::uint64_t{0} << 34U;
    constexpr std::uint64_t high_field_in_high = (std::uint64_t{1} << 17U) - 1;  // bits 80..64
    const std::uint64_t quarter = address / 4;
    const bool has_low = layout_of(architecture).branch_low_bits;
    const std::uint64_t rest = has_low ? quarter >> 8U : quarter;
    if (has_low) call.low = (call.low & ~low_field) | ((quarter & 0xffU) << 16U);
    call.low = (call.low & ~high_field_in_low) | (rest << 34U);
    call.high = (call.high & ~high_field_in_high) | ((rest >> 30U) & high_field_in_high);
}

}  // namespace sassafras::isa
