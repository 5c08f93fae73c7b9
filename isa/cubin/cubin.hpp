// A cubin (ELF) as nvcc makes it for one of the architectures of isa/sass/architecture.hpp: kernels, constant banks,
// device variables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "core/types.hpp"
#include "isa/sass/architecture.hpp"
#include "isa/sass/word.hpp"

namespace sassafras::isa {

struct KernelParameter {
    std::uint16_t ordinal = 0;
    std::uint16_t offset = 0;  ///< bytes from the start of the parameter area
    std::uint16_t size = 0;    ///< bytes
};

/// A relocation that the loader applies once device variables have addresses: it stores (address of `symbol`) +
/// `addend`, 8 bytes or the low or high 4 of them, at `offset`. Addresses of code are already resolved: code is linked
/// at address 0, so the address of an instruction is its byte offset into Kernel::code.
struct Relocation {
    /// function_address64: the symbol is a function that the file does not define, such as vprintf or malloc.
    enum class Kind : std::uint8_t { address64, address_low32, address_high32, function_address64 } kind{};
    std::string section;       ///< section that is patched: ".nv.constant4", ".text.k" (Kernel::code of k),
                               ///< ".nv.global.init", ".nv.constant2.k"
    std::uint64_t offset = 0;  ///< of the first byte that is patched, into that section
    std::string symbol;        ///< name of a DeviceVariable, or of an external function
    std::int64_t addend = 0;
};

/// Where relocations need it, a whole section appears as a variable under its own name (".nv.global").
struct DeviceVariable {
    std::string name;
    std::uint64_t offset = 0;  ///< into the image's .nv.global or .nv.global.init, or constant bank 3
    std::uint64_t size = 0;
    enum class Space : std::uint8_t { global_zero, global_initialised, constant3 } space{};
};

struct LocalFunction {
    std::string name;
    std::uint64_t offset = 0;  ///< bytes into the kernel's code
    std::uint64_t size = 0;
};

/// A CALL of a function that the file does not define, such as vprintf.
struct UnresolvedCall {
    std::string function;
    std::uint64_t offset = 0;  ///< bytes into the kernel's code
};

/// A branch through a jump table (switch statement): every place it can go. Source: EIATTR_INDIRECT_BRANCH_TARGETS.
struct IndirectBranch {
    std::uint32_t offset = 0;  ///< of the BRX, bytes into the kernel's code
    std::vector<std::uint32_t> targets;
};

/// CUDA's default cudaLimitStackSize: what a kernel gets whose stack the compiler cannot bound (recursion, function
/// pointers).
inline constexpr Bytes default_stack_limit{1024};

struct Kernel {
    std::string name;                                 ///< mangled
    Architecture architecture = Architecture::sm_90;  ///< whose code it is
    std::vector<Word128> code;  ///< the kernel, then device functions of other sections that it can reach
    std::uint32_t registers_per_thread = 0;
    Bytes static_shared{};     ///< as the program sees it: without the 1 KiB that sm_90 counts for itself
    Bytes local_per_thread{};  ///< stack; at least default_stack_limit if the kernel has out-of-line functions of the
                               ///< program
    std::uint32_t barrier_count = 0;
    std::uint32_t max_threads = 1024;         ///< launch bound
    Dim3 required_block{0, 0, 0};             ///< __reqntid__; zero if none
    Dim3 required_cluster{0, 0, 0};           ///< __cluster_dims__; zero if none
    std::vector<KernelParameter> parameters;  ///< by ordinal
    std::uint32_t parameter_base = 0x210;     ///< offset of the parameters in constant bank 0
    std::uint32_t parameter_bytes = 0;
    std::vector<LocalFunction> functions;           ///< out-of-line functions inside the code
    std::vector<IndirectBranch> indirect_branches;  ///< by offset
    std::vector<UnresolvedCall> unresolved_calls;   ///< direct calls of functions that the file does not define;
                                                    ///< build_program refuses the kernel while there are any
    std::vector<std::uint32_t> exit_offsets;        ///< .nv.info EIATTR_EXIT_INSTR_OFFSETS
    /// .nv.info EIATTR_COOP_GROUP_INSTR_OFFSETS: instructions that need their lanes together (SHFL, VOTE, WARPSYNC,
    /// ...). A NOP among them is what is left of a __syncwarp() where the compiler knows that the lanes are together.
    std::vector<std::uint32_t> warp_wide_offsets;
    std::map<int, std::vector<std::byte>> constant_banks;  ///< the kernel's own (0: image, 2: jump and function tables)
};

struct Cubin {
    Architecture architecture = Architecture::sm_90;
    std::vector<Kernel> kernels;  ///< by name
    std::vector<std::byte> global_initialised;
    Bytes global_zero{};
    std::map<int, std::vector<std::byte>> constant_banks;  ///< module-wide: 3, 4
    std::vector<DeviceVariable> variables;
    std::vector<Relocation> relocations;

    [[nodiscard]] const Kernel* find(std::string_view name) const;
};

/// Puts a code address into a CALL.ABS of this architecture. Source of the field: docs/isa.md.
void set_call_target(Word128& call, std::uint64_t address, Architecture architecture);

/// `origin` names the file in errors. Rejects (bad_input): not an ELF, truncated, not a GPU's, of an architecture that
/// is not read, not linked, section out of range, code not a multiple of 16 bytes, kernel without .nv.info. Error
/// not_modelled: a relocation type that the loader does not know. Any bytes are safe input. Source of the format:
/// docs/isa.md.
[[nodiscard]] Result<Cubin> read_cubin(std::span<const std::byte> bytes, std::string_view origin);

}  // namespace sassafras::isa
