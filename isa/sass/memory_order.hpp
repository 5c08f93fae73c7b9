// How strongly a memory operation is ordered, in the numbers of sm_80 and later, whatever its architecture writes.
#pragma once

#include <array>
#include <cstdint>

#include "isa/sass/fields.hpp"
#include "isa/sass/instruction.hpp"

namespace sassafras::isa {

/// Bits 80..77 from sm_80 on; those that sm_75 can say.
enum class MemoryOrder : std::uint8_t {
    weak = 0,
    constant = 4,
    strong_sm = 5,  ///< of a block or an SM
    strong_gpu = 7,
    mmio_gpu = 8,
    strong_system = 10,
    mmio_system = 12,
};

/// sm_75 has a strength (constant, weak, strong, memory-mapped) above a scope (block, SM, GPU, system).
[[nodiscard]] constexpr unsigned memory_order_of(const Instruction& instruction) {
    using enum MemoryOrder;
    const auto order = static_cast<unsigned>(instruction.word.get(fields::memory_order));
    if (instruction.architecture != Architecture::sm_75) return order;
    constexpr std::array<MemoryOrder, 16> turing{constant, constant, constant,  constant,   weak,       weak,
                                                 weak,     weak,     strong_sm, strong_sm,  strong_gpu, strong_system,
                                                 mmio_gpu, mmio_gpu, mmio_gpu,  mmio_system};
    return static_cast<unsigned>(turing[order]);
}

}  // namespace sassafras::isa
