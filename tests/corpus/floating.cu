// FP32, FP64, FP16 and BF16 arithmetic, comparisons and conversions, all roundings.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cstdint>

#define FUNCTION(name, type, expression)                                                 \
    __global__ void name(const type* in, type* out, type p, type q) {                    \
        type a = in[threadIdx.x], b = in[threadIdx.x + 32], c = in[threadIdx.x + 64];    \
        out[threadIdx.x] = (expression);                                                 \
        b = p;                                                                           \
        out[threadIdx.x + 32] = (expression);                                            \
        c = q;                                                                           \
        out[threadIdx.x + 64] = (expression);                                            \
        b = in[threadIdx.x + 96];                                                        \
        out[threadIdx.x + 96] = (expression);                                            \
        c = (type)1.5f;                                                                  \
        out[threadIdx.x + 128] = (expression);                                           \
        b = (type)-0.3f;                                                                 \
        out[threadIdx.x + 160] = (expression);                                           \
    }
#define PTX3(name, type, letter, operation)                                              \
    FUNCTION(name, type, ([&] { type r; asm(operation " %0, %1, %2, %3;" : "=" letter(r) : letter(a), letter(b), letter(c)); return r; }()))
#define PTX2(name, type, letter, operation)                                              \
    FUNCTION(name, type, ([&] { type r; asm(operation " %0, %1, %2;" : "=" letter(r) : letter(a), letter(b)); return r + c; }()))
#define PTX1(name, type, letter, operation)                                              \
    FUNCTION(name, type, ([&] { type r; asm(operation " %0, %1;" : "=" letter(r) : letter(a)); return r * b; }()))

PTX2(add_rn, float, "f", "add.rn.f32") PTX2(add_rz, float, "f", "add.rz.f32") PTX2(add_rm, float, "f", "add.rm.f32")
PTX2(add_rp, float, "f", "add.rp.f32") PTX2(add_ftz, float, "f", "add.ftz.f32") PTX2(add_sat, float, "f", "add.sat.f32")
PTX2(add_rz_ftz_sat, float, "f", "add.rz.ftz.sat.f32") PTX2(sub_rp, float, "f", "sub.rp.f32")
PTX2(mul_rn, float, "f", "mul.rn.f32") PTX2(mul_rz, float, "f", "mul.rz.f32") PTX2(mul_rm, float, "f", "mul.rm.f32")
PTX2(mul_rp, float, "f", "mul.rp.f32") PTX2(mul_ftz, float, "f", "mul.ftz.f32") PTX2(mul_sat, float, "f", "mul.sat.f32")
PTX3(fma_rn, float, "f", "fma.rn.f32") PTX3(fma_rz, float, "f", "fma.rz.f32") PTX3(fma_rm, float, "f", "fma.rm.f32")
PTX3(fma_rp, float, "f", "fma.rp.f32") PTX3(fma_ftz, float, "f", "fma.rn.ftz.f32") PTX3(fma_sat, float, "f", "fma.rn.sat.f32")
PTX3(fma_rz_ftz_sat, float, "f", "fma.rz.ftz.sat.f32")
PTX2(min_f, float, "f", "min.f32") PTX2(max_f, float, "f", "max.f32") PTX2(min_nan, float, "f", "min.NaN.f32")
PTX2(max_ftz, float, "f", "max.ftz.f32") PTX2(max_nan_xor, float, "f", "max.ftz.NaN.xorsign.abs.f32") PTX2(min_xor, float, "f", "min.xorsign.abs.f32")
PTX2(div_approx, float, "f", "div.approx.f32") PTX2(div_full, float, "f", "div.full.f32") PTX2(div_rn, float, "f", "div.rn.f32")
PTX2(div_rz, float, "f", "div.rz.ftz.f32") PTX2(copysign_f, float, "f", "copysign.f32")
PTX1(rcp_approx, float, "f", "rcp.approx.f32") PTX1(rcp_ftz, float, "f", "rcp.approx.ftz.f32") PTX1(rcp_rn, float, "f", "rcp.rn.f32")
PTX1(rsqrt, float, "f", "rsqrt.approx.f32") PTX1(rsqrt_ftz, float, "f", "rsqrt.approx.ftz.f32") PTX1(sqrt_approx, float, "f", "sqrt.approx.ftz.f32")
PTX1(sqrt_rn, float, "f", "sqrt.rn.f32") PTX1(sin_approx, float, "f", "sin.approx.f32") PTX1(cos_approx, float, "f", "cos.approx.ftz.f32")
PTX1(lg2, float, "f", "lg2.approx.f32") PTX1(lg2_ftz, float, "f", "lg2.approx.ftz.f32") PTX1(ex2, float, "f", "ex2.approx.f32")
PTX1(ex2_ftz, float, "f", "ex2.approx.ftz.f32") PTX1(tanh_approx, float, "f", "tanh.approx.f32")
PTX1(abs_f, float, "f", "abs.f32") PTX1(neg_f, float, "f", "neg.ftz.f32")
PTX1(rni, float, "f", "cvt.rni.f32.f32") PTX1(rzi, float, "f", "cvt.rzi.f32.f32") PTX1(rmi, float, "f", "cvt.rmi.ftz.f32.f32") PTX1(rpi, float, "f", "cvt.rpi.f32.f32")
PTX1(cvt_sat, float, "f", "cvt.sat.f32.f32") PTX1(cvt_ftz, float, "f", "cvt.ftz.f32.f32")
FUNCTION(f_signs, float, -a * fabsf(b) - c) FUNCTION(f_signs2, float, fabsf(a) - fabsf(b) * -c) FUNCTION(f_mul_abs, float, fabsf(a) * -b + fabsf(c - a))
FUNCTION(f_expf, float, expf(a) + logf(b) * powf(a, c)) FUNCTION(f_sincos, float, sinf(a) + cosf(b) + tanf(c))
FUNCTION(f_fast, float, __expf(a) + __logf(b) + __powf(a, c) + __sinf(a) + __tanf(b) + __fdividef(a, c))
FUNCTION(f_erf, float, erff(a) + tgammaf(b) + atan2f(a, c)) FUNCTION(f_round, float, rintf(a) + floorf(b) + ceilf(c) + truncf(a + b) + roundf(c))
FUNCTION(f_mod, float, fmodf(a, b) + remainderf(b, c)) FUNCTION(f_hyp, float, hypotf(a, b) + cbrtf(c) + ldexpf(a, 3) + scalbnf(b, -7))
FUNCTION(f_sat, float, __saturatef(a + b) * __saturatef(a * c) + __saturatef(fmaf(a, b, c)))
FUNCTION(f_min3, float, fminf(fmaxf(a, b), c) + fmaxf(-fabsf(a), -b)) FUNCTION(f_scale, float, a * 0.5f + b * 2.0f + c * 1024.0f)
FUNCTION(f_select, float, (a < b ? -a : fabsf(c)) + (a >= c ? b : 3.0f)) FUNCTION(f_nan, float, (isnan(a) ? b : c) + (isinf(b) ? a : c))
FUNCTION(f_cmp, float, (float)((a < b) + 2 * (b <= c) + 4 * (a == c) + 8 * (a != b) + 16 * !(a < c) + 32 * !(b >= a)))
FUNCTION(f_cmp2, float, ((a < b) && (b > c)) ? 1.0f : ((a <= c || b != 2.0f) ? a : 7.0f)) FUNCTION(f_cmp3, float, ((fabsf(a) > b) ^ (-b < c)) ? 1.0f : 0.0f)

PTX2(dadd_rn, double, "d", "add.rn.f64") PTX2(dadd_rz, double, "d", "add.rz.f64") PTX2(dadd_rm, double, "d", "add.rm.f64") PTX2(dadd_rp, double, "d", "add.rp.f64")
PTX2(dmul_rn, double, "d", "mul.rn.f64") PTX2(dmul_rz, double, "d", "mul.rz.f64") PTX2(dmul_rp, double, "d", "mul.rp.f64")
PTX3(dfma_rn, double, "d", "fma.rn.f64") PTX3(dfma_rz, double, "d", "fma.rz.f64") PTX3(dfma_rm, double, "d", "fma.rm.f64") PTX3(dfma_rp, double, "d", "fma.rp.f64")
PTX2(ddiv, double, "d", "div.rn.f64") PTX2(dmin, double, "d", "min.f64") PTX2(dmax, double, "d", "max.f64") PTX1(drcp, double, "d", "rcp.rn.f64") PTX1(dsqrt, double, "d", "sqrt.rn.f64")
PTX1(drcp_approx, double, "d", "rcp.approx.ftz.f64") PTX1(drsqrt_approx, double, "d", "rsqrt.approx.ftz.f64")
PTX1(drni, double, "d", "cvt.rni.f64.f64") PTX1(drzi, double, "d", "cvt.rzi.f64.f64") PTX1(drmi, double, "d", "cvt.rmi.f64.f64") PTX1(drpi, double, "d", "cvt.rpi.f64.f64")
FUNCTION(d_signs, double, -a * fabs(b) - c) FUNCTION(d_signs2, double, fabs(a) - fabs(b) * -c) FUNCTION(d_exp, double, exp(a) + log(b) * pow(a, c))
FUNCTION(d_sin, double, sin(a) + atan(c)) FUNCTION(d_cmp, double, (double)((a < b) + 2 * (b <= c) + 4 * (a == c) + 8 * (a != b) + 16 * !(a < c)))
FUNCTION(d_cmp2, double, ((a < b) && (b > c)) ? 1.0 : ((a <= c || b != 2.0) ? a : 7.0)) FUNCTION(d_round, double, rint(a) + floor(b) + ceil(c) + trunc(a))
FUNCTION(d_mod, double, fmod(a, b))

#define HALF_FUNCTION(name, expression)                                                     \
    template <class type>                                                                   \
    __global__ void name(const type* in, type* out, type p) {                               \
        type a = in[threadIdx.x], b = in[threadIdx.x + 32], c = in[threadIdx.x + 64];       \
        out[threadIdx.x] = (expression);                                                    \
        b = p;                                                                              \
        out[threadIdx.x + 32] = (expression);                                               \
        c = p;                                                                              \
        out[threadIdx.x + 64] = (expression);                                               \
    }                                                                                       \
    template __global__ void name<__half>(const __half*, __half*, __half);                  \
    template __global__ void name<__half2>(const __half2*, __half2*, __half2);              \
    template __global__ void name<__nv_bfloat16>(const __nv_bfloat16*, __nv_bfloat16*, __nv_bfloat16);      \
    template __global__ void name<__nv_bfloat162>(const __nv_bfloat162*, __nv_bfloat162*, __nv_bfloat162);

HALF_FUNCTION(h_add, a + b) HALF_FUNCTION(h_sub, a - b) HALF_FUNCTION(h_mul, a* b) HALF_FUNCTION(h_div, a / b)
HALF_FUNCTION(h_contract, a* b + c) HALF_FUNCTION(h_neg, -a * b - c)
#define HALF_ONLY(name, type, expression)                                                   \
    __global__ void name##_##type(const type* in, type* out, type p) {                      \
        type a = in[threadIdx.x], b = in[threadIdx.x + 32], c = in[threadIdx.x + 64];       \
        out[threadIdx.x] = (expression);                                                    \
        b = p;                                                                              \
        out[threadIdx.x + 32] = (expression);                                               \
    }
#define HALF_SCALARS(name, expression) HALF_ONLY(name, __half, expression) HALF_ONLY(name, __nv_bfloat16, expression)
#define HALF_PAIRS(name, expression) HALF_ONLY(name, __half2, expression) HALF_ONLY(name, __nv_bfloat162, expression)
HALF_SCALARS(s_sat, __hadd_sat(a, b) * __hmul_sat(b, c) + __hfma_sat(a, b, c)) HALF_SCALARS(s_relu, __hfma_relu(a, b, c)) HALF_SCALARS(s_fma, __hfma(a, b, c)) HALF_PAIRS(p_fma, __hfma2(a, b, c))
HALF_SCALARS(s_min, __hmin(a, b) + __hmax(b, c) + __hmin_nan(a, c) + __hmax_nan(a, b)) HALF_SCALARS(s_abs, __habs(a) + __hneg(b))
HALF_SCALARS(s_cmp, (__hlt(a, b) ? c : a) + (__hge(a, c) && __hne(a, b) ? b : c) + (__hequ(a, c) ? a : b) + (__hltu(c, a) || __hgt(b, c) ? a : c))
HALF_SCALARS(s_math, hexp(a) + hlog(b) + hsqrt(c) + hrcp(a) + hrsqrt(b) + hsin(c) + hcos(a) + hexp2(b) + hlog2(c))
HALF_SCALARS(s_round, hrint(a) + hfloor(b) + hceil(c) + htrunc(a)) HALF_SCALARS(s_nan, __hisnan(a) ? b : c)
HALF_PAIRS(p_sat, __hadd2_sat(a, b) * __hmul2_sat(b, c) + __hfma2_sat(a, b, c)) HALF_PAIRS(p_relu, __hfma2_relu(a, b, c))
HALF_PAIRS(p_min, __hmin2(a, b) + __hmax2(b, c) + __hmin2_nan(a, c) + __hmax2_nan(a, b)) HALF_PAIRS(p_abs, __habs2(a) + __hneg2(b))
HALF_PAIRS(p_cmp, __hlt2(a, b) + __hge2(b, c) + __hequ2(a, c) + __hne2(a, b) + __hgtu2(b, a)) HALF_ONLY(p_swap, __half2, __lowhigh2highlow(a) + __lows2half2(b, c) * __low2half2(a) + __high2half2(b))
HALF_PAIRS(p_all, __hblt2(a, b) ? a : (__hbne2(b, c) ? b : c))
HALF_PAIRS(p_math, h2exp(a) + h2log(b) + h2sqrt(c) + h2rcp(a) + h2rint(b))
__global__ void half_ptx(const unsigned* in, unsigned* out) {
    unsigned a = in[threadIdx.x], b = in[threadIdx.x + 32], c = in[threadIdx.x + 64], r;
    unsigned* o = out + threadIdx.x;
#define H(operation) asm(operation " %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); *o = r; o += 32;
#define H3(operation) asm(operation " %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); *o = r; o += 32;
#define H1(operation) asm(operation " %0, %1;" : "=r"(r) : "r"(a)); *o = r; o += 32;
    H("add.f16x2") H("add.ftz.f16x2") H("add.sat.f16x2") H("sub.f16x2") H("mul.f16x2") H("mul.ftz.sat.f16x2") H("mul.bf16x2") H("add.bf16x2")
    H3("fma.rn.f16x2") H3("fma.rn.ftz.f16x2") H3("fma.rn.sat.f16x2") H3("fma.rn.relu.f16x2") H3("fma.rn.bf16x2") H3("fma.rn.relu.bf16x2") H3("fma.rn.ftz.relu.f16x2")
    H("min.f16x2") H("max.f16x2") H("min.NaN.f16x2") H("max.ftz.f16x2") H("max.NaN.xorsign.abs.f16x2") H("min.bf16x2") H("max.NaN.bf16x2") H("min.xorsign.abs.bf16x2")
    H1("abs.f16x2") H1("neg.f16x2") H1("abs.bf16x2") H1("neg.bf16x2") H1("ex2.approx.f16x2") H1("tanh.approx.f16x2") H1("ex2.approx.ftz.bf16x2") H1("tanh.approx.bf16x2")
    H("set.lt.f16x2.f16x2") H("set.geu.f16x2.f16x2") H("set.num.ftz.f16x2.f16x2") H("set.ne.bf16x2.bf16x2")
}
__global__ void set_ptx(const float* in, unsigned* out) {
    float a = in[threadIdx.x], b = in[threadIdx.x + 32];
    unsigned* o = out + threadIdx.x;
    unsigned r;
    float f;
#define S(operation) asm("set." operation ".u32.f32 %0, %1, %2;" : "=r"(r) : "f"(a), "f"(b)); *o = r; o += 32; \
    asm("set." operation ".ftz.f32.f32 %0, %1, %2;" : "=f"(f) : "f"(a), "f"(b)); *o = __float_as_uint(f); o += 32;
    S("eq") S("ne") S("lt") S("le") S("gt") S("ge") S("equ") S("neu") S("ltu") S("leu") S("gtu") S("geu") S("num") S("nan")
}
