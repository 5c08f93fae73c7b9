// The machine languages that are read: what differs between them, as one table. Everything else holds for all.
// Sources: docs/isa.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace sassafras::isa {

/// In the order in which they came: "since" and "until" of the opcode table compare them.
enum class Architecture : std::uint8_t { sm_75, sm_80, sm_86, sm_89, sm_90 };
inline constexpr std::size_t architecture_count = 5;

/// How the machine code and the cubins of an architecture are laid out.
struct ArchitectureLayout {
    int sm = 90;  ///< compute capability: 10 * major + minor
    /// Branch displacements have 8 more bits, 23..16, below those at 81..34.
    bool branch_low_bits = true;
    /// Relocation type of the target of a call: a code address / 4, in the field of a branch displacement.
    std::uint32_t call_target_relocation = 75;
    /// Bytes at the start of a block's shared memory that are not the program's; .nv.shared.* counts them.
    std::uint32_t reserved_shared_bytes = 0x400;
    /// What cooperative groups and barriers of several warps may use, in blocks of kernels that name where it begins.
    std::uint32_t cooperative_shared_bytes = 0x400;

    // Constant bank 0: byte offsets. 0: the architecture has none.
    std::uint32_t parameters = 0x210;
    std::uint32_t parameter_pointer = 0x198;  ///< of a generic address: that of the parameters, less the next number
    std::uint32_t parameter_pointer_bias = 0;
    std::uint32_t grid_workspace_high = 0x44;  ///< of the address of a cooperative launch's workspace
    std::uint32_t grid_workspace_low = 0x48;
    std::uint32_t constant_variables_pointer = 0xd0;  ///< of the generic address of bank 3
    std::uint32_t memory_descriptor = 0x208;          ///< opaque; 0 in the model
    std::uint32_t cooperative_shared_pointer =
        0x6c;                  ///< of the shared address at which cooperative groups' bytes begin
    bool has_clusters = true;  ///< their sizes are at 0x144 to 0x188
};

inline constexpr ArchitectureLayout ampere_layout{.sm = 80,
                                                  .branch_low_bits = false,
                                                  .call_target_relocation = 58,
                                                  .reserved_shared_bytes = 0,
                                                  .parameters = 0x160,
                                                  .parameter_pointer = 0x40,
                                                  .parameter_pointer_bias = 0x160,
                                                  .grid_workspace_high = 0x8c,
                                                  .grid_workspace_low = 0x90,
                                                  .constant_variables_pointer = 0x50,
                                                  .memory_descriptor = 0x118,
                                                  .cooperative_shared_pointer = 0x124,
                                                  .has_clusters = false};

[[nodiscard]] constexpr ArchitectureLayout with_sm(ArchitectureLayout layout, int sm) {
    layout.sm = sm;
    return layout;
}
[[nodiscard]] constexpr ArchitectureLayout turing_layout() {
    ArchitectureLayout layout = with_sm(ampere_layout, 75);
    layout.memory_descriptor = 0;
    layout.cooperative_shared_pointer = 0;
    layout.cooperative_shared_bytes = 0;
    return layout;
}

/// By Architecture.
inline constexpr std::array<ArchitectureLayout, architecture_count> architecture_layouts{
    turing_layout(), ampere_layout, with_sm(ampere_layout, 86), with_sm(ampere_layout, 89), ArchitectureLayout{}};

[[nodiscard]] constexpr const ArchitectureLayout& layout_of(Architecture architecture) {
    return architecture_layouts[static_cast<std::size_t>(architecture)];
}

/// Of a number as in sm_80; none if that code is not read.
[[nodiscard]] constexpr std::optional<Architecture> architecture_of(int sm) {
    for (std::size_t index = 0; index < architecture_count; ++index)
        if (architecture_layouts[index].sm == sm) return static_cast<Architecture>(index);
    return std::nullopt;
}

/// The major and minor number of a GPU, as in 8.0.
struct ComputeCapability {
    std::uint32_t major = 9;
    std::uint32_t minor = 0;
};

/// Machine code runs on GPUs of its own major number and no smaller a minor one.
[[nodiscard]] constexpr bool runs_on(Architecture code, ComputeCapability gpu) {
    const auto sm = static_cast<std::uint32_t>(layout_of(code).sm);
    return sm / 10 == gpu.major && sm % 10 <= gpu.minor;
}

/// Some code that is read runs on it.
[[nodiscard]] constexpr bool has_code_for(ComputeCapability gpu) {
    for (std::size_t index = 0; index < architecture_count; ++index)
        if (runs_on(static_cast<Architecture>(index), gpu)) return true;
    return false;
}

/// "sm_80"
[[nodiscard]] inline std::string name_of(Architecture architecture) {
    return "sm_" + std::to_string(layout_of(architecture).sm);
}

}  // namespace sassafras::isa
