// Integer operations of every width, written to make the compiler use as many encodings as it has.
#include <cstdint>

#define UNARY(name, type, result, expression)                                        \
    __global__ void name##_##type(const type* in, result* out) {                     \
        const type x = in[threadIdx.x];                                              \
        out[threadIdx.x] = static_cast<result>(expression);                          \
    }
#define BINARY(name, type, result, expression)                                       \
    __global__ void name##_##type(const type* in, result* out, type parameter) {     \
        const type x = in[threadIdx.x];                                              \
        const type y = in[threadIdx.x + 100];                                        \
        out[threadIdx.x] = static_cast<result>(expression);                          \
        {                                                                            \
            const type y = parameter;                                                \
            out[threadIdx.x + 200] = static_cast<result>(expression);                \
        }                                                                            \
        {                                                                            \
            const type y = static_cast<type>(37);                                    \
            out[threadIdx.x + 300] = static_cast<result>(expression);                \
        }                                                                            \
    }
#define EACH_TYPE(macro, name, expression)                                            \
    macro(name, int8_t, int, expression) macro(name, uint8_t, int, expression)        \
    macro(name, int16_t, int, expression) macro(name, uint16_t, int, expression)      \
    macro(name, int32_t, int, expression) macro(name, uint32_t, unsigned, expression) \
    macro(name, int64_t, int64_t, expression) macro(name, uint64_t, uint64_t, expression)

EACH_TYPE(BINARY, add, x + y)
EACH_TYPE(BINARY, sub, x - y)
EACH_TYPE(BINARY, rsub, y - x * 3)
EACH_TYPE(BINARY, mul, x* y)
EACH_TYPE(BINARY, mad, x* y + threadIdx.x)
EACH_TYPE(BINARY, msub, (int)threadIdx.x - x * y)
EACH_TYPE(BINARY, divide, x / (y | 1))
EACH_TYPE(BINARY, modulo, x % (y | 1))
EACH_TYPE(BINARY, minimum, x < y ? x : y)
EACH_TYPE(BINARY, maximum, x > y ? x : y)
EACH_TYPE(BINARY, minmax, (x + 1 > y ? (x + 1) : y) < 100 ? (x + 1 > y ? (x + 1) : y) : 100)
EACH_TYPE(BINARY, logic_and, x& y)
EACH_TYPE(BINARY, logic_or, x | y)
EACH_TYPE(BINARY, logic_xor, x ^ y)
EACH_TYPE(BINARY, logic_mix, (x & ~y) | (~x & (y ^ 0x55)))
EACH_TYPE(BINARY, left, x << (y & 31))
EACH_TYPE(BINARY, right, x >> (y & 31))
EACH_TYPE(BINARY, lea1, x + (y << 3))
EACH_TYPE(BINARY, lea2, (x << 5) - y)
EACH_TYPE(BINARY, less, x < y)
EACH_TYPE(BINARY, less_equal, x <= y)
EACH_TYPE(BINARY, equal, x == y)
EACH_TYPE(BINARY, not_equal, x != y)
EACH_TYPE(BINARY, greater, x > y && x != 3)
EACH_TYPE(BINARY, greater_equal, x >= y || y == 17)
EACH_TYPE(BINARY, exclusive, (x >= y) ^ (y < 17))
EACH_TYPE(BINARY, selected, x >= y ? y : x + 1)
EACH_TYPE(UNARY, negated, -x)
EACH_TYPE(UNARY, inverted, ~x)
EACH_TYPE(UNARY, absolute, x < 0 ? -x : x)
EACH_TYPE(UNARY, by_seven, x / 7)
EACH_TYPE(UNARY, by_eight, x / 8 + x % 8)
EACH_TYPE(UNARY, times, x * 0x12345)

#define INTRINSIC(name, ...)                                                         \
    __global__ void name(const int* in, int* out, int p, int q) {                    \
        int a = in[threadIdx.x], b = in[threadIdx.x + 32], c = in[threadIdx.x + 64]; \
        out[threadIdx.x] = (__VA_ARGS__);                                             \
        a = p;                                                                       \
        out[threadIdx.x + 32] = (__VA_ARGS__);                                        \
        b = q;                                                                       \
        out[threadIdx.x + 64] = (__VA_ARGS__);                                        \
        a = in[threadIdx.x + 128];                                                   \
        out[threadIdx.x + 96] = (__VA_ARGS__);                                        \
        c = 13;                                                                      \
        out[threadIdx.x + 128] = (__VA_ARGS__);                                       \
        b = 0x4321;                                                                  \
        out[threadIdx.x + 160] = (__VA_ARGS__);                                       \
    }
INTRINSIC(popc, __popc(a) + __popc(~b))
INTRINSIC(popcll, __popcll(((long long)a << 32) | b))
INTRINSIC(clz, __clz(a) + __clz(~b))
INTRINSIC(clzll, __clzll(((long long)a << 32) | b))
INTRINSIC(ffs, __ffs(a))
INTRINSIC(ffsll, __ffsll(((long long)a << 32) | b))
INTRINSIC(brev, __brev(a) ^ __brev(b))
INTRINSIC(brevll, __brevll(((long long)a << 32) | b))
INTRINSIC(mulhi, __mulhi(a, b) + c)
INTRINSIC(umulhi, __umulhi(a, b) - c)
INTRINSIC(mul64hi, (int)__mul64hi(((long long)a << 32) | b, c))
INTRINSIC(umul64hi, (int)__umul64hi(((long long)a << 32) | b, c))
INTRINSIC(mul24, __mul24(a, b) + __umul24(b, c))
INTRINSIC(sad, __sad(a, b, c) + __usad(b, c, a))
INTRINSIC(hadd, __hadd(a, b) + __rhadd(b, c) + __uhadd(a, c) + __urhadd(c, a))
INTRINSIC(funnel_l, __funnelshift_l(a, b, c))
INTRINSIC(funnel_r, __funnelshift_r(a, b, c))
INTRINSIC(funnel_lc, __funnelshift_lc(a, b, c))
INTRINSIC(funnel_rc, __funnelshift_rc(a, b, c))
INTRINSIC(permute, __byte_perm(a, b, c))
INTRINSIC(permute_fixed, __byte_perm(a, b, 0x5410) + __byte_perm(a, b, 0x7632) + __byte_perm(b, c, 0x0123) + __byte_perm(a, 0, 0x8880))
INTRINSIC(dp4a_s, __dp4a(a, b, c))
INTRINSIC(dp4a_u, __dp4a((unsigned)a, (unsigned)b, (unsigned)c))
INTRINSIC(dp2a_l, __dp2a_lo(a, b, c) + __dp2a_hi(a, b, c))
INTRINSIC(dp2a_u, __dp2a_lo((unsigned)a, (unsigned)b, (unsigned)c) + __dp2a_hi((unsigned)a, (unsigned)b, (unsigned)c))
INTRINSIC(vabsdiff4, __vabsdiffu4(a, b) + __vsadu4(a, c) + __vabsdiffs4(b, c))
INTRINSIC(vadd2, __vadd2(a, b) ^ __vsub4(a, c) ^ __vmaxs2(a, b) ^ __vminu2(b, c) ^ __vmaxu4(a, b) ^ __vmins4(a, c))
INTRINSIC(viaddmax, __viaddmax_s32(a, b, c) + __viaddmin_u32(a, b, c) + __viaddmax_s32_relu(a, b, c))
INTRINSIC(vimax3, __vimax3_s32(a, b, c) + __vimin3_u32(a, b, c) + __vimax3_s32_relu(a, b, c))
INTRINSIC(viaddmax16, __viaddmax_s16x2(a, b, c) + __viaddmin_u16x2(a, b, c) + __viaddmax_s16x2_relu(a, b, c))
INTRINSIC(vimax3_16, __vimax3_s16x2(a, b, c) + __vimin3_u16x2(a, b, c) + __vimax_s16x2_relu(a, b))
INTRINSIC(prmt_modes, [&] {
    int r = 0, t;
    asm("prmt.b32.f4e %0, %1, %2, %3;" : "=r"(t) : "r"(a), "r"(b), "r"(c)); r ^= t;
    asm("prmt.b32.b4e %0, %1, %2, %3;" : "=r"(t) : "r"(a), "r"(b), "r"(c)); r ^= t;
    asm("prmt.b32.rc8 %0, %1, %2, %3;" : "=r"(t) : "r"(a), "r"(b), "r"(c)); r ^= t;
    asm("prmt.b32.ecl %0, %1, %2, %3;" : "=r"(t) : "r"(a), "r"(b), "r"(c)); r ^= t;
    asm("prmt.b32.ecr %0, %1, %2, %3;" : "=r"(t) : "r"(a), "r"(b), "r"(c)); r ^= t;
    asm("prmt.b32.rc16 %0, %1, %2, %3;" : "=r"(t) : "r"(a), "r"(b), "r"(c)); r ^= t;
    return r; }())
INTRINSIC(bfe_bfi, [&] {
    int r = 0, t;
    asm("bfe.s32 %0, %1, %2, %3;" : "=r"(t) : "r"(a), "r"(b), "r"(c)); r ^= t;
    asm("bfe.u32 %0, %1, 5, 7;" : "=r"(t) : "r"(a)); r ^= t;
    asm("bfi.b32 %0, %1, %2, %3, 9;" : "=r"(t) : "r"(a), "r"(b), "r"(c)); r ^= t;
    asm("bfind.s32 %0, %1;" : "=r"(t) : "r"(a)); r ^= t;
    asm("bfind.shiftamt.u32 %0, %1;" : "=r"(t) : "r"(b)); r ^= t;
    asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(t) : "r"(a), "r"(b)); r ^= t;
    asm("bmsk.wrap.b32 %0, %1, %2;" : "=r"(t) : "r"(a), "r"(b)); r ^= t;
    asm("szext.clamp.s32 %0, %1, %2;" : "=r"(t) : "r"(a), "r"(b)); r ^= t;
    asm("szext.wrap.u32 %0, %1, %2;" : "=r"(t) : "r"(a), "r"(b)); r ^= t;
    asm("fns.b32 %0, %1, %2, %3;" : "=r"(t) : "r"(a), "r"(b), "r"(c)); r ^= t;
    return r; }())
INTRINSIC(saturating, [&] {
    int r = 0, t;
    asm("add.sat.s32 %0, %1, %2;" : "=r"(t) : "r"(a), "r"(b)); r ^= t;
    asm("sub.sat.s32 %0, %1, %2;" : "=r"(t) : "r"(a), "r"(c)); r ^= t;
    asm("mad.hi.sat.s32 %0, %1, %2, %3;" : "=r"(t) : "r"(a), "r"(b), "r"(c)); r ^= t;
    return r; }())
INTRINSIC(carry_chain, [&] {
    int r0, r1, r2;
    asm("{add.cc.u32 %0, %3, %4; addc.cc.u32 %1, %4, %5; addc.u32 %2, %5, %3;}" : "=r"(r0), "=r"(r1), "=r"(r2) : "r"(a), "r"(b), "r"(c));
    int s0, s1, s2;
    asm("{sub.cc.u32 %0, %3, %4; subc.cc.u32 %1, %4, %5; subc.u32 %2, %5, %3;}" : "=r"(s0), "=r"(s1), "=r"(s2) : "r"(a), "r"(b), "r"(c));
    int m0, m1;
    asm("{mad.lo.cc.u32 %0, %2, %3, %4; madc.hi.u32 %1, %2, %3, %4;}" : "=r"(m0), "=r"(m1) : "r"(a), "r"(b), "r"(c));
    return r0 ^ r1 ^ r2 ^ s0 ^ s1 ^ s2 ^ m0 ^ m1; }())

// All 256 tables of three-input logic would be LOP3; a spread of them, with and without immediates.
template <int table>
__global__ void lop3(const int* in, int* out, int p) {
    const int a = in[threadIdx.x], b = in[threadIdx.x + 32], c = in[threadIdx.x + 64];
    int r;
    asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(a), "r"(b), "r"(c), "n"(table));
    out[threadIdx.x] = r;
    asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(a), "r"(p), "r"(b), "n"(table));
    out[threadIdx.x + 32] = r;
    asm("lop3.b32 %0, %1, 0x1357, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "n"(table));
    out[threadIdx.x + 64] = r;
    if ((r & 0x70f0) != 0 && (r ^ a) != 5) out[threadIdx.x + 96] = table;
}
template __global__ void lop3<0x01>(const int*, int*, int);
template __global__ void lop3<0x16>(const int*, int*, int);
template __global__ void lop3<0x1e>(const int*, int*, int);
template __global__ void lop3<0x2d>(const int*, int*, int);
template __global__ void lop3<0x39>(const int*, int*, int);
template __global__ void lop3<0x4b>(const int*, int*, int);
template __global__ void lop3<0x56>(const int*, int*, int);
template __global__ void lop3<0x69>(const int*, int*, int);
template __global__ void lop3<0x7f>(const int*, int*, int);
template __global__ void lop3<0x80>(const int*, int*, int);
template __global__ void lop3<0x96>(const int*, int*, int);
template __global__ void lop3<0xa7>(const int*, int*, int);
template __global__ void lop3<0xb8>(const int*, int*, int);
template __global__ void lop3<0xca>(const int*, int*, int);
template __global__ void lop3<0xe8>(const int*, int*, int);
template __global__ void lop3<0xfe>(const int*, int*, int);

// Predicates combined in many ways.
template <int variant>
__global__ void predicates(const int* in, int* out, int p) {
    const bool a = in[threadIdx.x] > p, b = in[threadIdx.x + 1] < p * 3, c = in[threadIdx.x + 2] == 7, d = in[threadIdx.x + 3] != p;
    bool r = false;
    if (variant == 0) r = (a && b) || (c && d);
    if (variant == 1) r = (a ^ b) && (c || d);
    if (variant == 2) r = (a ? b : c) ^ d;
    if (variant == 3) r = !(a || b) && !(c ^ d);
    if (variant == 4) r = (a + b + c + d) >= 2;
    if (variant == 5) r = (a == b) != (c == d);
    if (r) out[threadIdx.x] = in[threadIdx.x + 9];
    else if (a != c) out[threadIdx.x + 5] = 3 * in[threadIdx.x + 9];
    out[threadIdx.x + 77] = (a << 3) | (b << 2) | (c << 1) | d;
}
template __global__ void predicates<0>(const int*, int*, int);
template __global__ void predicates<1>(const int*, int*, int);
template __global__ void predicates<2>(const int*, int*, int);
template __global__ void predicates<3>(const int*, int*, int);
template __global__ void predicates<4>(const int*, int*, int);
template __global__ void predicates<5>(const int*, int*, int);

// Many live predicates: spilled through P2R and R2P.
__global__ void many_predicates(const int* in, int* out, int n) {
    bool flag[12];
#pragma unroll
    for (int i = 0; i < 12; ++i) flag[i] = in[threadIdx.x * 12 + i] > i * n;
    __syncthreads();
    int sum = 0;
    for (int j = 0; j < n; ++j) {
#pragma unroll
        for (int i = 0; i < 12; ++i)
            if (flag[i]) sum += in[j + i] ^ sum;
    }
    out[threadIdx.x] = sum;
}

// Everything depends on parameters and block index only: the uniform datapath.
__global__ void uniform(const int* in, int* out, int p, int q, unsigned u, unsigned v, long long w, int n) {
    int a = p * q + (int)blockIdx.x;
    int b = (p << 5) ^ q;
    unsigned c = (u >> (v & 31)) | (u << 3);
    int d = p < q ? p : q + 3;
    unsigned e = __popc(u) + __clz(v) + __brev(u ^ v);
    long long f = w * p + (w >> 3) - ((long long)q << 7);
    int g = __byte_perm(p, q, 0x3715);
    int h = (int)(((long long)p * q) >> 32);
    bool s = p > q && u < v && w != 5;
    int i = (p & ~q) | (u ^ v);
    int sx = (short)p + (signed char)q;
    int m = u > v ? (p | q) : (p & 0xff0);
    for (int j = blockIdx.x; j < n; j += gridDim.x) {
        a = a * 5 + in[j + threadIdx.x];
        if (j == q) a ^= d;
    }
    out[threadIdx.x] = a + b + c + d + e + (int)f + (int)(f >> 32) + g + h + (s ? 7 : i) + sx + m;
    out[threadIdx.x + p * 3 + q] = s;
    if (s) out[u + v * 8] = i;
}

// Register pressure: high register numbers.
template <int registers>
__global__ void pressure(const int* in, int* out, int n) {
    int r[registers];
#pragma unroll
    for (int i = 0; i < registers; ++i) r[i] = in[threadIdx.x + i * 32];
    for (int j = 0; j < n; ++j) {
#pragma unroll
        for (int i = 0; i < registers; ++i) r[i] = r[(i + 7) % registers] * r[(i + 3) % registers] + (r[i] ^ (r[(i + 1) % registers] >> (i % 13)));
    }
#pragma unroll
    for (int i = 0; i < registers; ++i) out[threadIdx.x + i * 32] = r[i];
}
template __global__ void pressure<24>(const int*, int*, int);
template __global__ void pressure<96>(const int*, int*, int);
template __global__ void pressure<220>(const int*, int*, int);
template __global__ void pressure<280>(const int*, int*, int);
