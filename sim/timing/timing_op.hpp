// What timing needs of each instruction, worked out once a launch: read at every issue.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "isa/program/program.hpp"
#include "sim/access/memory_site.hpp"
#include "sim/platform/platform.hpp"

namespace sassafras::sim {

/// Execution resources of a sub-core that an instruction occupies. `memory` is the queue to the shared load/store unit.
enum class Unit : std::uint8_t {
    none,
    alu,
    fma,
    imad,
    imad_wide,
    fp16,
    fp64,
    xu,
    uniform,
    cbu,
    adu,
    tensor,
    memory,
    count_
};
inline constexpr std::size_t max_register_banks = 4;
/// Wide products of a warp that an instruction may have to wait for: no more are begun within the latency of one.
inline constexpr std::size_t max_awaited_products = 3;
inline constexpr std::size_t unit_count = static_cast<std::size_t>(Unit::count_);

/// Which half of the pipe for multiplications and additions takes an instruction (pipes.fma_halves).
enum class FmaHalf : std::uint8_t {
    none,
    either,  ///< the second if it is free
    first,   ///< only this one multiplies integers
    both,
};

enum class Action : std::uint8_t {
    plain,
    memory,            ///< TimingOp::site says what
    copies_barrier,    ///< LDGDEPBAR: its scoreboard clears when the warp's copies to shared memory so far are done
    constant_load,     ///< LDC
    uniform_constant,  ///< ULDC
    shuffle,
    barrier,
    nanosleep,
    clock_read,
    special_register,
    depbar,
    membar,  ///< of the whole GPU or more; of a block it takes no time
    exit,
};

struct TimingOp {
    Unit unit = Unit::none;
    Action action = Action::plain;
    std::uint8_t stall = 1;
    std::uint8_t wait_mask = 0;
    std::uint8_t write_barrier = 7;
    std::uint8_t read_barrier = 7;
    bool acknowledged = false;           ///< a store that a MEMBAR of the kernel may wait for
    std::uint8_t data_registers = 0;     ///< that a store or atomic sends to the memory unit
    std::uint8_t update_operands = 1;    ///< of an atomic to global memory: 2 of CAS
    std::uint8_t address_registers = 1;  ///< likewise of its address: 2 of a 64-bit one, 0 of a uniform one
    bool yields = false;                 ///< another warp should issue next
    bool bypasses_l1 = false;            ///< strong at GPU or system scope: L1 may hold stale data
    bool barrier_waits = true;           ///< BAR.SYNC and BAR.RED wait; BAR.ARV does not
    bool defers = false;                 ///< BAR: the warp goes on to the next instruction that awaits_barrier
    bool awaits_barrier = false;
    bool reconverges = false;  ///< BSYNC
    bool indexed = false;      ///< LDC by a register: lanes may have different addresses
    std::array<std::uint8_t, max_register_banks>
        read_cycles{};  ///< that its reads of vector registers take each bank of the register file
    std::array<std::uint8_t, max_register_banks>
        read_cycles_reuse{};  ///< likewise when the previous instruction's reuse cache holds
    FmaHalf half = FmaHalf::none;
    std::uint8_t write_banks = 0;  ///< banks of vector registers that it writes, a bit each
    std::uint8_t result_late =
        0;  ///< its result comes so many cycles behind that of another issued with it; 0: with it
    std::uint8_t queued_read_count = 0;
    std::array<std::uint8_t, 8> queued_reads{};  ///< banks of the registers that it reads from a queue, in order
    std::uint8_t depbar_scoreboard = 7;
    std::uint8_t depbar_count = 0;
    /// Which of the warp's wide products before it, 1 the last, its operands wait for, and for how long after that
    /// one's issue; 0 none.
    std::uint8_t wide_back = 0;
    std::uint16_t wide_cycles = 0;
    std::uint16_t interval = 1;       ///< cycles that the unit is taken
    std::uint16_t latency = 4;        ///< issue to scoreboard release for operations outside the memory unit
    std::uint32_t constant_line = 0;  ///< bank and line of a constant operand with a fixed address, plus 1; 0 if none
    MemorySite site;                  ///< what it accesses, if the action is memory

    /// Its result takes the register file's ports a fixed time after issue, the same for all such.
    [[nodiscard]] constexpr bool writes_on_time() const {
        return (unit == Unit::alu || half != FmaHalf::none) && result_late == 0;
    }
};

/// Registers that an access of so many bytes a lane fills or sends.
[[nodiscard]] constexpr std::uint32_t registers_of_width(std::uint32_t width) {
    constexpr std::uint32_t register_bytes = 4;
    return width <= register_bytes ? 1 : width / register_bytes;
}

/// True if the cycle at which a result is there is known at issue, but for what a unit shared by sub-cores takes.
[[nodiscard]] constexpr bool is_fixed_latency(Unit unit) {
    return unit != Unit::memory && unit != Unit::xu && unit != Unit::adu;
}

/// Where hardware tracks dependences, without stall counts and scoreboards, but for those of copies to shared memory,
/// which no register stands for.
[[nodiscard]] std::vector<TimingOp> timing_ops(const isa::Program& program, const Platform& platform);

/// True if some instruction reads a clock or makes lanes sleep: what is executed then depends on timing.
[[nodiscard]] bool depends_on_time(const isa::Program& program);

}  // namespace sassafras::sim
