// What the addresses of one memory instruction cost: shared-memory wavefronts and global sectors.
// Pure functions of addresses, width and mask. The rules are those of Nsight Compute's source page, checked against
// counts recorded on an H200 (tests/golden/access/).
#pragma once

#include <array>
#include <cstdint>

#include "sim/trace/warp_trace.hpp"

namespace sassafras::sim {

enum class SharedAccessKind : std::uint8_t {
    load,
    store,
    atomic,
    swap,         ///< ATOMS.CAS: as an atomic, each in two wavefronts
    try_swap,     ///< ATOMS.CAST.SPIN: one lane of each bank acts, in two wavefronts; others stored nothing
    count,        ///< ATOMS.POPC.INC: a word takes the number of its lanes at once, so lanes share words as in a store
    matrix_load,  ///< LDSM: eight rows of 16 bytes at a time; like a load, but such groups are never served together
};

/// Atomics read and write a word for each lane that names it.
[[nodiscard]] constexpr bool shares_words(SharedAccessKind kind) {
    return kind != SharedAccessKind::atomic && kind != SharedAccessKind::swap;
}
[[nodiscard]] constexpr bool is_shared_atomic(SharedAccessKind kind) {
    return kind == SharedAccessKind::atomic || kind == SharedAccessKind::swap || kind == SharedAccessKind::try_swap ||
           kind == SharedAccessKind::count;
}

/// The platform's. There is none of its own: zeros mean that nobody has given one.
struct BankGeometry {
    std::uint32_t banks = 0;       ///< a power of two
    std::uint32_t bank_bytes = 0;  ///< a power of two
};

struct Wavefronts {
    std::uint32_t actual = 0;
    std::uint32_t ideal = 0;  ///< what the same lanes would need without conflicts
};

/// Data-stage wavefronts of a shared-memory access of `width` bytes a lane (1, 2, 4, 8 or 16).
/// A wavefront serves one word of every bank. Lanes are served in groups that fill the banks once (32-bit accesses: the
/// whole warp; 64-bit: half-warps; 128-bit: quarter-warps), and lanes of a group that read or write the same word share
/// it; atomics never share, but for counts (validate/records/h200/probes/popc_inc.cu). What compares and swaps takes
/// two wavefronts where others take one (shared_cas.cu there). Loads may serve two neighbouring groups at once when
/// lanes n and n^1, or n and n^2, read the same words without a conflict.
[[nodiscard]] Wavefronts shared_wavefronts(const AccessRecord& access, std::uint32_t width, SharedAccessKind kind,
                                           BankGeometry geometry);

/// How a width's lanes are served: `lanes` at a time, each unit of 1 << unit_shift bytes by one of `slots`, which are
/// banks_a_slot neighbouring banks each.
struct SharedGroups {
    std::uint32_t unit_shift = 0;
    std::uint32_t slots = 0;
    std::uint32_t banks_a_slot = 1;
    int lanes = warp_size;
};
[[nodiscard]] SharedGroups shared_groups(std::uint32_t width, BankGeometry geometry);

inline constexpr std::uint32_t most_banks = 64;  ///< that are modelled (sim/platform/platform_constraints.cpp)

struct BankLoads {
    std::array<std::uint8_t, most_banks> words{};  ///< by bank: words that it delivers or takes
};

/// shared_wavefronts(), and what each bank does for it. Slower.
Wavefronts bank_loads(const AccessRecord& access, std::uint32_t width, SharedAccessKind kind, BankGeometry geometry,
                      BankLoads& loads);

/// One cache line of a global access and the sectors of it that are touched (bit s: sector s of the line).
struct LineAccess {
    std::uint64_t line = 0;  ///< address / line_bytes
    std::uint32_t sectors = 0;
};

struct GlobalAccess {
    std::array<LineAccess, 64>
        lines{};  ///< in order of the first lane that touches them; two a lane when accesses straddle lines
    std::uint32_t line_count = 0;
    std::uint32_t sector_count = 0;
};

/// The platform's, as BankGeometry.
struct LineGeometry {
    std::uint32_t line_bytes = 0;    ///< a power of two
    std::uint32_t sector_bytes = 0;  ///< a power of two that divides line_bytes into fewer than 32
};

/// The distinct lines and sectors that a global access of `width` bytes a lane touches.
void global_lines(const AccessRecord& access, std::uint32_t width, LineGeometry geometry, GlobalAccess& out);

}  // namespace sassafras::sim
