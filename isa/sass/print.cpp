#include "isa/sass/print.hpp"

#include <fmt/format.h>

#include "isa/sass/print_groups.hpp"

namespace sassafras::isa {

std::string print(const Instruction& instruction, std::uint64_t pc) {
    PrintLine line(instruction, pc);
    if (!instruction.guard.always()) {
        line.raw(instruction.guard.negate ? "@!" : "@");
        line.raw(predicate_name(instruction.guard.predicate, instruction.guard.uniform));
        line.raw(" ");
    }
    const bool old_reduction = instruction.opcode == Opcode::RED && instruction.architecture < Architecture::sm_90;
    line.raw(old_reduction ? "RED" : mnemonic(instruction.opcode));
    const bool known = print_float(line) || print_half(line) || print_integer(line) || print_conversion(line) ||
                       print_warp(line) || print_memory(line) || print_atomic(line) || print_synchronisation(line) ||
                       print_control_flow(line) || print_uniform(line) || print_tensor(line);
    // An operation without a printer still says what it is and which word it came from.
    if (!known) line.operand(fmt::format("{:#018x}{:016x}", instruction.word.high, instruction.word.low));
    return std::move(line).take();
}

}  // namespace sassafras::isa
