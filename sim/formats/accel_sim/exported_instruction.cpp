#include "sim/formats/accel_sim/exported_instruction.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "isa/program/program.hpp"
#include "isa/sass/constant_load.hpp"
#include "isa/sass/fields.hpp"
#include "isa/sass/table.hpp"

namespace sassafras::sim::accel_sim {

namespace {

/// Accel-Sim 1.x has room for one destination and four sources.
constexpr std::size_t most_sources = 4;

/// "@!P0 LDG.E.64 R2, [R4]" -> "LDG.E.64"
std::string opcode_text(const isa::Instruction& instruction, std::uint64_t pc) {
    std::string text = isa::print(instruction, pc);
    if (text.starts_with('@')) text.erase(0, std::min(text.find(' ') + 1, text.size()));
    text.resize(std::min({text.find(' '), text.find(';'), text.size()}));
    // Its tables of opcodes know the name that all have but sm_90.
    if (text.starts_with("REDG")) text.erase(3, 1);
    return text;
}

}  // namespace

ExportedInstruction exported(const isa::Instruction& instruction, std::uint64_t pc) {
    using File = isa::RegisterSpan::File;
    const isa::RegisterUse use = isa::register_use(instruction);
    std::vector<int> destinations;
    std::vector<int> sources;
    for (std::size_t i = 0; i < use.write_count && destinations.empty(); ++i)
        if (use.writes[i].file == File::vector) destinations.push_back(use.writes[i].first);
    // A result that nobody wants goes to R255, as its tracer writes RZ: without a destination, its loads never
    // complete.
    const isa::OpcodeRow* row = isa::find_row(instruction.key, instruction.architecture);
    if (destinations.empty() && row != nullptr && row->destination == isa::Destination::vector)
        destinations.push_back(isa::register_zero);
    for (std::size_t i = 0; i < use.read_count && sources.size() < most_sources; ++i)
        if (use.reads[i].file == File::vector) sources.push_back(use.reads[i].first);
    // Its tracer gives LDGSTS's registers in the order of the text: address in shared memory, then in global memory.
    if (instruction.opcode == isa::Opcode::LDGSTS && sources.size() == 2) std::swap(sources[0], sources[1]);

    ExportedInstruction result;
    result.pc = fmt::format("{:04x} ", pc);
    result.text = fmt::format("{} ", destinations.size());
    for (const int number : destinations) result.text += fmt::format("R{} ", number);
    result.text += fmt::format("{} {} ", opcode_text(instruction, pc), sources.size());
    for (const int number : sources) result.text += fmt::format("R{} ", number);
    result.site = memory_site(instruction);
    result.is_barrier = instruction.opcode == isa::Opcode::BAR;
    result.is_sleep = instruction.opcode == isa::Opcode::NANOSLEEP;
    result.is_indexed_constant = isa::is_indexed_constant_load(instruction);
    result.ends_lanes = instruction.opcode == isa::Opcode::EXIT || instruction.opcode == isa::Opcode::KILL;
    if (instruction.opcode == isa::Opcode::DEPBAR)
        result.immediate = static_cast<std::int64_t>(instruction.word.get(isa::fields::depbar_count));
    return result;
}

}  // namespace sassafras::sim::accel_sim
