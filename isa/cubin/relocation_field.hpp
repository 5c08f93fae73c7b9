// What relocations of CUDA code patch, and where in an instruction or a datum that is.
#pragma once

#include <cstdint>
#include <string_view>

#include "isa/cubin/elf.hpp"

namespace sassafras::isa {

/// R_CUDA_* numbers, checked on what nvcc and nvlink 13.0 make; see docs/isa.md.
enum class RelocationType : std::uint32_t {
    address64 = 2,
    generic_address64 = 4,
    address_low32 = 56,   ///< into the immediate field, bits 63..32, of an instruction
    address_high32 = 57,  ///< likewise
    call_target_47 = 58,  ///< before sm_90: a code address / 4 into bits 80..34
    call_target_55 = 75,  ///< sm_90: likewise, the low 8 bits into 23..16
};

inline constexpr std::uint64_t immediate_byte = 4;  ///< of the 32-bit immediate in an instruction

[[nodiscard]] bool is_text(const ElfSection& section);

/// What .rel sections leave where the address goes. The field of a call holds none.
[[nodiscard]] std::int64_t addend_in_place(const ElfSection& target, const ElfRelocation& relocation);

}  // namespace sassafras::isa
