// Every modifier field of an instruction word, by name; what differs between architectures says so.
// `instruction.word.get(fields::x)` reads one. Bit positions: docs/isa.md; checked against nvdisasm's text by
// tests/golden/isa.
#pragma once

#include "isa/sass/architecture.hpp"
#include "isa/sass/word.hpp"

namespace sassafras::isa::fields {

// ---- common to all instructions -------------------------------------------------------------------------------
inline constexpr Field opcode_low{0, 12};
inline constexpr Field opcode_high{91, 1};
inline constexpr Field guard_predicate{12, 3};
inline constexpr Field guard_negate{15, 1};
inline constexpr Field destination{16, 8};
inline constexpr Field uniform_destination{16, 6};
inline constexpr Field register_a{24, 8};
inline constexpr Field uniform_register_a{24, 6};
inline constexpr Field register_b{32, 8};
inline constexpr Field uniform_register_b{32, 6};
inline constexpr Field register_c{64, 8};
inline constexpr Field uniform_register_c{64, 6};
inline constexpr Field immediate{32, 32};
inline constexpr Field constant_offset{38, 16};  ///< bytes
inline constexpr Field constant_bank{54, 5};
inline constexpr Field memory_offset{40, 24};       ///< signed, bytes
inline constexpr Field memory_offset_wide{32, 32};  ///< signed, bytes: Form::wide_offset, CCTL
inline constexpr Field control{105, 21};

// ---- predicates -------------------------------------------------------------------------------------------------
inline constexpr Field predicate_u{81, 3};  ///< first predicate written
inline constexpr Field predicate_v{84, 3};  ///< second predicate written
inline constexpr Field predicate_p{87, 3};  ///< predicate read: accumulate, select, min/max, carry in
inline constexpr Field predicate_p_negate{90, 1};
inline constexpr Field predicate_q{77, 3};  ///< second predicate read: second carry in, PLOP3
inline constexpr Field predicate_q_negate{80, 1};
inline constexpr Field predicate_r{68, 3};  ///< third predicate read: PLOP3, low half of ISETP.EX
inline constexpr Field predicate_r_negate{71, 1};

// ---- source modifiers, by physical slot -----------------------------------------------------------------------
inline constexpr Field negate_a{72, 1};
inline constexpr Field absolute_a{73, 1};
inline constexpr Field absolute_b{62, 1};
inline constexpr Field negate_b{63, 1};
inline constexpr Field absolute_c{74, 1};
inline constexpr Field negate_c{75, 1};

// ---- floating point ---------------------------------------------------------------------------------------------
inline constexpr Field rounding{78, 2};  ///< Rounding
inline constexpr Field saturate{77, 1};
inline constexpr Field flush_to_zero{80, 1};
inline constexpr Field zero_times_anything{76, 1};  ///< FMUL, FFMA .FMZ: 0 * x = 0, and denormals flush
inline constexpr Field fmul_scale{84, 3};           ///< 4 is none; D8 D4 D2 M1.. otherwise
inline constexpr Field float_compare{76, 4};        ///< FloatCompare
inline constexpr Field set_operation{74, 2};        ///< SetOperation
inline constexpr Field mufu_function{74, 4};        ///< MufuFunction
inline constexpr Field mufu_format{72, 2};          ///< FP32, FP16, BF16
inline constexpr Field fchk_operation{74, 6};
inline constexpr Field fmnmx_nan{81, 1};      ///< NaN if either source is
inline constexpr Field fmnmx_xorsign{82, 1};  ///< sign of the result: xor of the sources' signs
inline constexpr Field hmnmx2_nan{81, 1};
inline constexpr Field hmnmx2_xorsign{82, 1};

enum class Rounding : unsigned { nearest = 0, down = 1, up = 2, zero = 3 };
enum class FloatCompare : unsigned { f, lt, eq, le, gt, ne, ge, num, nan, ltu, equ, leu, gtu, neu, geu, t };
enum class IntegerCompare : unsigned { f, lt, eq, le, gt, ne, ge, t };
enum class SetOperation : unsigned { logical_and, logical_or, logical_xor };
enum class MufuFunction : unsigned { cos, sin, ex2, lg2, rcp, rsq, rcp64h, rsq64h, sqrt, tanh };

// ---- packed half precision --------------------------------------------------------------------------------------
inline constexpr Field half_select_a{74, 2};  ///< HalfSelect
inline constexpr Field half_select_b{60, 2};
inline constexpr Field half_select_c{81, 2};
inline constexpr Field half_absolute_c{83, 1};
inline constexpr Field half_negate_c{84, 1};
inline constexpr Field half_float32{78, 1};        ///< HADD2.F32
inline constexpr Field half_bfloat16{85, 1};       ///< .BF16_V2 of HADD2, HMUL2, HFMA2, HMNMX2
inline constexpr Field half_set_bfloat16{65, 1};   ///< .BF16_V2 of HSET2, HSETP2
inline constexpr Field half_select_b_high{86, 1};  ///< with half_select_b = 0: .H0_NH1
inline constexpr Field half_relu{79, 1};
inline constexpr Field half_set_operation{69, 2};  ///< HSET2, HSETP2: SetOperation
inline constexpr Field half_set_float{71, 1};      ///< HSET2.BF: 1.0 instead of all ones
inline constexpr Field half_setp_and{71, 1};       ///< HSETP2.H_AND

// ---- tensor core --------------------------------------------------------------------------------------------------
inline constexpr Field hmma_shape_low{75, 1};  ///< with hmma_shape_high: 0 = 1688, 1 = 16816, 2 = 1684
inline constexpr Field hmma_shape_high{78, 1};
inline constexpr Field hmma_float32{76, 1};      ///< accumulates and writes FP32
inline constexpr Field hmma_source_type{82, 2};  ///< 0 F16, 1 BF16, 2 TF32
inline constexpr Field imma_shape_low{
    75, 1};  ///< with imma_shape_high: 0 = 8816, 2 = 8832, 4 = 16816, 5 = 16832, 6 = 16864
inline constexpr Field imma_shape_high{85, 2};
inline constexpr Field imma_saturate{82, 1};
inline constexpr Field dmma_shape{76, 2};
inline constexpr Field mma_predicate{87, 4};  ///< 7 - uniform predicate, bit 3 negates; 0 is none
inline constexpr Field bmma_shape{75, 2};
inline constexpr Field bmma_and{78, 1};  ///< else XOR
inline constexpr Field mma_sparse{73, 1};
inline constexpr Field mma_metadata{40, 8};  ///< register with the sparsity metadata
inline constexpr Field mma_metadata_selector{48, 2};

enum class HalfSelect : unsigned { h1_h0, f32, h0_h0, h1_h1 };

// ---- integer ----------------------------------------------------------------------------------------------------
inline constexpr Field integer_signed{73, 1};  ///< 1: signed (IMAD, ISETP, IMNMX, SGXT); not VIMNMX
inline constexpr Field vimnmx_format{72, 2};   ///< VimnmxFormat of VIMNMX, VIMNMX3, VIADDMNMX
inline constexpr Field vimnmx_relu{76, 1};
inline constexpr Field extended{74, 1};         ///< IADD3.X, IMAD.X, LEA.X: carry in
inline constexpr Field integer_compare{76, 3};  ///< IntegerCompare
inline constexpr Field isetp_extended{72, 1};   ///< ISETP.EX: low half compared by predicate_r
inline constexpr Field lop3_table{72, 8};       ///< truth table, a = 0xf0, b = 0xcc, c = 0xaa
inline constexpr Field lop3_predicate_and{80, 1};
inline constexpr Field plop3_table_low{64, 3};
inline constexpr Field plop3_table_high{72, 5};
inline constexpr Field plop3_sign_table{72, 8};  ///< of the forms with signs of registers
inline constexpr Field plop3_second_table{16, 8};
inline constexpr Field plop3_uniform_source{67, 1};  ///< predicate_r is a uniform predicate
inline constexpr Field shift_type{73, 2};            ///< ShiftType
inline constexpr Field shift_wrap{75, 1};            ///< .W: shift count modulo the width
inline constexpr Field shift_right{76, 1};
inline constexpr Field shift_high{80, 1};  ///< .HI: the upper half of the 64-bit result
inline constexpr Field lea_shift{75, 5};
inline constexpr Field lea_high{80, 1};
inline constexpr Field lea_sign_extend{73, 1};  ///< .SX32
inline constexpr Field prmt_mode{72, 3};        ///< PrmtMode
inline constexpr Field mov_lane_mask{72, 4};    ///< bytes of the destination written; 15 is all
inline constexpr Field viadd_halves{73, 1};     ///< VIADD.16x2
inline constexpr Field bmsk_wrap{75, 1};
inline constexpr Field sgxt_wrap{75, 1};
inline constexpr Field flo_shift{74, 1};  ///< FLO.SH
inline constexpr Field idp_mode{76, 2};   ///< 0 4A, 1 2A.LO, 3 2A.HI
inline constexpr Field vabsdiff_accumulate{75, 1};
inline constexpr Field i2i_format{76, 2};   ///< U8 S8 U16 S16
inline constexpr Field i2ip_format{76, 3};  ///< also U2 S2 U4 S4
inline constexpr Field idp_a_signed{73, 1};
inline constexpr Field idp_b_signed{74, 1};

enum class VimnmxFormat : unsigned { u32, s32, u16x2, s16x2 };
enum class ShiftType : unsigned { s64, u64, s32, u32 };
enum class PrmtMode : unsigned { index, f4e, b4e, rc8, ecl, ecr, rc16 };

// ---- conversions ------------------------------------------------------------------------------------------------
inline constexpr Field convert_destination_size{75, 2};   ///< log2 bytes
inline constexpr Field convert_float_destination{75, 3};  ///< F2F, I2F, FRND: ConvertFloat
inline constexpr Field convert_float_source{84, 3};       ///< F2F, F2I, FRND: ConvertFloat
inline constexpr Field convert_half_select{60, 2};        ///< 1: the upper half of the source register
inline constexpr Field convert_source_size{84, 2};        ///< log2 bytes
inline constexpr Field f2i_destination_signed{72, 1};
inline constexpr Field f2i_no_trap_nan{77, 1};  ///< .NTZ
inline constexpr Field i2f_source_signed{74, 1};
inline constexpr Field i2f_byte_select{60, 2};
inline constexpr Field i2fp_signed{74, 1};
enum class ConvertFloat : unsigned { f16 = 1, f32 = 2, f64 = 3, bf16 = 4 };
inline constexpr Field f2fp_relu{75, 1};
inline constexpr Field f2fp_format{76, 1};  ///< 0 F16 or E5M2, 1 BF16 or E4M3
inline constexpr Field f2fp_satfinite{77, 1};
inline constexpr Field f2fp_merge_c{78, 1};
inline constexpr Field f2fp_rounding{79, 3};       ///< 0 nearest, 3 to zero
inline constexpr Field f2fp_unpack_format{73, 1};  ///< 0 E5M2, 1 E4M3
inline constexpr Field f2fp_tf32{86, 1};
inline constexpr Field f2fp_fp8{87, 1};          ///< the destination is a pair of 8-bit floats
inline constexpr Field f2fp_unpack_high{88, 1};  ///< from the upper half of the register
inline constexpr Field f2fp_single{89, 1};       ///< one source: TF32 or unpacking of a pair of 8-bit floats

// ---- special registers, votes, shuffles -------------------------------------------------------------------------
inline constexpr Field special_register{72, 8};
inline constexpr Field cs2r_64{80, 1};
inline constexpr Field byte_select{76, 2};  ///< P2R, R2P: byte of the register
inline constexpr Field vote_mode{72, 2};    ///< VoteMode
inline constexpr Field shfl_mode{58, 2};    ///< ShflMode
inline constexpr Field shfl_lane_immediate{53, 5};
inline constexpr Field shfl_clamp_immediate{40, 13};
inline constexpr Field match_64{73, 1};
inline constexpr Field match_any{79, 1};        ///< 0: ALL
inline constexpr Field redux_operation{78, 3};  ///< ReduxOperation
inline constexpr Field redux_signed{73, 1};

enum class VoteMode : unsigned { all, any, eq };
enum class ShflMode : unsigned { idx, up, down, bfly };
enum class ReduxOperation : unsigned { logical_and, logical_or, logical_xor, sum, min, max };

// ---- memory -----------------------------------------------------------------------------------------------------
inline constexpr Field address_64{72, 1};   ///< .E: the base is a register pair
inline constexpr Field access_size{73, 3};  ///< AccessSize
inline constexpr Field descriptor{76, 1};   ///< LDG, STG, LD, ST: a UR pair holds the memory descriptor
inline constexpr Field atomic_descriptor{71, 1};
inline constexpr Field address_base_64{90, 1};  ///< beside a uniform register: the base is a pair, else 32 bits
inline constexpr Field atomic_base_64{70, 1};   ///< likewise of ATOM and ATOMG
inline constexpr Field memory_order{77, 4};
inline constexpr Field cache_policy{84, 3};            ///< CachePolicy
inline constexpr Field load_predicate{64, 4};          ///< LDG: 7 - predicate, bit 3 negates; 0 is none
inline constexpr Field sector_promotion{68, 2};        ///< .LTC64B...
inline constexpr Field shared_stride{78, 2};           ///< LDS, STS: index times 1, 4, 8, 16
inline constexpr Field shared_unordered{76, 1};        ///< LDS of sm_75: .U
inline constexpr Field ldc_mode{78, 2};                ///< LDC addressing: none, IL, IS, ISL
inline constexpr Field atomic_operation{87, 4};        ///< AtomicOperation
inline constexpr Field atomic_float_operation{88, 2};  ///< 0 ADD, 1 MIN, 2 MAX, where the type is floating-point
inline constexpr Field reduction_operation{87, 3};     ///< RED: AtomicOperation
inline constexpr Field atomic_type{73, 3};             ///< AtomicType of integer keys
inline constexpr Field atomic_float_type{73, 4};       ///< AtomicFloatType
inline constexpr Field ldsm_count{72, 2};              ///< 1, 2, 4 matrices as 0, 1, 2
inline constexpr Field ldsm_mode{78, 2};
inline constexpr Field ldsm_element{75, 3};  ///< 0 is .16
inline constexpr Field movm_mode{78, 2};
inline constexpr Field ldgsts_shared_offset{44, 20};  ///< signed
inline constexpr Field ldgsts_global_offset{32, 12};  ///< signed
inline constexpr Field ldgsts_access{81, 1};          ///< 0: .BYPASS
inline constexpr Field ldgsts_zero_fill{82, 1};
inline constexpr Field ldgsts_sector_promotion{71, 2};
inline constexpr Field cctl_operation{87, 4};
inline constexpr Field cctl_space{79, 2};
inline constexpr Field qspc_space{73, 2};
inline constexpr Field fence_space{72, 2};
inline constexpr Field arrives_mode{70, 2};
inline constexpr Field tma_dimensions{79, 3};  ///< less one
inline constexpr Field tma_im2col{82, 1};
inline constexpr Field tma_multicast{75, 1};
inline constexpr Field tma_reduction{87, 3};
inline constexpr Field ublkcp_shared_destination{74, 1};  ///< 1: from shared memory to global
inline constexpr Field ublkcp_multicast{75, 1};
inline constexpr Field ublkred_type{81, 4};
inline constexpr Field utmacctl_operation{82, 3};
inline constexpr Field usetmaxreg_mode{72, 2};
inline constexpr Field usetmaxreg_pool{74, 1};
inline constexpr Field usetshmsz_flush{72, 1};
inline constexpr Field r2ur_or{84, 1};
inline constexpr Field branch_any{84, 1};
inline constexpr Field pmtrig_mask{32, 16};
inline constexpr Field nanosleep_syncs{84, 1};
inline constexpr Field nanosleep_warp{85, 1};
inline constexpr Field nanosleep_random{86, 1};
inline constexpr Field nanosleep_clear{83, 1};
inline constexpr Field elect_ignore_kill{85, 1};
inline constexpr Field branch_depth{85, 2};
inline constexpr Field clmad_high{77, 1};
inline constexpr Field fswzadd_pattern{32, 8};  ///< two bits a lane of a quad
inline constexpr Field fswzadd_no_divergence{77, 1};
inline constexpr Field syncs_return{73, 2};
inline constexpr Field syncs_parameters{84, 3};
inline constexpr Field syncs_try_wait{72, 1};
inline constexpr Field depbar_less_equal{47, 1};
inline constexpr Field depbar_scoreboard{44, 3};
inline constexpr Field depbar_count{38, 6};
inline constexpr Field depbar_mask{32, 6};
inline constexpr Field membar_scope{76, 3};
inline constexpr Field membar_semantics{79, 2};

enum class AccessSize : unsigned { u8, s8, u16, s16, b32, b64, b128 };
enum class CachePolicy : unsigned { evict_first, evict_normal, evict_last, last_use, evict_unchanged, no_allocate };
enum class AtomicOperation : unsigned {
    add,
    min,
    max,
    inc,
    dec,
    logical_and,
    logical_or,
    logical_xor,
    exchange,
    safe_add
};
enum class AtomicType : unsigned { u32, s32, u64, s64, b128 };
enum class AtomicFloatType : unsigned {
    f16x2 = 0,
    bf16x2 = 3,
    f32_flush = 9,
    f32x2_flush = 10,
    f32x4_flush = 11,
    f32 = 12,
    f64 = 15
};

// ---- control flow -----------------------------------------------------------------------------------------------
inline constexpr Field branch_target_low{34,
                                         48};  ///< with branch_target_high: signed, in 4-byte units from the next pc
inline constexpr Field branch_target_high{16, 8};
inline constexpr Field branch_condition{32, 2};
inline constexpr Field convergence_barrier{16, 4};
inline constexpr Field reconvergence_target{34, 30};  ///< BSSY: signed, in 4-byte units from the next pc
inline constexpr Field call_no_increment{86, 1};
inline constexpr Field return_absolute{85, 1};
inline constexpr Field branch_uniform{32, 1};
inline constexpr Field exit_mode{84, 2};
inline constexpr Field exit_no_atexit{86, 1};
inline constexpr Field bpt_mode{84, 3};
inline constexpr Field warpsync_mode{85, 2};
inline constexpr Field b2r_mode{78, 2};
inline constexpr Field bmov_selector{24, 6};
inline constexpr Field bmov_clear{84, 1};
inline constexpr Field barrier_name{54, 4};
inline constexpr Field barrier_count{42, 12};
inline constexpr Field barrier_mode{77, 3};  ///< BarrierMode
inline constexpr Field barrier_defer{80, 1};
inline constexpr Field barrier_reduction{74, 2};  ///< BarrierReduction

enum class BarrierMode : unsigned { sync, arrive, reduce, scan, sync_all };
enum class BarrierReduction : unsigned { popc, logical_and, logical_or };

/// Signed byte displacement of BRA, CALL, RET, JMP, BRX from the next pc: 48 bits in units of 4 bytes, on sm_90 56.
[[nodiscard]] constexpr std::int64_t branch_displacement(const Word128& word,
                                                         Architecture architecture = Architecture::sm_90) {
    if (!layout_of(architecture).branch_low_bits)
        return word.signed_bits(branch_target_low.first, branch_target_low.width) * 4;
    const std::uint64_t raw = word.get(branch_target_high) | (word.get(branch_target_low) << 8U);
    const std::uint64_t sign = std::uint64_t{1} << 55U;
    return static_cast<std::int64_t>((raw ^ sign) - sign) * 4;
}

/// 0 FP32, 1 FP16, 2 BF16 of MUFU. Before sm_90 there is no BF16, and FP16 is 2.
[[nodiscard]] constexpr unsigned mufu_format_of(const Word128& word, Architecture architecture) {
    const auto format = static_cast<unsigned>(word.get(mufu_format));
    return architecture < Architecture::sm_90 && format == 2 ? 1 : format;
}

/// The operation of ATOMS.POPC.INC.
[[nodiscard]] constexpr std::uint64_t atomics_popc_inc(Architecture architecture) {
    return architecture < Architecture::sm_90 ? 10 : 11;
}

/// The operation of CAS whose lanes learn whether they swapped, in place of what they found: ATOMS.CAST.SPIN.
inline constexpr std::uint64_t atomic_cast_spin = 3;

/// Signed byte displacement of BSSY's reconvergence point from the next pc.
[[nodiscard]] constexpr std::int64_t reconvergence_displacement(const Word128& word) {
    return word.signed_bits(reconvergence_target.first, reconvergence_target.width) * 4;
}

}  // namespace sassafras::isa::fields
