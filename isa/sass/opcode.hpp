// Every operation that the decoder knows, by nvdisasm's mnemonic without modifiers.
#pragma once

#include <cstdint>

namespace sassafras::isa {

// A line a family.
// clang-format off
enum class Opcode : std::uint16_t {
    invalid,
    // FP32
    FADD, FMUL, FFMA, FMNMX, FSEL, FSET, FSETP, FSWZADD, FCHK, MUFU, FRND,
    // FP64
    DADD, DMUL, DFMA, DSETP, DMMA, CLMAD,
    // FP16x2
    HADD2, HFMA2, HFMA2_MMA, HMUL2, HSET2, HSETP2, HMNMX2, VHMNMX,
    // tensor core
    HMMA, IMMA, BMMA, HGMMA, IGMMA, BGMMA, QGMMA, WARPGROUP,
    // integer
    IADD3, IMAD, IMAD_WIDE, IMAD_HI, IDP, LEA, LOP3, PLOP3, IMNMX, VIMNMX, VIMNMX3, VIADD, VIADDMNMX,
    ISETP, IABS, SEL, PRMT, MOV, SHF, SGXT, BMSK, VABSDIFF, VABSDIFF4, BREV, FLO, POPC,
    // conversion
    F2I, I2F, F2F, I2I, I2IP, I2FP, F2FP, F2IP,
    // predicates, special registers, warp
    P2R, R2P, CS2R, S2R, S2UR, VOTE, SHFL, MATCH, REDUX,
    // memory
    LDG, STG, LD, ST, LDS, STS, LDL, STL, LDC, ULDC, LDSM, STSM, MOVM, LDGSTS, LDGDEPBAR, ARRIVES, DEPBAR,
    ATOMG, ATOM, ATOMS, RED, CCTL, CCTLL, MEMBAR, ERRBAR, CGAERRBAR, FENCE, QSPC, STAS, REDAS, SYNCS,
    // barriers and control flow
    BAR, B2R, BRA, BSSY, BSYNC, BREAK, BRX, BRXU, JMP, JMX, JMXU, CALL, RET, EXIT, KILL, BPT, NOP, YIELD,
    NANOSLEEP, WARPSYNC, LEPC, BMOV, RPCMOV, ELECT, ENDCOLLECTIVE, PREEXIT, ACQBULK, PMTRIG,
    // uniform datapath
    R2UR, UIADD3, ULEA, ULOP3, UISETP, USHF, USEL, UIMAD, UIMAD_WIDE, UIMAD_HI, UPRMT, UFLO, UBREV, UPOPC,
    UBMSK, USGXT, UCLEA, UMOV, UP2UR, UR2UP, UPLOP3, VOTEU, ULEPC, UF2FP, USETMAXREG, USETSHMSZ,
    // bulk copies and clusters
    UTMALDG, UTMASTG, UTMAREDG, UTMAPF, UTMACCTL, UTMACMDFLUSH, UBLKCP, UBLKRED, UBLKPF,
    UCGABAR_ARV, UCGABAR_SET, UCGABAR_GET, UCGABAR_WAIT,
    // texture and surface
    TEX, TLD, TLD4, TXQ, TXD, TMML, FOOTPRINT, SULD, SUST, SUATOM, SURED,
    count_
};
// clang-format on

/// The unit that executes an operation; rates and latencies of each are the platform's.
enum class Pipe : std::uint8_t {
    alu,   ///< integer, logic, comparison, FP32 min/max/select
    fma,   ///< FP32 multiply-add and integer multiply-add
    fp16,  ///< packed half precision
    fp64,
    xu,       ///< transcendental and conversion unit (MUFU, F2I, I2F, POPC, FLO, BREV)
    lsu,      ///< memory, shuffles, barriers through the memory pipeline
    cbu,      ///< branches, convergence barriers
    uniform,  ///< uniform datapath
    tensor,
    adu,   ///< address divergence unit: S2R, BAR, LDC, VOTE-like operations outside the ALU
    none,  ///< takes an issue slot only (NOP)
};

/// Whether the compiler may rely on a fixed delay or must use a scoreboard.
enum class LatencyClass : std::uint8_t { fixed, variable };

}  // namespace sassafras::isa
