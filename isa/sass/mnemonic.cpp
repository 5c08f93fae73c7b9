// Names of operations and the classes that other parts ask for.
#include <array>
#include <cstddef>

#include "isa/sass/instruction.hpp"

namespace sassafras::isa {
namespace {

// In the order of Opcode.
constexpr std::array names{
    "invalid",    "FADD",      "FMUL",    "FFMA",        "FMNMX",         "FSEL",        "FSET",         "FSETP",
    "FSWZADD",    "FCHK",      "MUFU",    "FRND",        "DADD",          "DMUL",        "DFMA",         "DSETP",
    "DMMA",       "CLMAD",     "HADD2",   "HFMA2",       "HFMA2.MMA",     "HMUL2",       "HSET2",        "HSETP2",
    "HMNMX2",     "VHMNMX",    "HMMA",    "IMMA",        "BMMA",          "HGMMA",       "IGMMA",        "BGMMA",
    "QGMMA",      "WARPGROUP", "IADD3",   "IMAD",        "IMAD",          "IMAD",        "IDP",          "LEA",
    "LOP3",       "PLOP3",     "IMNMX",   "VIMNMX",      "VIMNMX3",       "VIADD",       "VIADDMNMX",    "ISETP",
    "IABS",       "SEL",       "PRMT",    "MOV",         "SHF",           "SGXT",        "BMSK",         "VABSDIFF",
    "VABSDIFF4",  "BREV",      "FLO",     "POPC",        "F2I",           "I2F",         "F2F",          "I2I",
    "I2IP",       "I2FP",      "F2FP",    "F2IP",        "P2R",           "R2P",         "CS2R",         "S2R",
    "S2UR",       "VOTE",      "SHFL",    "MATCH",       "REDUX",         "LDG",         "STG",          "LD",
    "ST",         "LDS",       "STS",     "LDL",         "STL",           "LDC",         "ULDC",         "LDSM",
    "STSM",       "MOVM",      "LDGSTS",  "LDGDEPBAR",   "ARRIVES",       "DEPBAR",      "ATOMG",        "ATOM",
    "ATOMS",      "REDG",      "CCTL",    "CCTLL",       "MEMBAR",        "ERRBAR",      "CGAERRBAR",    "FENCE",
    "QSPC",       "STAS",      "REDAS",   "SYNCS",       "BAR",           "B2R",         "BRA",          "BSSY",
    "BSYNC",      "BREAK",     "BRX",     "BRXU",        "JMP",           "JMX",         "JMXU",         "CALL",
    "RET",        "EXIT",      "KILL",    "BPT",         "NOP",           "YIELD",       "NANOSLEEP",    "WARPSYNC",
    "LEPC",       "BMOV",      "RPCMOV",  "ELECT",       "ENDCOLLECTIVE", "PREEXIT",     "ACQBULK",      "PMTRIG",
    "R2UR",       "UIADD3",    "ULEA",    "ULOP3",       "UISETP",        "USHF",        "USEL",         "UIMAD",
    "UIMAD",      "UIMAD",     "UPRMT",   "UFLO",        "UBREV",         "UPOPC",       "UBMSK",        "USGXT",
    "UCLEA",      "UMOV",      "UP2UR",   "UR2UP",       "UPLOP3",        "VOTEU",       "ULEPC",        "UF2FP",
    "USETMAXREG", "USETSHMSZ", "UTMALDG", "UTMASTG",     "UTMAREDG",      "UTMAPF",      "UTMACCTL",     "UTMACMDFLUSH",
    "UBLKCP",     "UBLKRED",   "UBLKPF",  "UCGABAR_ARV", "UCGABAR_SET",   "UCGABAR_GET", "UCGABAR_WAIT", "TEX",
    "TLD",        "TLD4",      "TXQ",     "TXD",         "TMML",          "FOOTPRINT",   "SULD",         "SUST",
    "SUATOM",     "SURED",
};
static_assert(names.size() == static_cast<std::size_t>(Opcode::count_), "one name an operation");

}  // namespace

const char* mnemonic(Opcode opcode) {
    const auto index = static_cast<std::size_t>(opcode);
    return index < names.size() ? names[index] : "invalid";
}

bool is_memory_access(Opcode opcode) {
    switch (opcode) {
        case Opcode::LDG:
        case Opcode::STG:
        case Opcode::LD:
        case Opcode::ST:
        case Opcode::LDS:
        case Opcode::STS:
        case Opcode::LDL:
        case Opcode::STL:
        case Opcode::LDSM:
        case Opcode::STSM:
        case Opcode::LDGSTS:
        case Opcode::ATOMG:
        case Opcode::ATOM:
        case Opcode::ATOMS:
        case Opcode::RED:
        case Opcode::STAS:
        case Opcode::REDAS:
        case Opcode::SYNCS: return true;
        default: return false;
    }
}

}  // namespace sassafras::isa
