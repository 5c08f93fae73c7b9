// Loads, stores, atomics and reductions of every width, space, order and cache policy.
#include <cooperative_groups.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cstdint>

template <class T>
__global__ void copy(const T* __restrict__ in, T* out, T* other, int n, int stride) {
    __shared__ T tile[256];
    extern __shared__ char dynamic[];
    T* more = reinterpret_cast<T*>(dynamic);
    const int i = threadIdx.x;
    out[i] = in[i];
    other[i * stride + 3] = __ldg(in + i * n);
    __stcs(&out[i + 32], __ldcs(in + i + 32));
    __stcg(&out[i + 64], __ldcg(in + i + 64));
    __stwt(&out[i + 96], __ldlu(other + i + 96));
    __stwb(&out[i + 128], __ldca(in + i + 128));
    other[i + 7] = __ldcv(other + i);
    tile[i] = in[i + 1];
    more[i + n] = in[i + 2];
    __syncthreads();
    out[i + 160] = tile[i ^ 5];
    out[i + 192] = tile[255 - i];
    out[i + 224] = more[i * 3 + n];
    out[i + 256] = tile[n];
    T local[40];
    for (int j = 0; j < n; ++j) local[(j * stride) % 40] = in[j + 5];
    out[i + 300] = local[i % 40];
}
#define COPY(type) template __global__ void copy<type>(const type*, type*, type*, int, int);
COPY(char) COPY(signed char) COPY(unsigned char) COPY(short) COPY(unsigned short) COPY(int) COPY(unsigned) COPY(long long) COPY(float) COPY(double) COPY(float2) COPY(float4)
COPY(int2) COPY(int4) COPY(double2) COPY(uchar4) COPY(short2) COPY(short4) COPY(__half) COPY(__half2)

template <class T>
__global__ void volatiles(volatile T* in, T* out) {
    __shared__ volatile T tile[64];
    tile[threadIdx.x] = in[threadIdx.x];
    in[threadIdx.x + 64] = tile[threadIdx.x ^ 1];
    out[threadIdx.x] = tile[threadIdx.x ^ 3];
}
template __global__ void volatiles<int>(volatile int*, int*);
template __global__ void volatiles<char>(volatile char*, char*);
template __global__ void volatiles<unsigned short>(volatile unsigned short*, unsigned short*);
template __global__ void volatiles<double>(volatile double*, double*);

__constant__ int constants[256];
__constant__ double doubles[32];
__constant__ unsigned char bytes[64];
__constant__ short shorts[64];
__constant__ int4 quads[16];
__device__ int counter;
__device__ float table[64] = {1, 2, 3};
__global__ void constant_reads(int* out, double* d, int n) {
    const int i = threadIdx.x;
    out[i] = constants[i] + constants[5] + constants[n] + constants[blockIdx.x + 9];
    d[i] = doubles[i] + doubles[3] + doubles[n];
    out[i + 32] = bytes[i] + bytes[n] + shorts[i * 2] + shorts[n] + quads[i].y + quads[i + 1].x;
    atomicAdd(&counter, 1);
    d[i + 32] = table[i];
}

// Every PTX memory order and scope.
__global__ void orders(int* p, int* out, uint64_t* q, short* h) {
    int r;
    uint64_t w;
    short s;
    int* o = out + threadIdx.x;
    __shared__ int shared_word[32];
    const unsigned sa = (unsigned)__cvta_generic_to_shared(shared_word + threadIdx.x);
#define LOAD(order) asm volatile("ld." order ".u32 %0, [%1];" : "=r"(r) : "l"(p) : "memory"); *o = r; o += 32; \
    asm volatile("ld." order ".u64 %0, [%1];" : "=l"(w) : "l"(q) : "memory"); *o = (int)w; o += 32; \
    asm volatile("ld." order ".s16 %0, [%1];" : "=h"(s) : "l"(h) : "memory"); *o = s; o += 32;
#define STORE(order) asm volatile("st." order ".u32 [%0], %1;" ::"l"(p), "r"(r) : "memory"); p += 32; \
    asm volatile("st." order ".u64 [%0], %1;" ::"l"(q), "l"(w) : "memory"); q += 32; \
    asm volatile("st." order ".u8 [%0], %1;" ::"l"(h), "h"(s) : "memory"); h += 32;
    LOAD("weak") LOAD("relaxed.cta") LOAD("relaxed.gpu") LOAD("relaxed.sys") LOAD("relaxed.cluster") LOAD("acquire.cta") LOAD("acquire.gpu") LOAD("acquire.sys") LOAD("acquire.cluster")
    LOAD("volatile") LOAD("weak.global") LOAD("relaxed.cta.global") LOAD("relaxed.gpu.global") LOAD("relaxed.sys.global") LOAD("relaxed.cluster.global") LOAD("acquire.cta.global") LOAD("acquire.gpu.global") LOAD("acquire.sys.global") LOAD("volatile.global") LOAD("mmio.relaxed.sys.global")
    LOAD("global.ca") LOAD("global.cg") LOAD("global.cs") LOAD("global.lu") LOAD("global.cv") LOAD("global.nc") LOAD("global.L1::evict_last") LOAD("global.L1::evict_first") LOAD("global.L1::no_allocate") LOAD("global.L1::evict_unchanged") LOAD("global.nc.L1::no_allocate")
    LOAD("global.L2::64B") LOAD("global.L2::128B") LOAD("global.L2::256B") LOAD("global.ca.L2::128B") LOAD("relaxed.gpu.global.L1::no_allocate") LOAD("global.nc.L2::256B") LOAD("cs") LOAD("cg") LOAD("L1::evict_last")
    STORE("weak") STORE("relaxed.cta") STORE("relaxed.gpu") STORE("relaxed.sys") STORE("release.cta") STORE("release.gpu") STORE("release.sys") STORE("release.cluster") STORE("volatile") STORE("global.wb")
    STORE("relaxed.cta.global") STORE("relaxed.gpu.global") STORE("relaxed.sys.global") STORE("release.cta.global") STORE("release.gpu.global") STORE("release.sys.global") STORE("volatile.global") STORE("mmio.relaxed.sys.global")
    STORE("global.cg") STORE("global.cs") STORE("global.wt") STORE("global.L1::evict_last") STORE("global.L1::evict_first") STORE("global.L1::no_allocate") STORE("global.L1::evict_unchanged") STORE("cs") STORE("L1::no_allocate")
    asm volatile("ld.relaxed.cta.shared.u32 %0, [%1];" : "=r"(r) : "r"(sa) : "memory"); *o = r; o += 32;
    asm volatile("ld.acquire.cta.shared.u32 %0, [%1];" : "=r"(r) : "r"(sa) : "memory"); *o = r; o += 32;
    asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(r) : "r"(sa) : "memory"); *o = r; o += 32;
    asm volatile("ld.relaxed.cluster.shared::cluster.u32 %0, [%1];" : "=r"(r) : "r"(sa) : "memory"); *o = r; o += 32;
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(r) : "r"(sa) : "memory"); *o = r; o += 32;
    asm volatile("st.release.cta.shared.u32 [%0], %1;" ::"r"(sa), "r"(r) : "memory");
    asm volatile("st.relaxed.cluster.shared::cluster.u32 [%0], %1;" ::"r"(sa), "r"(r) : "memory");
    asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(sa), "r"(r) : "memory");
    asm volatile("prefetch.global.L1 [%0];" ::"l"(p)); asm volatile("prefetch.global.L2 [%0];" ::"l"(p)); asm volatile("prefetchu.L1 [%0];" ::"l"(p)); asm volatile("prefetch.L2 [%0];" ::"l"(p));
    asm volatile("prefetch.global.L2::evict_last [%0];" ::"l"(p)); asm volatile("applypriority.global.L2::evict_normal [%0], 128;" ::"l"(p)); asm volatile("discard.global.L2 [%0], 128;" ::"l"(p));
    asm volatile("fence.sc.cta;"); asm volatile("fence.sc.gpu;"); asm volatile("fence.sc.sys;"); asm volatile("fence.sc.cluster;"); asm volatile("fence.acq_rel.cta;"); asm volatile("fence.acq_rel.gpu;"); asm volatile("fence.acq_rel.sys;"); asm volatile("fence.acq_rel.cluster;");
    asm volatile("fence.proxy.alias;"); asm volatile("fence.proxy.async;"); asm volatile("fence.proxy.async.global;"); asm volatile("fence.proxy.async.shared::cta;"); asm volatile("fence.mbarrier_init.release.cluster;");
    asm volatile("membar.cta;"); asm volatile("membar.gl;"); asm volatile("membar.sys;");
    __threadfence(); __threadfence_block(); __threadfence_system();
    bool is;
    asm volatile("{.reg .pred a; isspacep.shared a, %1; selp.u32 %0, 1, 0, a;}" : "=r"(r) : "l"(p)); *o = r; o += 32;
    asm volatile("{.reg .pred a; isspacep.local a, %1; selp.u32 %0, 1, 0, a;}" : "=r"(r) : "l"(p)); *o = r; o += 32;
    asm volatile("{.reg .pred a; isspacep.global a, %1; selp.u32 %0, 1, 0, a;}" : "=r"(r) : "l"(p)); *o = r; o += 32;
    asm volatile("{.reg .pred a; isspacep.shared::cluster a, %1; selp.u32 %0, 1, 0, a;}" : "=r"(r) : "l"(p)); *o = r; o += 32;
    (void)is;
}
__global__ void vectors(int4* in, int4* out, const long long* policy_in) {
    int a, b, c, d;
    unsigned long long policy;
    asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 0.5;" : "=l"(policy));
    asm volatile("ld.global.v4.s32 {%0,%1,%2,%3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(in));
    asm volatile("st.global.v4.s32 [%4], {%0,%1,%2,%3};" ::"r"(a), "r"(b), "r"(c), "r"(d), "l"(out));
    asm volatile("ld.global.nc.L1::no_allocate.L2::128B.v4.s32 {%0,%1,%2,%3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(in + 1));
    asm volatile("st.global.cs.v4.s32 [%4], {%0,%1,%2,%3};" ::"r"(a), "r"(b), "r"(c), "r"(d), "l"(out + 1));
    asm volatile("ld.relaxed.gpu.global.v2.s32 {%0,%1}, [%2];" : "=r"(a), "=r"(b) : "l"(in + 2));
    asm volatile("ld.global.L2::cache_hint.s32 %0, [%1], %2;" : "=r"(c) : "l"(in + 3), "l"(policy));
    asm volatile("st.global.L2::cache_hint.s32 [%1], %0, %2;" ::"r"(c), "l"(out + 3), "l"(policy));
    out[5] = make_int4(a, b, c, d);
}

#define ATOMIC(name, type, letter, suffix)                                                                              \
    __global__ void atomic_##name(type* global_word, type* out, type value, type compare, char* generic) {              \
        __shared__ type shared_word[64];                                                                                 \
        shared_word[threadIdx.x] = value;                                                                                \
        __syncthreads();                                                                                                 \
        type old;                                                                                                        \
        type mine = out[threadIdx.x];                                                                                    \
        type* g = global_word + threadIdx.x;                                                                             \
        type* o = out + threadIdx.x;                                                                                     \
        unsigned s = (unsigned)__cvta_generic_to_shared(shared_word + (threadIdx.x ^ 1));                                \
        char* n = generic + threadIdx.x * sizeof(type);                                                                  \
        (void)compare; (void)n; (void)mine;
#define A(op, t, letter)                                                                                                                     \
    asm volatile("atom.global." op "." t " %0, [%1], %2;" : "=" letter(old) : "l"(g + 8), letter(mine) : "memory"); *o = old; o += 32;       \
    asm volatile("atom.shared." op "." t " %0, [%1], %2;" : "=" letter(old) : "r"(s), letter(mine) : "memory"); *o = old; o += 32;           \
    asm volatile("atom." op "." t " %0, [%1], %2;" : "=" letter(old) : "l"(n), letter(mine) : "memory"); *o = old; o += 32;                  \
    asm volatile("red.global." op "." t " [%0], %1;" ::"l"(g), letter(mine) : "memory");                                                     \
    asm volatile("red.shared." op "." t " [%0], %1;" ::"r"(s + 32), letter(mine) : "memory");                                                \
    asm volatile("red." op "." t " [%0], %1;" ::"l"(n + 64), letter(mine) : "memory");
#define X(t, letter)                                                                                                                                          \
    asm volatile("atom.global.exch." t " %0, [%1], %2;" : "=" letter(old) : "l"(g), letter(mine) : "memory"); *o = old; o += 32;                               \
    asm volatile("atom.shared.exch." t " %0, [%1], %2;" : "=" letter(old) : "r"(s), letter(mine) : "memory"); *o = old; o += 32;                               \
    asm volatile("atom.exch." t " %0, [%1], %2;" : "=" letter(old) : "l"(n), letter(mine) : "memory"); *o = old; o += 32;                                      \
    asm volatile("atom.global.cas." t " %0, [%1], %2, %3;" : "=" letter(old) : "l"(g), letter(compare), letter(mine) : "memory"); *o = old; o += 32;           \
    asm volatile("atom.shared.cas." t " %0, [%1], %2, %3;" : "=" letter(old) : "r"(s), letter(compare), letter(mine) : "memory"); *o = old; o += 32;           \
    asm volatile("atom.cas." t " %0, [%1], %2, %3;" : "=" letter(old) : "l"(n), letter(compare), letter(mine) : "memory"); *o = old; o += 32;
ATOMIC(u32, unsigned, "r", "u32") A("add", "u32", "r") A("min", "u32", "r") A("max", "u32", "r") A("inc", "u32", "r") A("dec", "u32", "r") A("and", "b32", "r") A("or", "b32", "r") A("xor", "b32", "r") X("b32", "r") }
ATOMIC(s32, int, "r", "s32") A("add", "s32", "r") A("min", "s32", "r") A("max", "s32", "r") }
ATOMIC(u64, unsigned long long, "l", "u64") A("add", "u64", "l") A("min", "u64", "l") A("max", "u64", "l") A("and", "b64", "l") A("or", "b64", "l") A("xor", "b64", "l") X("b64", "l") }
ATOMIC(s64, long long, "l", "s64") A("min", "s64", "l") A("max", "s64", "l") }
ATOMIC(f32, float, "f", "f32") A("add", "f32", "f") }
ATOMIC(f64, double, "d", "f64") A("add", "f64", "d") }
ATOMIC(f16x2, unsigned, "r", "f16x2") A("add.noftz", "f16x2", "r") A("add.noftz", "bf16x2", "r") }
ATOMIC(u16, unsigned short, "h", "b16") A("add.noftz", "f16", "h") A("add.noftz", "bf16", "h") asm volatile("atom.global.cas.b16 %0, [%1], %2, %3;" : "=h"(old) : "l"(g), "h"(compare), "h"(mine) : "memory"); *o = old; }
__global__ void atomic_orders(int* p, int* out, int v) {
    int old;
    int* o = out + threadIdx.x;
#define S(q) asm volatile("atom." q ".global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(p + threadIdx.x), "r"(v + old)); *o = old; o += 32; \
    asm volatile("red." q ".global.max.s32 [%0+16], %1;" ::"l"(p + threadIdx.x), "r"(v));
    old = 0;
    S("relaxed.cta") S("relaxed.gpu") S("relaxed.sys") S("relaxed.cluster")
#undef S
#define S(q) asm volatile("atom." q ".global.cas.b32 %0, [%1+4], %2, %3;" : "=r"(old) : "l"(p + threadIdx.x), "r"(v), "r"(old)); *o = old; o += 32; \
    asm volatile("atom." q ".exch.b32 %0, [%1+4], %2;" : "=r"(old) : "l"(p + threadIdx.x), "r"(v)); *o = old; o += 32;
    S("acquire.cta") S("release.gpu") S("acq_rel.sys") S("acq_rel.cluster") S("acquire.gpu") S("relaxed.sys")
    atomicAdd_block(p + 3, v); atomicAdd_system(p + 5, v); *o = atomicSub(p + 7, v); atomicInc((unsigned*)p, 77); atomicAdd(p + 200, 1);
    __shared__ int s[4];
    s[threadIdx.x] = 0; __syncthreads();
    atomicAdd(&s[0], 1); atomicAdd(&s[1], v); atomicMax(&s[2], v); atomicInc((unsigned*)&s[3], 5); __syncthreads();
    o[32] = s[threadIdx.x];
}
__global__ void vector_reductions(float* p, float a, float b) {
    asm volatile("red.global.add.v2.f32 [%0], {%1, %2};" ::"l"(p), "f"(a), "f"(b) : "memory");
    asm volatile("red.global.add.v4.f32 [%0], {%1, %2, %1, %2};" ::"l"(p), "f"(a), "f"(b) : "memory");
    float x, y;
    asm volatile("atom.global.add.v2.f32 {%0, %1}, [%2], {%3, %4};" : "=f"(x), "=f"(y) : "l"(p), "f"(a), "f"(b) : "memory");
}
