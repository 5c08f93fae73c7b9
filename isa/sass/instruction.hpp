// A decoded instruction: what executes, prints and times it. A value; decoding allocates nothing.
#pragma once

#include <array>
#include <cstdint>

#include "core/result.hpp"
#include "isa/sass/architecture.hpp"
#include "isa/sass/form.hpp"
#include "isa/sass/opcode.hpp"
#include "isa/sass/pipe.hpp"
#include "isa/sass/word.hpp"

namespace sassafras::isa {

inline constexpr std::uint8_t register_zero = 255;         ///< RZ
inline constexpr std::uint8_t uniform_register_zero = 63;  ///< URZ
inline constexpr std::uint8_t predicate_true = 7;          ///< PT, UPT
inline constexpr std::uint32_t instruction_bytes = 16;

struct Guard {
    std::uint8_t predicate = predicate_true;
    bool negate = false;
    bool uniform = false;  ///< a uniform predicate (UP) guards the instruction
    [[nodiscard]] constexpr bool always() const { return predicate == predicate_true && !negate; }
    [[nodiscard]] constexpr bool never() const { return predicate == predicate_true && negate; }
};

enum class OperandKind : std::uint8_t { none, reg, uniform_reg, immediate, constant, constant_bindless };

/// One logical source (a, b, c of d = f(a, b, c)). For an immediate FP64 source the 32 bits are the high half.
struct Operand {
    OperandKind kind = OperandKind::none;
    std::uint8_t reg = register_zero;  ///< R or UR number; for constant_bindless the UR that holds the bank handle
    bool negate = false;               ///< also the bitwise complement where the operation defines it so
    bool absolute = false;
    std::uint8_t bank = 0;    ///< constant bank
    std::uint32_t value = 0;  ///< immediate bits, or the byte offset into the constant bank
};

/// The fields that every operation has are here; modifiers are read from `word` by the names in fields.hpp.
struct Instruction {
    Word128 word;
    Opcode opcode = Opcode::invalid;
    Pipe pipe = Pipe::none;
    LatencyClass latency = LatencyClass::fixed;
    Architecture architecture = Architecture::sm_90;
    Form form = Form::plain;
    std::uint16_t key = 0;  ///< of its row, for find_row() only: what it says is in opcode, form and operands
    Guard guard;
    ControlCode control;
    std::uint8_t destination = register_zero;  ///< R or UR number by opcode (bits 23..16)
    Operand a;                                 ///< ALU operations: logical sources in the order nvdisasm prints them
    Operand b;
    Operand c;
};

/// A run of registers that an instruction reads or writes.
struct RegisterSpan {
    enum class File : std::uint8_t { vector, uniform, predicate, uniform_predicate } file = File::vector;
    std::uint8_t first = 0;
    std::uint8_t count = 1;
    std::uint8_t slot = 0;  ///< source slot 0 = A, 1 = B, 2 = C (for vector reads: register port and reuse cache)
};

/// What an instruction reads and writes; RZ, URZ, PT and UPT are left out.
struct RegisterUse {
    std::array<RegisterSpan, 8> reads{};
    std::array<RegisterSpan, 6> writes{};
    std::uint8_t read_count = 0;
    std::uint8_t write_count = 0;
};

/// Decodes one instruction. An encoding that no row of the opcode table for the architecture matches is Error
/// not_modelled, with the hex word in `where`. Never fails for other reasons; any bit pattern is safe.
[[nodiscard]] Result<Instruction> decode(const Word128& word, Architecture architecture = Architecture::sm_90);

[[nodiscard]] RegisterUse register_use(const Instruction& instruction);

/// The mnemonic without modifiers, as nvdisasm prints it ("IMAD_WIDE" is "IMAD").
[[nodiscard]] const char* mnemonic(Opcode opcode);

/// Emits an address record: LD*, ST*, ATOM*, RED, LDSM..., not LDC or ULDC.
[[nodiscard]] bool is_memory_access(Opcode opcode);

/// The operation on vector registers that one of the uniform datapath equals, or invalid.
[[nodiscard]] Opcode vector_equivalent(Opcode opcode);

/// Bit 91, the highest of the opcode key: the word names a uniform register (in an address also a descriptor).
[[nodiscard]] constexpr bool names_uniform_register(const Instruction& instruction) {
    constexpr int uniform_bit = 91;
    return instruction.word.bit(uniform_bit);
}

}  // namespace sassafras::isa
