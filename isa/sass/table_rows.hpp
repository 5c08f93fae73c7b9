// The rows of the opcode table, built at compile time from families: an operation and the operand forms it has.
#pragma once

#include <array>
#include <span>

#include "isa/sass/table.hpp"

namespace sassafras::isa::table {

struct Form {
    std::uint16_t nibble = 0;  ///< key bits 12..9, with bit 8 as in the family's base
    std::array<Source, 3> sources{};
};

using enum Source;

// d = f(a, b, c): any of b and c may be outside the register file.
inline constexpr std::array three_forms{
    Form{0x0200, {a, b, c}},        Form{0x0400, {a, c, immediate}}, Form{0x0600, {a, c, constant}},
    Form{0x1600, {a, c, bindless}}, Form{0x0800, {a, immediate, c}}, Form{0x0a00, {a, constant, c}},
    Form{0x1a00, {a, bindless, c}}, Form{0x1c00, {a, uniform_b, c}}, Form{0x1e00, {a, c, uniform_b}}};
// d = f(a, b, c): only b may be outside.
inline constexpr std::array middle_forms{Form{0x0200, {a, b, c}}, Form{0x0800, {a, immediate, c}},
                                         Form{0x0a00, {a, constant, c}}, Form{0x1a00, {a, bindless, c}},
                                         Form{0x1c00, {a, uniform_b, c}}};
inline constexpr std::array two_forms{Form{0x0200, {a, b}}, Form{0x0800, {a, immediate}}, Form{0x0a00, {a, constant}},
                                      Form{0x1a00, {a, bindless}}, Form{0x1c00, {a, uniform_b}}};
// FADD, HADD2 and comparisons of halves and doubles: the second source is coded as if it were the third.
inline constexpr std::array addend_b_forms{Form{0x0200, {a, b}}, Form{0x0400, {a, immediate}},
                                           Form{0x0600, {a, constant}}, Form{0x1600, {a, bindless}},
                                           Form{0x1e00, {a, uniform_b}}};
inline constexpr std::array addend_c_forms{Form{0x0200, {a, c}}, Form{0x0400, {a, immediate}},
                                           Form{0x0600, {a, constant}}, Form{0x1600, {a, bindless}},
                                           Form{0x1e00, {a, uniform_b}}};
inline constexpr std::array unary_forms{Form{0x0200, {b}}, Form{0x0800, {immediate}}, Form{0x0a00, {constant}},
                                        Form{0x1a00, {bindless}}, Form{0x1c00, {uniform_b}}};
// Variable-latency operations have bit 8 set.
inline constexpr std::array unary_variable_forms{Form{0x0300, {b}}, Form{0x0900, {immediate}}, Form{0x0b00, {constant}},
                                                 Form{0x1b00, {bindless}}, Form{0x1d00, {uniform_b}}};
inline constexpr std::array two_variable_forms{Form{0x0300, {a, b}}, Form{0x0900, {a, immediate}},
                                               Form{0x0b00, {a, constant}}, Form{0x1b00, {a, bindless}},
                                               Form{0x1d00, {a, uniform_b}}};
// Predicate logic with sign bits of up to three registers.
inline constexpr std::array uniform_three_forms{Form{0x1200, {uniform_a, uniform_b, uniform_c}},
                                                Form{0x1400, {uniform_a, uniform_c, immediate}},
                                                Form{0x1800, {uniform_a, immediate, uniform_c}}};
inline constexpr std::array uniform_two_forms{Form{0x1200, {uniform_a, uniform_b}},
                                              Form{0x1800, {uniform_a, immediate}}};
inline constexpr std::array uniform_unary_forms{Form{0x1200, {uniform_b}}, Form{0x1800, {immediate}}};
inline constexpr std::array one_form{Form{0x0000, {}}};

struct Family {
    Opcode opcode = Opcode::invalid;
    std::uint16_t base = 0;  ///< key bits that all forms share
    std::span<const Form> forms;
    Destination destination = Destination::vector;
    Pipe pipe = Pipe::none;
    LatencyClass latency = LatencyClass::fixed;
    SourceModifiers modifiers = no_modifiers;
    Architecture since = Architecture::sm_75;
    Architecture until = Architecture::sm_90;
};

using enum Opcode;
using enum Architecture;
inline constexpr auto R = Destination::vector;
inline constexpr auto U = Destination::uniform;
inline constexpr auto N = Destination::none;
inline constexpr auto fixed = LatencyClass::fixed;
inline constexpr auto variable = LatencyClass::variable;
inline constexpr SourceModifiers signs_ab = sign_a | magnitude_a | sign_b | magnitude_b;
inline constexpr SourceModifiers signs_abc = signs_ab | sign_c | magnitude_c;

inline constexpr std::array families{
    // FP32
    Family{FADD, 0x021, addend_b_forms, R, Pipe::fma, fixed, signs_ab},
    Family{FMUL, 0x020, two_forms, R, Pipe::fma, fixed, signs_ab},
    Family{FFMA, 0x023, three_forms, R, Pipe::fma, fixed, signs_abc},
    Family{FMNMX, 0x009, two_forms, R, Pipe::alu, fixed, signs_ab},
    Family{FSEL, 0x008, two_forms, R, Pipe::alu, fixed, signs_ab},
    Family{FSET, 0x00a, two_forms, R, Pipe::alu, fixed, signs_ab},
    Family{FSETP, 0x00b, two_forms, N, Pipe::alu, fixed, signs_ab},
    Family{FCHK, 0x002, two_variable_forms, N, Pipe::xu, variable, signs_ab},
    Family{MUFU, 0x008, unary_variable_forms, R, Pipe::xu, variable, sign_b | magnitude_b},
    Family{FRND, 0x007, unary_variable_forms, R, Pipe::xu, variable, sign_b | magnitude_b},
    Family{FRND, 0x013, unary_variable_forms, R, Pipe::xu, variable, sign_b | magnitude_b},
    // FP64
    Family{DADD, 0x029, addend_c_forms, R, Pipe::fp64, fixed, signs_abc},
    Family{DMUL, 0x028, two_forms, R, Pipe::fp64, fixed, signs_ab},
    Family{DFMA, 0x02b, three_forms, R, Pipe::fp64, fixed, signs_abc},
    Family{DSETP, 0x02a, addend_b_forms, N, Pipe::fp64, fixed, signs_ab},
    Family{CLMAD, 0x02c, three_forms, R, Pipe::fp64, fixed, no_modifiers, sm_90},
    // FP16x2
    Family{HADD2, 0x030, addend_b_forms, R, Pipe::fp16, fixed, signs_ab},
    Family{HFMA2, 0x031, three_forms, R, Pipe::fp16, fixed, signs_ab | half_c},
    Family{HFMA2_MMA, 0x035, three_forms, R, Pipe::fp64, fixed, signs_ab | half_c, sm_80},
    Family{HMUL2, 0x032, two_forms, R, Pipe::fp16, fixed, signs_ab},
    Family{HSET2, 0x033, addend_b_forms, R, Pipe::fp16, fixed, signs_ab},
    Family{HSETP2, 0x034, addend_b_forms, N, Pipe::fp16, fixed, signs_ab},
    Family{HMNMX2, 0x040, two_forms, R, Pipe::fp16, fixed, signs_ab, sm_80},
    Family{VHMNMX, 0x047, middle_forms, R, Pipe::fp16, fixed, signs_ab | half_c, sm_90},
    // integer
    Family{IADD3, 0x010, middle_forms, R, Pipe::alu, fixed, sign_a | sign_b | sign_c},
    Family{IMAD, 0x024, three_forms, R, Pipe::fma, fixed, sign_b | sign_c},
    Family{IMAD_WIDE, 0x025, three_forms, R, Pipe::fma, fixed, sign_b | sign_c},
    Family{IMAD_HI, 0x027, three_forms, R, Pipe::fma, fixed, sign_b | sign_c},
    Family{IDP, 0x026, middle_forms, R, Pipe::fma, fixed, sign_c},
    Family{LEA, 0x011, three_forms, R, Pipe::alu, fixed, sign_a | sign_b},
    Family{LOP3, 0x012, middle_forms, R, Pipe::alu, fixed},
    Family{IMNMX, 0x017, two_forms, R, Pipe::alu, fixed},
    Family{VIMNMX, 0x048, two_forms, R, Pipe::alu, fixed, no_modifiers, sm_90},
    Family{VIMNMX3, 0x00f, middle_forms, R, Pipe::alu, fixed, no_modifiers, sm_90},
    Family{VIADD, 0x036, two_forms, R, Pipe::fma, fixed, sign_b, sm_90},
    Family{VIADDMNMX, 0x046, three_forms, R, Pipe::alu, fixed, sign_b | sign_c, sm_90},
    Family{ISETP, 0x00c, two_forms, N, Pipe::alu, fixed},
    Family{IABS, 0x013, unary_forms, R, Pipe::alu, fixed},
    Family{SEL, 0x007, two_forms, R, Pipe::alu, fixed},
    Family{PRMT, 0x016, three_forms, R, Pipe::alu, fixed},
    Family{MOV, 0x002, unary_forms, R, Pipe::alu, fixed},
    Family{SHF, 0x019, three_forms, R, Pipe::alu, fixed},
    Family{SGXT, 0x01a, two_forms, R, Pipe::alu, fixed},
    Family{BMSK, 0x01b, two_forms, R, Pipe::alu, fixed},
    Family{VABSDIFF, 0x014, three_forms, R, Pipe::alu, fixed},
    Family{VABSDIFF4, 0x015, three_forms, R, Pipe::alu, fixed},
    Family{BREV, 0x001, unary_variable_forms, R, Pipe::xu, variable},
    Family{FLO, 0x000, unary_variable_forms, R, Pipe::xu, variable, sign_b},
    Family{POPC, 0x009, unary_variable_forms, R, Pipe::xu, variable, sign_b},
    // conversions
    Family{F2I, 0x005, unary_variable_forms, R, Pipe::xu, variable, sign_b | magnitude_b},
    Family{F2I, 0x011, unary_variable_forms, R, Pipe::xu, variable, sign_b | magnitude_b},
    Family{I2F, 0x006, unary_variable_forms, R, Pipe::xu, variable},
    Family{I2F, 0x012, unary_variable_forms, R, Pipe::xu, variable},
    Family{F2F, 0x004, unary_variable_forms, R, Pipe::xu, variable, sign_b | magnitude_b},
    Family{F2F, 0x010, unary_variable_forms, R, Pipe::xu, variable, sign_b | magnitude_b},
    Family{I2I, 0x038, unary_forms, R, Pipe::alu, fixed},
    Family{I2IP, 0x039, middle_forms, R, Pipe::alu, fixed},
    Family{I2FP, 0x045, unary_forms, R, Pipe::alu, fixed, no_modifiers, sm_86},
    Family{F2FP, 0x03e, three_forms, R, Pipe::alu, fixed},
    Family{F2IP, 0x043, three_forms, R, Pipe::alu, fixed, no_modifiers, sm_86},
    // predicates
    Family{P2R, 0x003, two_forms, R, Pipe::alu, fixed},
    Family{R2P, 0x004, two_forms, N, Pipe::alu, fixed},
    // uniform datapath
    Family{UIADD3, 0x090, uniform_three_forms, U, Pipe::uniform, fixed, sign_a | sign_b | sign_c},
    Family{UIADD3, 0x097, uniform_three_forms, U, Pipe::uniform, fixed, sign_a | sign_b | sign_c, sm_80},
    Family{UIMAD, 0x0a4, uniform_three_forms, U, Pipe::uniform, fixed, sign_c},
    Family{UIMAD_WIDE, 0x0a5, uniform_three_forms, U, Pipe::uniform, fixed, sign_c},
    Family{UIMAD_HI, 0x0a7, uniform_three_forms, U, Pipe::uniform, fixed, sign_c, sm_80},
    Family{ULEA, 0x091, uniform_three_forms, U, Pipe::uniform, fixed, sign_a | sign_b},
    Family{ULOP3, 0x092, uniform_three_forms, U, Pipe::uniform, fixed},
    Family{USHF, 0x099, uniform_three_forms, U, Pipe::uniform, fixed},
    Family{UPRMT, 0x096, uniform_three_forms, U, Pipe::uniform, fixed},
    Family{UISETP, 0x08c, uniform_two_forms, N, Pipe::uniform, fixed},
    Family{USEL, 0x087, uniform_two_forms, U, Pipe::uniform, fixed},
    Family{UBMSK, 0x09b, uniform_two_forms, U, Pipe::uniform, fixed},
    Family{USGXT, 0x09a, uniform_two_forms, U, Pipe::uniform, fixed},
    Family{UFLO, 0x0bd, uniform_unary_forms, U, Pipe::uniform, fixed, sign_b},
    Family{UBREV, 0x0be, uniform_unary_forms, U, Pipe::uniform, fixed},
    Family{UPOPC, 0x0bf, uniform_unary_forms, U, Pipe::uniform, fixed, sign_b},
    Family{UF2FP, 0x0ba, uniform_three_forms, U, Pipe::uniform, fixed, no_modifiers, sm_90},
};

/// Operations whose operands do not follow a common form: the whole key.
inline constexpr std::array single_rows{
    OpcodeRow{0x0822, FSWZADD, {a, c}, no_modifiers, R, Pipe::fma, fixed},
    OpcodeRow{0x081c, PLOP3, {}, no_modifiers, N, Pipe::alu, fixed},
    OpcodeRow{0x021d, PLOP3, {a}, no_modifiers, N, Pipe::alu, fixed},
    OpcodeRow{0x021e, PLOP3, {a, b}, no_modifiers, N, Pipe::alu, fixed},
    OpcodeRow{0x021f, PLOP3, {a, b, c}, no_modifiers, N, Pipe::alu, fixed},
    OpcodeRow{0x1c1f, PLOP3, {a, uniform_b, c}, no_modifiers, N, Pipe::alu, fixed},
    OpcodeRow{0x0a1f, PLOP3, {a, constant, c}, no_modifiers, N, Pipe::alu, fixed, sm_75, sm_89},
    OpcodeRow{0x0805, CS2R, {}, no_modifiers, R, Pipe::alu, fixed},
    OpcodeRow{0x0919, S2R, {}, no_modifiers, R, Pipe::adu, variable},
    OpcodeRow{0x09c3, S2UR, {}, no_modifiers, U, Pipe::adu, variable},
    OpcodeRow{0x0806, VOTE, {}, no_modifiers, R, Pipe::alu, fixed},
    OpcodeRow{0x0886, VOTEU, {}, no_modifiers, U, Pipe::uniform, fixed},
    OpcodeRow{0x0389, SHFL, {a, b, c}, no_modifiers, R, Pipe::lsu, variable},
    OpcodeRow{0x0589, SHFL, {a, b}, no_modifiers, R, Pipe::lsu, variable},
    OpcodeRow{0x0989, SHFL, {a, Source::none, c}, no_modifiers, R, Pipe::lsu, variable},
    OpcodeRow{0x0f89, SHFL, {a}, no_modifiers, R, Pipe::lsu, variable},
    OpcodeRow{0x03a1, MATCH, {a}, no_modifiers, R, Pipe::adu, variable},
    OpcodeRow{0x03c4, REDUX, {a}, no_modifiers, U, Pipe::adu, variable, sm_80},
    // tensor core
    OpcodeRow{0x023c, HMMA, {a, b, c}, sign_a | sign_b, R, Pipe::tensor, fixed},
    OpcodeRow{0x0237, IMMA, {a, b, c}, no_modifiers, R, Pipe::tensor, fixed},
    OpcodeRow{0x023d, BMMA, {a, b, c}, no_modifiers, R, Pipe::tensor, fixed},
    OpcodeRow{0x023f, DMMA, {a, b, c}, signs_abc, R, Pipe::tensor, variable, sm_80},
    OpcodeRow{0x1df0, HGMMA, {}, no_modifiers, R, Pipe::tensor, variable, sm_90},
    OpcodeRow{0x15f0, HGMMA, {a}, no_modifiers, R, Pipe::tensor, variable, sm_90},
    OpcodeRow{0x1df1, IGMMA, {}, no_modifiers, R, Pipe::tensor, variable, sm_90},
    OpcodeRow{0x15f1, IGMMA, {a}, no_modifiers, R, Pipe::tensor, variable, sm_90},
    OpcodeRow{0x1df2, BGMMA, {}, no_modifiers, R, Pipe::tensor, variable, sm_90},
    OpcodeRow{0x15f2, BGMMA, {a}, no_modifiers, R, Pipe::tensor, variable, sm_90},
    OpcodeRow{0x1df3, QGMMA, {}, no_modifiers, R, Pipe::tensor, variable, sm_90},
    OpcodeRow{0x15f3, QGMMA, {a}, no_modifiers, R, Pipe::tensor, variable, sm_90},
    // memory: a is the address, b the data, c the second datum of a compare-and-swap
    OpcodeRow{0x0381, LDG, {a}, no_modifiers, R, Pipe::lsu, variable},
    OpcodeRow{0x1981, LDG, {a}, no_modifiers, R, Pipe::lsu, variable},
    OpcodeRow{0x0386, STG, {a, b}, no_modifiers, N, Pipe::lsu, variable},
    OpcodeRow{0x1986, STG, {a, b}, no_modifiers, N, Pipe::lsu, variable},
    OpcodeRow{0x0980, LD, {a}, no_modifiers, R, Pipe::lsu, variable},
    OpcodeRow{0x1980, LD, {a}, no_modifiers, R, Pipe::lsu, variable},
    OpcodeRow{0x0385, ST, {a, c}, no_modifiers, N, Pipe::lsu, variable},
    OpcodeRow{0x1985, ST, {a, b}, no_modifiers, N, Pipe::lsu, variable},
    OpcodeRow{0x0984, LDS, {a}, no_modifiers, R, Pipe::lsu, variable},
    OpcodeRow{0x1984, LDS, {a}, no_modifiers, R, Pipe::lsu, variable},
    OpcodeRow{0x0388, STS, {a, b}, no_modifiers, N, Pipe::lsu, variable},
    OpcodeRow{0x1988, STS, {a, b}, no_modifiers, N, Pipe::lsu, variable},
    OpcodeRow{0x0983, LDL, {a}, no_modifiers, R, Pipe::lsu, variable},
    OpcodeRow{0x1983, LDL, {a}, no_modifiers, R, Pipe::lsu, variable},
    OpcodeRow{0x0387, STL, {a, b}, no_modifiers, N, Pipe::lsu, variable},
    OpcodeRow{0x1987, STL, {a, b}, no_modifiers, N, Pipe::lsu, variable},
    OpcodeRow{0x0b82, LDC, {a, constant}, no_modifiers, R, Pipe::adu, variable},
    OpcodeRow{0x1582, LDC, {a, bindless}, no_modifiers, R, Pipe::adu, variable},
    OpcodeRow{0x0ab9, ULDC, {constant}, no_modifiers, U, Pipe::uniform, fixed},
    OpcodeRow{0x1ab9, ULDC, {bindless}, no_modifiers, U, Pipe::uniform, fixed},
    OpcodeRow{0x1abb, ULDC, {constant, uniform_a}, no_modifiers, U, Pipe::uniform, fixed},
    OpcodeRow{0x18b8, ULDC, {immediate, uniform_a}, no_modifiers, U, Pipe::uniform, fixed},
    OpcodeRow{0x083b, LDSM, {a}, no_modifiers, R, Pipe::lsu, variable},
    OpcodeRow{0x183b, LDSM, {a}, no_modifiers, R, Pipe::lsu, variable},
    OpcodeRow{0x0844, STSM, {a, b}, no_modifiers, N, Pipe::lsu, variable, sm_90},
    OpcodeRow{0x1844, STSM, {a, b}, no_modifiers, N, Pipe::lsu, variable, sm_90},
    OpcodeRow{0x023a, MOVM, {a}, no_modifiers, R, Pipe::lsu, variable},
    OpcodeRow{0x1fae, LDGSTS, {a}, no_modifiers, N, Pipe::lsu, variable, sm_80},
    OpcodeRow{0x1dae, LDGSTS, {a}, no_modifiers, N, Pipe::lsu, variable, sm_80},
    OpcodeRow{0x09af, LDGDEPBAR, {}, no_modifiers, N, Pipe::lsu, variable, sm_80},
    OpcodeRow{0x19b0, ARRIVES, {a}, no_modifiers, N, Pipe::lsu, variable, sm_80},
    OpcodeRow{0x091a, DEPBAR, {}, no_modifiers, N, Pipe::adu, fixed},
    OpcodeRow{0x03a8, ATOMG, {a, b}, no_modifiers, R, Pipe::lsu, variable},
    OpcodeRow{0x19a8, ATOMG, {a, b}, no_modifiers, R, Pipe::lsu, variable},
    OpcodeRow{0x03a3, ATOMG, {a, b}, no_modifiers, R, Pipe::lsu, variable, sm_90},
    OpcodeRow{0x19a3, ATOMG, {a, b}, no_modifiers, R, Pipe::lsu, variable, sm_90},
    OpcodeRow{0x03a9, ATOMG, {a, b, c}, no_modifiers, R, Pipe::lsu, variable},
    OpcodeRow{0x038a, ATOM, {a, b}, no_modifiers, R, Pipe::lsu, variable},
    OpcodeRow{0x198a, ATOM, {a, b}, no_modifiers, R, Pipe::lsu, variable},
    OpcodeRow{0x03a2, ATOM, {a, b}, no_modifiers, R, Pipe::lsu, variable, sm_90},
    OpcodeRow{0x19a2, ATOM, {a, b}, no_modifiers, R, Pipe::lsu, variable, sm_90},
    OpcodeRow{0x038b, ATOM, {a, b, c}, no_modifiers, R, Pipe::lsu, variable},
    OpcodeRow{0x038c, ATOMS, {a, b}, no_modifiers, R, Pipe::lsu, variable},
    OpcodeRow{0x198c, ATOMS, {a, b}, no_modifiers, R, Pipe::lsu, variable},
    OpcodeRow{0x1f8c, ATOMS, {a}, no_modifiers, R, Pipe::lsu, variable, sm_80},
    OpcodeRow{0x038d, ATOMS, {a, b, c}, no_modifiers, R, Pipe::lsu, variable},
    OpcodeRow{0x098e, RED, {a, b}, no_modifiers, N, Pipe::lsu, variable},
    OpcodeRow{0x198e, RED, {a, b}, no_modifiers, N, Pipe::lsu, variable},
    OpcodeRow{0x09a6, RED, {a, b}, no_modifiers, N, Pipe::lsu, variable, sm_90},
    OpcodeRow{0x19a6, RED, {a, b}, no_modifiers, N, Pipe::lsu, variable, sm_90},
    OpcodeRow{0x098f, CCTL, {a}, no_modifiers, N, Pipe::lsu, variable},
    OpcodeRow{0x1d8f, CCTL, {a}, no_modifiers, N, Pipe::lsu, variable},
    OpcodeRow{0x0990, CCTLL, {a}, no_modifiers, N, Pipe::lsu, variable},
    OpcodeRow{0x1d90, CCTLL, {a}, no_modifiers, N, Pipe::lsu, variable},
    OpcodeRow{0x0992, MEMBAR, {}, no_modifiers, N, Pipe::lsu, variable},
    OpcodeRow{0x09ab, ERRBAR, {}, no_modifiers, N, Pipe::lsu, variable},
    OpcodeRow{0x05ab, CGAERRBAR, {}, no_modifiers, N, Pipe::lsu, variable, sm_90},
    OpcodeRow{0x03c6, FENCE, {}, no_modifiers, N, Pipe::lsu, variable, sm_90},
    OpcodeRow{0x03aa, QSPC, {a}, no_modifiers, R, Pipe::lsu, variable},
    OpcodeRow{0x19aa, QSPC, {a}, no_modifiers, R, Pipe::lsu, variable},
    OpcodeRow{0x1dbd, STAS, {a, b}, no_modifiers, N, Pipe::lsu, variable, sm_90},
    OpcodeRow{0x1dbe, REDAS, {a, b}, no_modifiers, N, Pipe::lsu, variable, sm_90},
    OpcodeRow{0x19a7, SYNCS, {a, b}, no_modifiers, R, Pipe::lsu, variable, sm_90},
    OpcodeRow{0x15a7, SYNCS, {a}, no_modifiers, R, Pipe::lsu, variable, sm_90},
    OpcodeRow{0x19b1, SYNCS, {a}, no_modifiers, R, Pipe::lsu, variable, sm_90},
    OpcodeRow{0x15b1, SYNCS, {a}, no_modifiers, R, Pipe::lsu, variable, sm_90},
    OpcodeRow{0x19b2, SYNCS, {a}, no_modifiers, R, Pipe::lsu, variable, sm_90},
    OpcodeRow{0x15b2, SYNCS, {a}, no_modifiers, R, Pipe::lsu, variable, sm_90},
    OpcodeRow{0x13b2, SYNCS, {a}, no_modifiers, R, Pipe::lsu, variable, sm_90},
    // barriers and control flow
    OpcodeRow{0x0b1d, BAR, {}, no_modifiers, N, Pipe::adu, variable},
    OpcodeRow{0x091d, BAR, {Source::none, b}, no_modifiers, N, Pipe::adu, variable},
    OpcodeRow{0x051d, BAR, {b}, no_modifiers, N, Pipe::adu, variable},
    OpcodeRow{0x031d, BAR, {b}, no_modifiers, N, Pipe::adu, variable},
    OpcodeRow{0x031c, B2R, {}, no_modifiers, R, Pipe::adu, variable},
    OpcodeRow{0x0947, BRA, {}, no_modifiers, N, Pipe::cbu, fixed},
    OpcodeRow{0x1547, BRA, {}, no_modifiers, N, Pipe::cbu, fixed, sm_80},
    OpcodeRow{0x1947, BRA, {uniform_a}, no_modifiers, N, Pipe::cbu, fixed, sm_80},
    OpcodeRow{0x0945, BSSY, {}, no_modifiers, N, Pipe::cbu, fixed},
    OpcodeRow{0x0941, BSYNC, {}, no_modifiers, N, Pipe::cbu, fixed},
    OpcodeRow{0x0942, BREAK, {}, no_modifiers, N, Pipe::cbu, fixed},
    OpcodeRow{0x0949, BRX, {a}, no_modifiers, N, Pipe::cbu, fixed},
    OpcodeRow{0x1958, BRXU, {uniform_a}, no_modifiers, N, Pipe::cbu, fixed},
    OpcodeRow{0x094a, JMP, {}, no_modifiers, N, Pipe::cbu, fixed},
    OpcodeRow{0x154a, JMP, {}, no_modifiers, N, Pipe::cbu, fixed, sm_80},
    OpcodeRow{0x194a, JMP, {uniform_a}, no_modifiers, N, Pipe::cbu, fixed, sm_80},
    OpcodeRow{0x094c, JMX, {a}, no_modifiers, N, Pipe::cbu, fixed},
    OpcodeRow{0x1959, JMXU, {uniform_a}, no_modifiers, N, Pipe::cbu, fixed},
    OpcodeRow{0x0943, CALL, {}, no_modifiers, N, Pipe::cbu, fixed},
    OpcodeRow{0x0944, CALL, {}, no_modifiers, N, Pipe::cbu, fixed},
    OpcodeRow{0x0343, CALL, {a}, no_modifiers, N, Pipe::cbu, fixed},
    OpcodeRow{0x0344, CALL, {a}, no_modifiers, N, Pipe::cbu, fixed},
    OpcodeRow{0x0b43, CALL, {constant}, no_modifiers, N, Pipe::cbu, fixed},
    OpcodeRow{0x1943, CALL, {uniform_a}, no_modifiers, N, Pipe::cbu, fixed},
    OpcodeRow{0x1944, CALL, {uniform_a}, no_modifiers, N, Pipe::cbu, fixed},
    OpcodeRow{0x0950, RET, {a}, no_modifiers, N, Pipe::cbu, fixed},
    OpcodeRow{0x1950, RET, {uniform_a}, no_modifiers, N, Pipe::cbu, fixed},
    OpcodeRow{0x094d, EXIT, {}, no_modifiers, N, Pipe::cbu, fixed},
    OpcodeRow{0x095b, KILL, {}, no_modifiers, N, Pipe::cbu, fixed},
    OpcodeRow{0x095c, BPT, {}, no_modifiers, N, Pipe::cbu, fixed},
    OpcodeRow{0x0918, NOP, {}, no_modifiers, N, Pipe::none, fixed},
    OpcodeRow{0x0946, YIELD, {}, no_modifiers, N, Pipe::cbu, fixed},
    OpcodeRow{0x035d, NANOSLEEP, {b}, no_modifiers, N, Pipe::cbu, fixed},
    OpcodeRow{0x095d, NANOSLEEP, {immediate}, no_modifiers, N, Pipe::cbu, fixed},
    OpcodeRow{0x0b5d, NANOSLEEP, {constant}, no_modifiers, N, Pipe::cbu, fixed},
    OpcodeRow{0x1b5d, NANOSLEEP, {bindless}, no_modifiers, N, Pipe::cbu, fixed},
    OpcodeRow{0x1d5d, NANOSLEEP, {uniform_b}, no_modifiers, N, Pipe::cbu, fixed},
    OpcodeRow{0x0348, WARPSYNC, {a}, no_modifiers, N, Pipe::cbu, fixed, sm_90},
    OpcodeRow{0x0348, WARPSYNC, {b}, no_modifiers, N, Pipe::cbu, fixed, sm_75, sm_89},
    OpcodeRow{0x0948, WARPSYNC, {immediate}, no_modifiers, N, Pipe::cbu, fixed},
    OpcodeRow{0x0b48, WARPSYNC, {constant}, no_modifiers, N, Pipe::cbu, fixed},
    OpcodeRow{0x1d48, WARPSYNC, {uniform_b}, no_modifiers, N, Pipe::cbu, fixed},
    OpcodeRow{0x034e, LEPC, {}, no_modifiers, R, Pipe::alu, fixed},
    OpcodeRow{0x094e, LEPC, {}, no_modifiers, R, Pipe::alu, fixed, sm_90},
    OpcodeRow{0x0355, BMOV, {}, no_modifiers, R, Pipe::cbu, variable},
    OpcodeRow{0x0356, BMOV, {b}, no_modifiers, N, Pipe::cbu, variable},
    OpcodeRow{0x0357, BMOV, {b}, no_modifiers, N, Pipe::cbu, variable},
    OpcodeRow{0x0956, BMOV, {immediate}, no_modifiers, N, Pipe::cbu, variable},
    OpcodeRow{0x0957, BMOV, {}, no_modifiers, N, Pipe::cbu, variable},
    OpcodeRow{0x0b56, BMOV, {constant}, no_modifiers, N, Pipe::cbu, variable},
    OpcodeRow{0x0b57, BMOV, {constant}, no_modifiers, N, Pipe::cbu, variable},
    OpcodeRow{0x1d56, BMOV, {uniform_b}, no_modifiers, N, Pipe::cbu, variable},
    OpcodeRow{0x1d57, BMOV, {uniform_b}, no_modifiers, N, Pipe::cbu, variable},
    OpcodeRow{0x0f55, BMOV, {}, no_modifiers, N, Pipe::cbu, variable},
    OpcodeRow{0x0f56, BMOV, {}, no_modifiers, N, Pipe::cbu, variable},
    OpcodeRow{0x0352, RPCMOV, {b}, no_modifiers, N, Pipe::cbu, variable},
    OpcodeRow{0x0353, RPCMOV, {}, no_modifiers, R, Pipe::cbu, variable},
    OpcodeRow{0x082f, ELECT, {}, no_modifiers, U, Pipe::cbu, fixed, sm_90},
    OpcodeRow{0x182f, ELECT, {uniform_a}, no_modifiers, U, Pipe::cbu, fixed, sm_90},
    OpcodeRow{0x091b, ENDCOLLECTIVE, {}, no_modifiers, N, Pipe::cbu, fixed, sm_90},
    OpcodeRow{0x082d, PREEXIT, {}, no_modifiers, N, Pipe::cbu, fixed, sm_90},
    OpcodeRow{0x082e, ACQBULK, {}, no_modifiers, N, Pipe::cbu, fixed, sm_90},
    OpcodeRow{0x0801, PMTRIG, {}, no_modifiers, N, Pipe::none, fixed},
    // uniform datapath
    OpcodeRow{0x02ca, R2UR, {a}, no_modifiers, U, Pipe::uniform, fixed, sm_90},
    OpcodeRow{0x03c2, R2UR, {a}, no_modifiers, U, Pipe::uniform, variable, sm_75, sm_89},
    OpcodeRow{0x18bc, UCLEA, {uniform_a, immediate}, no_modifiers, U, Pipe::uniform, fixed},
    OpcodeRow{0x0882, UMOV, {immediate}, no_modifiers, U, Pipe::uniform, fixed},
    OpcodeRow{0x1c82, UMOV, {uniform_b}, no_modifiers, U, Pipe::uniform, fixed},
    OpcodeRow{0x1883, UP2UR, {uniform_a, immediate}, no_modifiers, U, Pipe::uniform, fixed},
    OpcodeRow{0x1c83, UP2UR, {uniform_a, uniform_b}, no_modifiers, U, Pipe::uniform, fixed},
    OpcodeRow{0x1884, UR2UP, {uniform_a, immediate}, no_modifiers, N, Pipe::uniform, fixed},
    OpcodeRow{0x1c84, UR2UP, {uniform_a, uniform_b}, no_modifiers, N, Pipe::uniform, fixed},
    OpcodeRow{0x089c, UPLOP3, {}, no_modifiers, N, Pipe::uniform, fixed},
    OpcodeRow{0x13ce, ULEPC, {}, no_modifiers, U, Pipe::uniform, fixed, sm_90},
    OpcodeRow{0x19ce, ULEPC, {}, no_modifiers, U, Pipe::uniform, fixed, sm_90},
    OpcodeRow{0x19c8, USETMAXREG, {}, no_modifiers, N, Pipe::uniform, variable, sm_90},
    OpcodeRow{0x13c8, USETMAXREG, {uniform_b}, no_modifiers, N, Pipe::uniform, variable, sm_90},
    OpcodeRow{0x19c9, USETSHMSZ, {}, no_modifiers, N, Pipe::uniform, variable, sm_90},
    OpcodeRow{0x13c9, USETSHMSZ, {uniform_b}, no_modifiers, N, Pipe::uniform, variable, sm_90},
    // bulk copies and clusters
    OpcodeRow{0x13b4, UTMALDG, {uniform_b}, no_modifiers, N, Pipe::uniform, variable, sm_90},
    OpcodeRow{0x15b4, UTMALDG, {uniform_b}, no_modifiers, N, Pipe::uniform, variable, sm_90},
    OpcodeRow{0x13b5, UTMASTG, {uniform_b}, no_modifiers, N, Pipe::uniform, variable, sm_90},
    OpcodeRow{0x13b6, UTMAREDG, {uniform_b}, no_modifiers, N, Pipe::uniform, variable, sm_90},
    OpcodeRow{0x13b8, UTMAPF, {uniform_b}, no_modifiers, N, Pipe::uniform, variable, sm_90},
    OpcodeRow{0x15b8, UTMAPF, {uniform_b}, no_modifiers, N, Pipe::uniform, variable, sm_90},
    OpcodeRow{0x09b9, UTMACCTL, {}, no_modifiers, N, Pipe::uniform, variable, sm_90},
    OpcodeRow{0x19b9, UTMACCTL, {uniform_a}, no_modifiers, N, Pipe::uniform, variable, sm_90},
    OpcodeRow{0x09b7, UTMACMDFLUSH, {}, no_modifiers, N, Pipe::uniform, variable, sm_90},
    OpcodeRow{0x13ba, UBLKCP, {uniform_b}, no_modifiers, N, Pipe::uniform, variable, sm_90},
    OpcodeRow{0x13bb, UBLKRED, {uniform_b}, no_modifiers, N, Pipe::uniform, variable, sm_90},
    OpcodeRow{0x13bc, UBLKPF, {uniform_b}, no_modifiers, N, Pipe::uniform, variable, sm_90},
    OpcodeRow{0x09c7, UCGABAR_ARV, {}, no_modifiers, N, Pipe::uniform, variable, sm_90},
    OpcodeRow{0x19c7, UCGABAR_ARV, {}, no_modifiers, N, Pipe::uniform, variable, sm_90},
    OpcodeRow{0x1dc7, UCGABAR_WAIT, {}, no_modifiers, N, Pipe::uniform, variable, sm_90},
    OpcodeRow{0x13c7, UCGABAR_SET, {uniform_b}, no_modifiers, N, Pipe::uniform, variable, sm_90},
    OpcodeRow{0x15c7, UCGABAR_GET, {}, no_modifiers, U, Pipe::uniform, variable, sm_90},
    // texture and surface
    OpcodeRow{0x0361, TEX, {a, b}, no_modifiers, R, Pipe::lsu, variable},
    OpcodeRow{0x0b60, TEX, {a, b}, no_modifiers, R, Pipe::lsu, variable},
    OpcodeRow{0x0b62, TEX, {a, b}, no_modifiers, R, Pipe::lsu, variable},
    OpcodeRow{0x0367, TLD, {a, b}, no_modifiers, R, Pipe::lsu, variable},
    OpcodeRow{0x0b66, TLD, {a, b}, no_modifiers, R, Pipe::lsu, variable},
    OpcodeRow{0x0364, TLD4, {a, b}, no_modifiers, R, Pipe::lsu, variable},
    OpcodeRow{0x0b63, TLD4, {a, b}, no_modifiers, R, Pipe::lsu, variable},
    OpcodeRow{0x0370, TXQ, {a, b}, no_modifiers, R, Pipe::lsu, variable},
    OpcodeRow{0x0b6f, TXQ, {a, b}, no_modifiers, R, Pipe::lsu, variable},
    OpcodeRow{0x036d, TXD, {a, b}, no_modifiers, R, Pipe::lsu, variable},
    OpcodeRow{0x0b6c, TXD, {a, b}, no_modifiers, R, Pipe::lsu, variable},
    OpcodeRow{0x036a, TMML, {a, b}, no_modifiers, R, Pipe::lsu, variable},
    OpcodeRow{0x0b69, TMML, {a, b}, no_modifiers, R, Pipe::lsu, variable},
    OpcodeRow{0x0998, SULD, {a}, no_modifiers, R, Pipe::lsu, variable},
    OpcodeRow{0x099a, SULD, {a}, no_modifiers, R, Pipe::lsu, variable},
    OpcodeRow{0x099c, SUST, {a, b}, no_modifiers, N, Pipe::lsu, variable},
    OpcodeRow{0x099e, SUST, {a, b}, no_modifiers, N, Pipe::lsu, variable},
    OpcodeRow{0x0394, SUATOM, {a, b}, no_modifiers, R, Pipe::lsu, variable},
    OpcodeRow{0x03a0, SURED, {a, b}, no_modifiers, N, Pipe::lsu, variable},
};

constexpr std::size_t row_count() {
    std::size_t count = single_rows.size();
    for (const Family& family : families) count += family.forms.size();
    return count;
}

constexpr std::array<OpcodeRow, row_count()> build_rows() {
    std::array<OpcodeRow, row_count()> rows{};
    std::size_t next = 0;
    for (const Family& family : families) {
        for (const Form& form : family.forms) {
            rows[next++] = {static_cast<std::uint16_t>(form.nibble | family.base),
                            family.opcode,
                            form.sources,
                            family.modifiers,
                            family.destination,
                            family.pipe,
                            family.latency,
                            family.since,
                            family.until};
        }
    }
    for (const OpcodeRow& row : single_rows) rows[next++] = row;
    return rows;
}

inline constexpr auto rows = build_rows();

}  // namespace sassafras::isa::table
