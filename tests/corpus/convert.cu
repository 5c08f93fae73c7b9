// Conversions between all types, all roundings.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cstdint>

template <class From, class To>
__global__ void convert(const From* in, To* out, From p) {
    out[threadIdx.x] = static_cast<To>(in[threadIdx.x]);
    out[threadIdx.x + 32] = static_cast<To>(p);
}
#define TO(from, to) template __global__ void convert<from, to>(const from*, to*, from);
#define FROM(from) TO(from, int8_t) TO(from, uint8_t) TO(from, int16_t) TO(from, uint16_t) TO(from, int32_t) TO(from, uint32_t) TO(from, int64_t) \
    TO(from, uint64_t) TO(from, float) TO(from, double) TO(from, __half) TO(from, __nv_bfloat16)
FROM(int8_t) FROM(uint8_t) FROM(int16_t) FROM(uint16_t) FROM(int32_t) FROM(uint32_t) FROM(int64_t) FROM(uint64_t) FROM(float) FROM(double) FROM(__half) FROM(__nv_bfloat16)

#define INTRINSICS(name, from, to, f)                              \
    __global__ void name(const from* in, to* out) {                \
        from x = in[threadIdx.x];                                  \
        out[threadIdx.x] = f##_rn(x);                              \
        out[threadIdx.x + 32] = f##_rz(x);                         \
        out[threadIdx.x + 64] = f##_rd(-x);                        \
        out[threadIdx.x + 96] = f##_ru(x);                         \
    }
INTRINSICS(f2i, float, int, __float2int) INTRINSICS(f2u, float, unsigned, __float2uint) INTRINSICS(f2ll, float, long long, __float2ll)
INTRINSICS(f2ull, float, unsigned long long, __float2ull) INTRINSICS(d2i, double, int, __double2int) INTRINSICS(d2u, double, unsigned, __double2uint)
INTRINSICS(d2ll, double, long long, __double2ll) INTRINSICS(d2ull, double, unsigned long long, __double2ull) INTRINSICS(d2f, double, float, __double2float)
INTRINSICS(i2f, int, float, __int2float) INTRINSICS(u2f, unsigned, float, __uint2float) INTRINSICS(ll2f, long long, float, __ll2float)
INTRINSICS(ull2f, unsigned long long, float, __ull2float) INTRINSICS(ll2d, long long, double, __ll2double) INTRINSICS(ull2d, unsigned long long, double, __ull2double)
INTRINSICS(f2h, float, __half, __float2half) INTRINSICS(h2i, __half, int, __half2int) INTRINSICS(h2u, __half, unsigned, __half2uint)
INTRINSICS(h2s, __half, short, __half2short) INTRINSICS(i2h, int, __half, __int2half) INTRINSICS(u2h, unsigned, __half, __uint2half)
INTRINSICS(ll2h, long long, __half, __ll2half) INTRINSICS(f2b, float, __nv_bfloat16, __float2bfloat16) INTRINSICS(b2i, __nv_bfloat16, int, __bfloat162int)
INTRINSICS(i2b, int, __nv_bfloat16, __int2bfloat16) INTRINSICS(b2ll, __nv_bfloat16, long long, __bfloat162ll) INTRINSICS(s2h, short, __half, __short2half)

#define C(name, to_letter, to_type, from_letter, from_type, operation)                                  \
    __global__ void name(const from_type* in, to_type* out) {                                           \
        to_type r;                                                                                      \
        asm(operation " %0, %1;" : "=" to_letter(r) : from_letter(in[threadIdx.x]));                    \
        out[threadIdx.x] = r;                                                                           \
    }
C(c1, "r", int, "f", float, "cvt.rni.ftz.s32.f32") C(c2, "r", int, "f", float, "cvt.rzi.sat.s32.f32") C(c3, "r", int, "f", float, "cvt.rpi.s16.f32")
C(c4, "r", int, "f", float, "cvt.rmi.u16.f32") C(c5, "r", int, "f", float, "cvt.rni.s8.f32")
#undef C

__global__ void pack(const float* in, unsigned* out) {
    float a = in[threadIdx.x], b = in[threadIdx.x + 32];
    unsigned* o = out + threadIdx.x;
    unsigned r;
    unsigned short h;
#define P2(operation) asm(operation " %0, %1, %2;" : "=r"(r) : "f"(a), "f"(b)); *o = r; o += 32;
#define P1(operation) asm(operation " %0, %1;" : "=h"(h) : "f"(a)); *o = h; o += 32;
#define PR(operation) asm(operation " %0, %1;" : "=r"(r) : "f"(b)); *o = r; o += 32;
#define E(operation) asm(operation " %0, %1, %2;" : "=h"(h) : "f"(a), "f"(b)); *o = h; o += 32;
    P2("cvt.rn.f16x2.f32") P2("cvt.rz.f16x2.f32") P2("cvt.rn.relu.f16x2.f32") P2("cvt.rn.bf16x2.f32") P2("cvt.rz.bf16x2.f32") P2("cvt.rn.relu.bf16x2.f32") P2("cvt.rz.relu.bf16x2.f32")
    P1("cvt.rn.f16.f32") P1("cvt.rz.f16.f32") P1("cvt.rm.f16.f32") P1("cvt.rp.f16.f32") P1("cvt.rn.ftz.f16.f32") P1("cvt.rn.sat.f16.f32") P1("cvt.rn.relu.f16.f32") P1("cvt.rn.bf16.f32") P1("cvt.rz.bf16.f32") P1("cvt.rn.relu.bf16.f32")
    PR("cvt.rna.tf32.f32") PR("cvt.rn.tf32.f32") PR("cvt.rz.relu.tf32.f32")
    E("cvt.rn.satfinite.e4m3x2.f32") E("cvt.rn.satfinite.e5m2x2.f32") E("cvt.rn.satfinite.relu.e4m3x2.f32")
    asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(r) : "h"(h)); *o = r; o += 32;
    asm("cvt.rn.relu.f16x2.e5m2x2 %0, %1;" : "=r"(r) : "h"(h)); *o = r; o += 32;
    asm("cvt.rn.satfinite.e4m3x2.f16x2 %0, %1;" : "=h"(h) : "r"(r)); *o = h; o += 32;
    int i = __float_as_int(a), j = __float_as_int(b);
    asm("cvt.pack.sat.s16.s32 %0, %1, %2;" : "=r"(r) : "r"(i), "r"(j)); *o = r; o += 32;
    asm("cvt.pack.sat.u16.s32 %0, %1, %2;" : "=r"(r) : "r"(i), "r"(j)); *o = r; o += 32;
    asm("cvt.pack.sat.s8.s32.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(i), "r"(j), "r"(r)); *o = r; o += 32;
    asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(i), "r"(j), "r"(r)); *o = r; o += 32;
    asm("cvt.sat.s8.s32 %0, %1;" : "=r"(r) : "r"(i)); *o = r; o += 32;
    asm("cvt.sat.u8.s32 %0, %1;" : "=r"(r) : "r"(i)); *o = r; o += 32;
    asm("cvt.sat.s16.s32 %0, %1;" : "=r"(r) : "r"(j)); *o = r; o += 32;
    asm("cvt.sat.u16.u32 %0, %1;" : "=r"(r) : "r"(j)); *o = r; o += 32;
    asm("cvt.sat.u32.s32 %0, %1;" : "=r"(r) : "r"(j)); *o = r; o += 32;
    asm("cvt.rni.s8.f32 %0, %1;" : "=r"(r) : "f"(a)); *o = r; o += 32;
    asm("cvt.rzi.u8.f32 %0, %1;" : "=r"(r) : "f"(a)); *o = r; o += 32;
    asm("cvt.rzi.u16.f32 %0, %1;" : "=r"(r) : "f"(a)); *o = r; o += 32;
}
