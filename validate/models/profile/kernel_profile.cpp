#include "validate/models/profile/kernel_profile.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace sassafras::validate {

namespace {

constexpr double bytes_of_a_word = 4;

struct Mnemonic {
    std::string_view name;
    InstructionClass kind;
};

constexpr std::array<Mnemonic, 42> mnemonics{{
    {"LDG", InstructionClass::global},        {"STG", InstructionClass::global},
    {"LD", InstructionClass::global},         {"ST", InstructionClass::global},
    {"ATOM", InstructionClass::global},       {"ATOMG", InstructionClass::global},
    {"RED", InstructionClass::global},        {"REDG", InstructionClass::global},
    {"LDGSTS", InstructionClass::global},     {"UBLKCP", InstructionClass::global},
    {"LDL", InstructionClass::local},         {"STL", InstructionClass::local},
    {"LDS", InstructionClass::shared},        {"STS", InstructionClass::shared},
    {"LDSM", InstructionClass::shared},       {"STSM", InstructionClass::shared},
    {"ATOMS", InstructionClass::shared},      {"BAR", InstructionClass::barrier},
    {"BRA", InstructionClass::control},       {"BRX", InstructionClass::control},
    {"JMP", InstructionClass::control},       {"JMX", InstructionClass::control},
    {"EXIT", InstructionClass::control},      {"RET", InstructionClass::control},
    {"CALL", InstructionClass::control},      {"BSSY", InstructionClass::control},
    {"BSYNC", InstructionClass::control},     {"BREAK", InstructionClass::control},
    {"BMOV", InstructionClass::control},      {"WARPSYNC", InstructionClass::control},
    {"NOP", InstructionClass::control},       {"DEPBAR", InstructionClass::control},
    {"LDGDEPBAR", InstructionClass::control}, {"YIELD", InstructionClass::control},
    {"KILL", InstructionClass::control},      {"BPT", InstructionClass::control},
    {"ERRBAR", InstructionClass::control},    {"MEMBAR", InstructionClass::control},
    {"FENCE", InstructionClass::control},     {"CCTL", InstructionClass::control},
    {"NANOSLEEP", InstructionClass::control}, {"SYNCS", InstructionClass::control},
}};

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

InstructionClass classify(std::string_view sass) {
    if (sass.starts_with('@')) {
        const auto space = sass.find(' ');
        sass.remove_prefix(space == std::string_view::npos ? sass.size() : space + 1);
    }
    const std::string_view name = sass.substr(0, sass.find_first_of(". ;"));
    const auto found =
        std::find_if(mnemonics.begin(), mnemonics.end(), [&](const Mnemonic& known) { return known.name == name; });
    return found == mnemonics.end() ? InstructionClass::arithmetic : found->kind;
}

double KernelProfile::warps(double lanes) const { return blocks * std::ceil(threads_per_block / lanes); }

Result<KernelProfile> profile_of(const sim::KernelResult& result) {
    if (result.source.empty())
        return Error{ErrorKind::bad_input, "the launch has no counts of its instructions", result.name,
                     "count on a modelled GPU: --device functional or simulated"};
    KernelProfile profile;
    profile.name = result.name;
    profile.blocks = extent(result.grid);
    profile.threads_per_block = extent(result.block);
    profile.registers_per_thread = result.registers_per_thread;
    profile.shared_words_per_block =
        static_cast<double>(result.static_shared.count + result.dynamic_shared.count) / bytes_of_a_word;
    for (const sim::SourceRow& row : result.source) {
        add(profile, classify(row.sass), static_cast<double>(row.inst_executed));
        profile.global_sectors += static_cast<double>(row.global_sectors);
        profile.shared_wavefronts += static_cast<double>(row.shared_wavefronts);
        profile.shared_wavefronts_ideal += static_cast<double>(row.shared_wavefronts_ideal);
    }
    return profile;
}

double oversubscription(const KernelProfile& profile, const spt::Instance& instance) {
    double resident = std::min(instance.threads_per_core, profile.blocks * profile.threads_per_block / instance.cores);
    if (profile.registers_per_thread > 0)
        resident = std::min(resident, instance.register_words / (profile.registers_per_thread * instance.cores));
    if (profile.shared_words_per_block > 0)
        resident = std::min(resident, instance.shared_words * profile.threads_per_block /
                                          (profile.shared_words_per_block * instance.cores));
    return resident;
}

}  // namespace sassafras::validate
