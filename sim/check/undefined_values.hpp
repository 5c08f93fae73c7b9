// Which registers of a warp hold what was read from shared memory that nothing had written.
//
// Kernels read such memory on purpose and throw the value away: a merge that loads the element behind its last one. So
// a read is reported when its value matters: as an address, in a branch, in a store. In between it is followed through
// registers and predicates, a lane and a whole register at a time; a selection or a logical operation that does not
// depend on it ends it (as Valgrind's Memcheck does it: Seward and Nethercote, USENIX 2005).
//
// A structure that is copied takes its padding along, which nothing writes: a word that came with others that are
// written, in one load, may be stored as it is.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "core/types.hpp"
#include "isa/sass/instruction.hpp"
#include "sim/check/hazard.hpp"
#include "sim/execute/execution_observer.hpp"

namespace sassafras::sim {

class UndefinedValues {
  public:
    [[nodiscard]] bool any() const { return live_ != 0; }

    /// A lane has loaded `read` into registers from `first` on; bit k of read.missing: the k-th is undefined.
    void load(const UninitialisedRead& read, std::uint8_t first, std::uint32_t lane);
    /// Lanes in which an operand of a memory instruction is undefined: an address, or what is stored, from register
    /// `stored` on (register_zero: nothing is).
    [[nodiscard]] std::uint32_t used_by_access(const isa::RegisterUse& use, std::uint8_t stored,
                                               std::uint32_t lanes) const;
    /// What the lanes write is defined.
    void define(const isa::RegisterUse& use, std::uint32_t lanes);
    /// An instruction that computes. Returns lanes in which an undefined value leaves the registers of its thread
    /// (VOTE, R2UR, ...).
    [[nodiscard]] std::uint32_t compute(const isa::Instruction& instruction, const isa::RegisterUse& use,
                                        const ObservedValues& values);
    /// Lanes in which a branch, an exit or a barrier depends on an undefined predicate or register.
    [[nodiscard]] std::uint32_t used_by_branch(const isa::RegisterUse& use, std::uint32_t lanes) const;

    [[nodiscard]] const UninitialisedRead& origin(std::uint32_t lane) const { return origin_[lane]; }

  private:
    void set(std::uint32_t& entry, std::uint32_t value) {
        live_ += static_cast<std::uint32_t>(value != 0) - static_cast<std::uint32_t>(entry != 0);
        entry = value;
    }
    [[nodiscard]] std::uint32_t read(const isa::RegisterUse& use, bool vectors, bool predicates) const;
    [[nodiscard]] std::uint32_t of_operand(const isa::Operand& operand) const {
        return operand.kind == isa::OperandKind::reg && operand.reg != isa::register_zero ? registers_[operand.reg] : 0;
    }
    [[nodiscard]] std::uint32_t compared(const isa::Instruction& instruction, const isa::RegisterUse& use,
                                         const ObservedValues& values) const;
    [[nodiscard]] std::uint32_t selected(const isa::Instruction& instruction, const ObservedValues& values) const;
    [[nodiscard]] std::uint32_t looked_up(const isa::Instruction& instruction, const ObservedValues& values,
                                          std::uint32_t table) const;

    /// Lanes in which a register read is undefined and no padding.
    [[nodiscard]] std::uint32_t read_no_padding(const isa::RegisterUse& use) const;

    std::array<std::uint32_t, 256> registers_{};  ///< lanes
    std::array<std::uint32_t, 256> padding_{};    ///< of those, lanes in which it may be a structure's padding
    std::array<std::uint32_t, 8> predicates_{};
    std::uint32_t live_ = 0;  ///< entries that are not 0
    std::array<UninitialisedRead, warp_size> origin_{};
};

}  // namespace sassafras::sim
