// The .nv.info sections of a cubin: what the compiler tells the driver about each kernel.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "isa/cubin/elf.hpp"

namespace sassafras::isa {

/// EIATTR_* numbers, as NVIDIA's cuobjdump -elf names them. Those not listed are skipped by length.
enum class InfoAttribute : std::uint8_t {
    max_threads = 0x05,              ///< 3 x u32
    param_cbank = 0x0a,              ///< u32 symbol, u16 offset into bank 0, u16 bytes
    required_block = 0x10,           ///< REQNTID: 3 x u32
    frame_size = 0x11,               ///< u32 symbol, u32 bytes
    min_stack_size = 0x12,           ///< u32 symbol, u32 bytes
    kernel_parameter = 0x17,         ///< KPARAM_INFO: u32 index, u16 ordinal, u16 offset, u32 flags: bytes above bit 18
    exit_offsets = 0x1c,             ///< u32 list
    warp_wide_offsets = 0x28,        ///< COOP_GROUP_INSTR_OFFSETS: u32 list
    register_count = 0x2f,           ///< u32 symbol, u32 registers a thread
    indirect_branch_targets = 0x34,  ///< records: u32 branch offset, u32 0, u32 count, count x u32 target offset
    cta_per_cluster = 0x3d,          ///< 3 x u32
    kernel_parameter_v2 = 0x45,      ///< KPARAM_INFO_V2: u32 index, u16 ordinal, u16 offset, u32 bytes
    barrier_count = 0x4c,            ///< NUM_BARRIERS: u8
};

struct InfoItem {
    InfoAttribute attribute{};
    std::uint16_t value = 0;             ///< formats byte and half: the value
    std::span<const std::byte> payload;  ///< format sized
    [[nodiscard]] std::uint32_t word(std::uint64_t index) const {
        return read_value<std::uint32_t>(payload, index * 4);
    }
    [[nodiscard]] std::uint16_t half(std::uint64_t index) const {
        return read_value<std::uint16_t>(payload, index * 2);
    }
};

/// Splits a section into items. Fails if an item runs past the end, has an unknown format, or if the payload of an
/// attribute listed above is too short for its fields (so word() and half() on the documented fields are safe).
[[nodiscard]] Result<std::vector<InfoItem>> read_info_items(const ElfFile& file, const ElfSection& section);

}  // namespace sassafras::isa
