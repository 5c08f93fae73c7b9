// The container in which nvcc puts the machine code and PTX of one source file into a program: one entry an
// architecture, plain or compressed. Source of the format: docs/isa.md, checked on containers by nvcc 13.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace sassafras::isa {

struct FatEntry {
    enum class Kind : std::uint8_t { ptx, cubin };
    enum class Packing : std::uint8_t { plain, lz4, zstd };
    Kind kind{};
    Packing packing{};
    int architecture = 0;                ///< 90 for sm_90 or compute_90
    std::uint64_t size = 0;              ///< bytes once unpacked
    std::span<const std::byte> payload;  ///< as it lies in the container
};

/// Length of the container that begins here, header included. `head` holds at least fat_header_bytes. Error bad_input
/// if it is no container.
[[nodiscard]] Result<std::uint64_t> fat_binary_size(std::span<const std::byte> head, std::string_view origin);
inline constexpr std::size_t fat_header_bytes = 16;

/// The entries, in order; those of kinds other than PTX and cubin are left out. They refer to `bytes`. Any bytes are
/// safe input: error bad_input where lengths do not fit.
[[nodiscard]] Result<std::vector<FatEntry>> read_fat_binary(std::span<const std::byte> bytes, std::string_view origin);

/// The cubin or the PTX. Error bad_input if the payload does not unpack to the size that its header says.
[[nodiscard]] Result<std::vector<std::byte>> unpack(const FatEntry& entry, std::string_view origin);

/// The cubin that a GPU of this compute capability (90 for 9.0) loads: same major version, the highest minor that is
/// not above its own. nullptr if there is none.
[[nodiscard]] const FatEntry* best_cubin(std::span<const FatEntry> entries, int compute_capability);

/// What is missing in a program for a GPU of this compute capability: says what is there, and the nvcc option to add.
[[nodiscard]] Error no_cubin(std::span<const FatEntry> entries, int compute_capability, std::string_view origin);

}  // namespace sassafras::isa
