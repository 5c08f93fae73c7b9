#include "validate/models/profile/kernel_profile.hpp"

#include <cmath>

#include "core/demangle.hpp"

namespace sassafras::validate {

namespace {

constexpr double bytes_of_a_word = 4;

void add(KernelProfile& profile, InstructionClass kind, double executed) {
    switch (kind) {
        case InstructionClass::arithmetic: profile.arithmetic += executed; break;
        case InstructionClass::global: profile.global += executed; break;
        case InstructionClass::local: profile.local += executed; break;
        case InstructionClass::shared: profile.shared += executed; break;
        case InstructionClass::barrier: profile.barriers += executed; break;
        case InstructionClass::control: profile.control += executed; break;
    }
}

double extent(const Dim3& dimensions) {
    return static_cast<double>(dimensions.x) * static_cast<double>(dimensions.y) * static_cast<double>(dimensions.z);
}

}  // namespace

InstructionClass classify(isa::Opcode opcode) {
    using enum isa::Opcode;
    switch (opcode) {
        case LDG:
        case STG:
        case LD:
        case ST:
        case ATOM:
        case ATOMG:
        case RED:
        case LDGSTS:
        case UBLKCP: return InstructionClass::global;
        case LDL:
        case STL: return InstructionClass::local;
        case LDS:
        case STS:
        case LDSM:
        case STSM:
        case ATOMS: return InstructionClass::shared;
        case BAR: return InstructionClass::barrier;
        case BRA:
        case BRX:
        case JMP:
        case JMX:
        case EXIT:
        case RET:
        case CALL:
        case BSSY:
        case BSYNC:
        case BREAK:
        case BMOV:
        case WARPSYNC:
        case NOP:
        case DEPBAR:
        case LDGDEPBAR:
        case YIELD:
        case KILL:
        case BPT:
        case ERRBAR:
        case MEMBAR:
        case FENCE:
        case CCTL:
        case NANOSLEEP:
        case SYNCS: return InstructionClass::control;
        default: return InstructionClass::arithmetic;
    }
}

double KernelProfile::warps(double lanes) const { return blocks * std::ceil(threads_per_block / lanes); }

Result<KernelProfile> profile_of(const sim::KernelResult& result) {
    if (result.source.empty())
        return Error{ErrorKind::bad_input, "the launch has no counts of its instructions", demangled(result.name),
                     "count on a modelled GPU: --device functional or simulated"};
    KernelProfile profile;
    profile.name = result.name;
    profile.blocks = extent(result.grid);
    profile.threads_per_block = extent(result.block);
    profile.registers_per_thread = result.registers_per_thread;
    profile.shared_words_per_block =
        static_cast<double>(result.static_shared.count + result.dynamic_shared.count) / bytes_of_a_word;
    for (const sim::SourceRow& row : result.source) {
        add(profile, classify(row.instruction.opcode), static_cast<double>(row.inst_executed));
        if (row.instruction.opcode == isa::Opcode::LDG || row.instruction.opcode == isa::Opcode::LD)
            profile.global_lane_loads += static_cast<double>(row.thread_inst_executed);
        profile.thread_instructions += static_cast<double>(row.thread_inst_executed);
        profile.global_sectors += static_cast<double>(row.global_sectors);
        profile.shared_wavefronts += static_cast<double>(row.shared_wavefronts);
        profile.shared_wavefronts_ideal += static_cast<double>(row.shared_wavefronts_ideal);
    }
    return profile;
}

}  // namespace sassafras::validate
