#include "sim/timing/op_ports.hpp"

#include <array>

namespace sassafras::sim {

namespace {

using isa::Instruction;

/// Cycles in which an instruction reads each bank of registers. `held` are registers that the reuse cache has, by slot.
std::array<std::uint8_t, max_register_banks> bank_cycles(const isa::RegisterUse& use, const SmParameters& sm,
                                                         const std::array<int, 3>& held) {
    std::array<std::uint8_t, max_register_banks> banks{};
    const auto is_named_before = [&use](std::size_t at) {
        for (std::size_t i = 0; i < at; ++i)
            if (use.reads[i].file == use.reads[at].file && use.reads[i].first == use.reads[at].first &&
                use.reads[i].count == use.reads[at].count)
                return true;
        return false;
    };
    for (std::size_t i = 0; i < use.read_count; ++i) {
        const isa::RegisterSpan& span = use.reads[i];
        // A register that several operands name is read once (probes/fp64.cu: DFMA of one pair three times).
        if (span.file != isa::RegisterSpan::File::vector || is_named_before(i)) continue;
        for (std::uint32_t r = 0; r < span.count; ++r) {
            const std::uint32_t number = span.first + r;
            if (r == 0 && span.slot < 3 && held[span.slot] == static_cast<int>(number)) continue;
            ++banks[number % sm.register_banks];
        }
    }
    for (std::uint8_t& bank : banks)  // registers so far
        bank = static_cast<std::uint8_t>((bank + sm.register_bank_ports - 1) / sm.register_bank_ports);
    return banks;
}

std::array<int, 3> reused_registers(const Instruction& instruction) {
    std::array<int, 3> held{-1, -1, -1};
    const isa::RegisterUse use = isa::register_use(instruction);
    for (std::size_t i = 0; i < use.read_count; ++i) {
        const isa::RegisterSpan& span = use.reads[i];
        if (span.file == isa::RegisterSpan::File::vector && span.slot < 3 &&
            (instruction.control.reuse >> span.slot & 1U) != 0)
            held[span.slot] = span.first;
    }
    return held;
}

/// Instructions whose registers are read when they leave a queue, and not at issue (probes/register_ports.py).
bool reads_from_queue(const TimingOp& op) {
    return op.unit == Unit::xu || op.action == Action::shuffle || (op.unit == Unit::memory && op.data_registers != 0);
}

FmaHalf half_of(Unit unit) {
    switch (unit) {
        case Unit::fma: return FmaHalf::either;
        case Unit::imad:
        case Unit::imad_wide: return FmaHalf::first;
        case Unit::fp16: return FmaHalf::both;
        default: return FmaHalf::none;
    }
}

}  // namespace

void name_ports(TimingOp& op, const isa::RegisterUse& use, const isa::Instruction* before, const Platform& platform) {
    const std::uint32_t banks = platform.sm.register_banks;
    constexpr std::uint8_t address_slot = 0;
    const bool queued = platform.sm.queued_read_interval_cycles != 0 && reads_from_queue(op);
    if (op.action == Action::memory) op.address_registers = 0;
    // What is sent to memory is read before its address is.
    for (const bool addresses : {false, true})
        for (std::size_t i = 0; i < use.read_count; ++i) {
            const isa::RegisterSpan& span = use.reads[i];
            const bool is_address = op.action == Action::memory && span.slot == address_slot;
            if (span.file != isa::RegisterSpan::File::vector || is_address != addresses) continue;
            if (is_address) op.address_registers = static_cast<std::uint8_t>(op.address_registers + span.count);
            for (std::uint32_t r = 0; queued && r < span.count && op.queued_read_count < op.queued_reads.size(); ++r)
                op.queued_reads[op.queued_read_count++] = static_cast<std::uint8_t>((span.first + r) % banks);
        }
    if (platform.pipes.fma_halves == 2) op.half = half_of(op.unit);
    if (op.unit == Unit::fp64) op.result_late = static_cast<std::uint8_t>(platform.pipes.fp64_late_cycles);
    for (std::size_t i = 0; i < use.write_count; ++i) {
        if (use.writes[i].file != isa::RegisterSpan::File::vector) continue;
        for (std::uint32_t r = 0; r < use.writes[i].count; ++r)
            op.write_banks = static_cast<std::uint8_t>(op.write_banks | 1U << ((use.writes[i].first + r) % banks));
    }
    if (op.queued_read_count != 0) return;  // nothing is read at issue
    op.read_cycles = bank_cycles(use, platform.sm, {-1, -1, -1});
    op.read_cycles_reuse =
        before != nullptr ? bank_cycles(use, platform.sm, reused_registers(*before)) : op.read_cycles;
}

}  // namespace sassafras::sim
