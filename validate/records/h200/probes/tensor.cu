#include <cstdio>
#include <cstdint>
#include <cooperative_groups.h>
#include <cuda_pipeline.h>
#include <cassert>
namespace cg = cooperative_groups;
typedef unsigned u32; typedef unsigned long long u64;
// cycles of `n` times `body`, for chains in one warp and many independent ones. CHAINS independent accumulators a warp.
#define BENCH(name, REGS, chains, INSN) \
__global__ void name##_##chains(u64* out, u32 seed, int rounds) { \
    u32 a[4] = {seed, seed + 1, seed, seed}, b[4] = {seed, seed, seed, seed}; u32 r[chains][REGS]; \
    for (int i = 0; i < chains; ++i) for (int k = 0; k < REGS; ++k) r[i][k] = seed + threadIdx.x * 0; \
    double* da = (double*)a; (void)da; \
    __syncthreads(); u64 t0 = clock64(); \
    for (int n = 0; n < rounds; ++n) { _Pragma("unroll") for (int u = 0; u < 8; ++u) { _Pragma("unroll") for (int i = 0; i < chains; ++i) { u32* d = r[i]; INSN } } } \
    u64 t1 = clock64(); __syncthreads(); u64 t2 = clock64(); \
    u32 x = 0; for (int i = 0; i < chains; ++i) for (int k = 0; k < REGS; ++k) x ^= r[i][k]; \
    if (threadIdx.x == 0) { out[0] = t1 - t0; out[1] = t2 - t0; } if (x == 0x12345) out[2] = x; }
#define ALL(name, REGS, INSN) BENCH(name, REGS, 1, INSN) BENCH(name, REGS, 2, INSN) BENCH(name, REGS, 4, INSN) BENCH(name, REGS, 8, INSN)
#define I442(op) asm volatile("mma.sync.aligned." op " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};" : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#define I421(op) asm volatile("mma.sync.aligned." op " {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};" : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(b[0]));
#define I242(op) asm volatile("mma.sync.aligned." op " {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%0,%1};" : "+r"(d[0]), "+r"(d[1]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#define I221(op) asm volatile("mma.sync.aligned." op " {%0,%1}, {%2,%3}, {%4}, {%0,%1};" : "+r"(d[0]), "+r"(d[1]) : "r"(a[0]), "r"(a[1]), "r"(b[0]));
#define I211(op) asm volatile("mma.sync.aligned." op " {%0,%1}, {%2}, {%3}, {%0,%1};" : "+r"(d[0]), "+r"(d[1]) : "r"(a[0]), "r"(b[0]));
ALL(h16816f32, 4, I442("m16n8k16.row.col.f32.f16.f16.f32"))
ALL(h1688f32, 4, I421("m16n8k8.row.col.f32.f16.f16.f32"))
ALL(h16816f16, 2, I242("m16n8k16.row.col.f16.f16.f16.f16"))
ALL(h1688f16, 2, I221("m16n8k8.row.col.f16.f16.f16.f16"))
ALL(b16816, 4, I442("m16n8k16.row.col.f32.bf16.bf16.f32"))
ALL(t1688, 4, I442("m16n8k8.row.col.f32.tf32.tf32.f32"))
ALL(t1684, 4, I421("m16n8k4.row.col.f32.tf32.tf32.f32"))
ALL(i8816, 2, I211("m8n8k16.row.col.s32.s8.s8.s32"))
ALL(i16816, 4, I421("m16n8k16.row.col.s32.s8.s8.s32"))
ALL(i16832, 4, I442("m16n8k32.row.col.s32.s8.s8.s32"))
ALL(b88128, 2, I211("m8n8k128.row.col.s32.b1.b1.s32.and.popc"))
ALL(b168128, 4, I421("m16n8k128.row.col.s32.b1.b1.s32.and.popc"))
ALL(b168256, 4, I442("m16n8k256.row.col.s32.b1.b1.s32.and.popc"))
// dependence through A, not the accumulator
ALL(chain_a, 4, asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%0,%1,%2,%3}, {%4,%5}, {%6,%6,%6,%6};" : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]) : "r"(b[0]), "r"(b[1]), "f"(0.0f));)
ALL(movm, 1, asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %0;" : "+r"(d[0]));)
#define DB(name, chains, N, INSN) __global__ void name##_##chains(u64* out, double seed, int rounds) { double a[8], b[4], r[chains][4]; for (int i = 0; i < 8; ++i) a[i] = seed; for (int i = 0; i < 4; ++i) b[i] = seed; \
    for (int i = 0; i < chains; ++i) for (int k = 0; k < 4; ++k) r[i][k] = seed; __syncthreads(); u64 t0 = clock64(); \
    for (int n = 0; n < rounds; ++n) { _Pragma("unroll") for (int u = 0; u < 8; ++u) { _Pragma("unroll") for (int i = 0; i < chains; ++i) { double* d = r[i]; INSN } } } \
    u64 t1 = clock64(); __syncthreads(); u64 t2 = clock64(); double x = 0; for (int i = 0; i < chains; ++i) for (int k = 0; k < 4; ++k) x += r[i][k]; if (threadIdx.x == 0) { out[0] = t1 - t0; out[1] = t2 - t0; } if (x == 0.12345) out[2] = 1; }
#define DALL(name, INSN) DB(name, 1, 0, INSN) DB(name, 2, 0, INSN) DB(name, 4, 0, INSN) DB(name, 8, 0, INSN)
DALL(d884, asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};" : "+d"(d[0]), "+d"(d[1]) : "d"(a[0]), "d"(b[0]));)
DALL(d1684, asm volatile("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};" : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3]) : "d"(a[0]), "d"(a[1]), "d"(b[0]));)
DALL(d1688, asm volatile("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};" : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3]) : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));)
DALL(d16816, asm volatile("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7,%8,%9,%10,%11}, {%12,%13,%14,%15}, {%0,%1,%2,%3};" : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3]) : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]), "d"(b[0]), "d"(b[1]), "d"(b[2]), "d"(b[3]));)

// ldmatrix: the address depends on what was loaded (the table holds zeros); lane stride in bytes says the conflicts.
#define LDSM(name, regs, text) __global__ void name##_lat(u64* out, int stride, int rounds) { __shared__ alignas(16) u32 s[8192]; for (int i = threadIdx.x; i < 8192; i += blockDim.x) s[i] = 0; __syncthreads(); \
    u32 base = (u32)__cvta_generic_to_shared(s) + (threadIdx.x % 32) * stride, d[4] = {0, 0, 0, 0}; u64 t0 = clock64(); \
    for (int n = 0; n < rounds; ++n) { _Pragma("unroll") for (int u = 0; u < 8; ++u) { text base += d[0]; } } u64 t1 = clock64(); __syncthreads(); if (threadIdx.x == 0) { out[0] = t1 - t0; out[1] = clock64() - t0; } if (base == 7) out[2] = d[1] ^ d[2] ^ d[3]; } \
  __global__ void name##_thr(u64* out, int stride, int rounds) { __shared__ alignas(16) u32 s[8192]; for (int i = threadIdx.x; i < 8192; i += blockDim.x) s[i] = 0; __syncthreads(); \
    u32 base = (u32)__cvta_generic_to_shared(s) + (threadIdx.x % 32) * stride, d[4] = {0, 0, 0, 0}, x = 0; u64 t0 = clock64(); \
    for (int n = 0; n < rounds; ++n) { _Pragma("unroll") for (int u = 0; u < 8; ++u) { text x ^= d[0]; } } u64 t1 = clock64(); __syncthreads(); if (threadIdx.x == 0) { out[0] = t1 - t0; out[1] = clock64() - t0; } if (x == 7) out[2] = d[1] ^ d[2] ^ d[3]; }
LDSM(ldsm1, 1, asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(d[0]) : "r"(base) : "memory");)
LDSM(ldsm2, 2, asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];" : "=r"(d[0]), "=r"(d[1]) : "r"(base) : "memory");)
LDSM(ldsm4, 4, asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]) : "r"(base) : "memory");)
LDSM(ldsm4t, 4, asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]) : "r"(base) : "memory");)
LDSM(ldsm1t, 1, asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(d[0]) : "r"(base) : "memory");)
LDSM(stsm1, 1, asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%1], {%0};" :: "r"(d[0]), "r"(base) : "memory");)
LDSM(stsm2, 2, asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%2], {%0,%1};" :: "r"(d[0]), "r"(d[1]), "r"(base) : "memory");)
LDSM(stsm4, 4, asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%4], {%0,%1,%2,%3};" :: "r"(d[0]), "r"(d[1]), "r"(d[2]), "r"(d[3]), "r"(base) : "memory");)
LDSM(stsm4t, 4, asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%4], {%0,%1,%2,%3};" :: "r"(d[0]), "r"(d[1]), "r"(d[2]), "r"(d[3]), "r"(base) : "memory");)
LDSM(lds, 1, asm volatile("ld.shared.u32 %0, [%1];" : "=r"(d[0]) : "r"(base) : "memory");)
LDSM(lds128, 4, asm volatile("ld.shared.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]) : "r"(base) : "memory");)

// mbarrier: arrive, wait that holds; a ping of one warp to itself
__global__ void mbar(u64* out, int, int rounds) { __shared__ u64 bar; u32 at = (u32)__cvta_generic_to_shared(&bar); u64 s; if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(at), "r"(blockDim.x)); __syncthreads();
    u64 t0 = clock64(); for (int n = 0; n < rounds; ++n) asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(s) : "r"(at) : "memory"); u64 t1 = clock64();
    if (threadIdx.x == 0) { out[0] = t1 - t0; out[2] = s; } }
__global__ void mbar_sync(u64* out, int, int rounds) { __shared__ u64 bar; u32 at = (u32)__cvta_generic_to_shared(&bar); if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(at), "r"(blockDim.x)); __syncthreads();
    u64 t0 = clock64(); for (int n = 0; n < rounds; ++n) { asm volatile("mbarrier.arrive.shared.b64 _, [%0];" :: "r"(at) : "memory"); u32 ok = 0; while (!ok) asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0,1,0,p;}" : "=r"(ok) : "r"(at), "r"(n & 1) : "memory"); } u64 t1 = clock64();
    __syncthreads(); if (threadIdx.x == 0) { out[0] = t1 - t0; out[1] = clock64() - t0; } }
__global__ void mbar_one(u64* out, int, int rounds) { __shared__ u64 bar; u32 at = (u32)__cvta_generic_to_shared(&bar); if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(at), "r"(blockDim.x / 32)); __syncthreads();
    u64 t0 = clock64(); for (int n = 0; n < rounds; ++n) { if (threadIdx.x % 32 == 0) asm volatile("mbarrier.arrive.shared.b64 _, [%0];" :: "r"(at) : "memory"); u32 ok = 0; while (!ok) asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0,1,0,p;}" : "=r"(ok) : "r"(at), "r"(n & 1) : "memory"); } u64 t1 = clock64();
    __syncthreads(); if (threadIdx.x == 0) { out[0] = t1 - t0; out[1] = clock64() - t0; } }
__global__ void mbar_test(u64* out, int, int rounds) { __shared__ u64 bar; u32 at = (u32)__cvta_generic_to_shared(&bar); if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(at), "r"(blockDim.x)); __syncthreads();
    u32 ok = 1; u64 t0 = clock64(); for (int n = 0; n < rounds; ++n) asm volatile("{.reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0,1,0,p;}" : "=r"(ok) : "r"(at), "r"(ok) : "memory"); u64 t1 = clock64();
    if (threadIdx.x == 0) { out[0] = t1 - t0; out[2] = ok; } }
__global__ void mbar_fail(u64* out, int, int rounds) { __shared__ u64 bar; u32 at = (u32)__cvta_generic_to_shared(&bar); if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(at), "r"(blockDim.x)); __syncthreads();
    u32 ok = 0; u64 t0 = clock64(); for (int n = 0; n < 4; ++n) asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0,1,0,p;}" : "=r"(ok) : "r"(at), "r"(ok) : "memory"); u64 t1 = clock64();
    if (threadIdx.x == 0) { out[0] = t1 - t0; out[2] = ok; } }
// cp.async: latency of one copy that hits L1/L2, and bandwidth
__global__ void cpasync(u64* out, const int4* in, int rounds) { __shared__ int4 s[1024]; u64 t = 0; for (int n = 0; n < rounds; ++n) { u64 t0 = clock64(); __pipeline_memcpy_async(&s[threadIdx.x], in + threadIdx.x, 16); __pipeline_commit(); __pipeline_wait_prior(0); t += clock64() - t0; } if (threadIdx.x == 0) { out[0] = t; out[2] = s[1].x; } }
__global__ void cpasync4(u64* out, const int4* in, int rounds) { __shared__ int4 s[1024]; u64 t = 0; for (int n = 0; n < rounds; ++n) { u64 t0 = clock64(); __pipeline_memcpy_async((int*)s + threadIdx.x, (const int*)in + threadIdx.x, 4); __pipeline_commit(); __pipeline_wait_prior(0); t += clock64() - t0; } if (threadIdx.x == 0) { out[0] = t; out[2] = s[1].x; } }
__global__ void ldg_ref(u64* out, const int* in, int rounds) { int x = 0; u64 t = 0; for (int n = 0; n < rounds; ++n) { u64 t0 = clock64(); int v; asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v) : "l"(in + threadIdx.x + x) : "memory"); x += v; asm volatile("" :: "r"(x)); if (x == 99) out[3] = 1; t += clock64() - t0; } if (threadIdx.x == 0) { out[0] = t; out[2] = x; } }
__global__ void gridsync(u64* out, int, int rounds) { auto g = cg::this_grid(); g.sync(); u64 t0 = clock64(); for (int n = 0; n < rounds; ++n) g.sync(); u64 t1 = clock64(); if (g.thread_rank() == 0) { out[0] = t1 - t0; u32 hi, lo; asm("mov.u32 %0, %%envreg1;" : "=r"(hi)); asm("mov.u32 %0, %%envreg2;" : "=r"(lo)); const u32* w = (const u32*)(((u64)hi << 32) | lo); out[2] = (u64)w[1] << 32 | w[0]; out[3] = ((u64)hi << 32) | lo; } }
__global__ void envregs(u64* out, int, int) {
#define E(n) { u32 v; asm volatile("mov.u32 %0, %%envreg" #n ";" : "=r"(v)); out[4 + n] = v; }
    E(0) E(1) E(2) E(3) E(4) E(5) E(6) E(7) E(8) E(9) E(10) E(11) E(12) E(13) E(14) E(15) E(16) E(17) E(18) E(19) E(20) E(21) E(22) E(23) E(24) E(25) E(26) E(27) E(28) E(29) E(30) E(31) }
__global__ void sleepy(u64* out, int ns, int rounds) { u64 t0 = clock64(); for (int n = 0; n < rounds; ++n) __nanosleep(ns); u64 t1 = clock64(); if (threadIdx.x == 0) out[0] = t1 - t0; }

static u64* out; static u64 h[64];
static const char* run(const void* k, int threads, void** args, bool coop = false, int blocks = 1) {
    cudaMemset(out, 0, 512); for (int i = 0; i < 2; ++i) { if (coop) cudaLaunchCooperativeKernel(k, dim3(blocks), dim3(threads), args, 0, 0); else cudaLaunchKernel(k, dim3(blocks), dim3(threads), args, 0, 0); }
    cudaError_t e = cudaDeviceSynchronize(); cudaMemcpy(h, out, 512, cudaMemcpyDeviceToHost); return e ? cudaGetErrorString(e) : "ok"; }
template <class K> void one(const char* name, int chains, K k) { int rounds = 64; u32 seed = 0; for (int warps : {1, 2, 4, 8, 16, 32}) { void* args[] = {&out, &seed, &rounds}; const char* e = run((const void*)k, warps * 32, args); double n = 64.0 * 8 * chains; printf("mma,%s,chains=%d,warps=%d,%.3f,%.3f,%s\n", name, chains, warps, h[0] / n, h[1] / n, e); } }
template <class K> void oned(const char* name, int chains, K k) { int rounds = 64; double seed = 0; for (int warps : {1, 2, 4, 8, 16, 32}) { void* args[] = {&out, &seed, &rounds}; const char* e = run((const void*)k, warps * 32, args); double n = 64.0 * 8 * chains; printf("mma,%s,chains=%d,warps=%d,%.3f,%.3f,%s\n", name, chains, warps, h[0] / n, h[1] / n, e); } }
#define RUN(name) one(#name, 1, name##_1); one(#name, 2, name##_2); one(#name, 4, name##_4); one(#name, 8, name##_8);
#define RUND(name) oned(#name, 1, name##_1); oned(#name, 2, name##_2); oned(#name, 4, name##_4); oned(#name, 8, name##_8);
#define RUNL(name) for (int stride : {0, 16, 32, 48, 64, 128, 144, 256}) for (int warps : {1, 2, 4, 8, 16, 32}) { int rounds = 32; void* args[] = {&out, &stride, &rounds}; const char* e = run((const void*)name##_lat, warps * 32, args); double l = h[0] / 256.0, l1 = h[1] / 256.0; run((const void*)name##_thr, warps * 32, args); printf("matrix,%s,stride=%d,warps=%d,lat %.3f %.3f,thr %.3f %.3f,%s\n", #name, stride, warps, l, l1, h[0] / 256.0, h[1] / 256.0, e); }
int main() {
    cudaMalloc(&out, 512); void* in; cudaMalloc(&in, 1 << 20); cudaMemset(in, 0, 1 << 20);
    RUN(h16816f32) RUN(h1688f32) RUN(h16816f16) RUN(h1688f16) RUN(b16816) RUN(t1688) RUN(t1684) RUN(i8816) RUN(i16816) RUN(i16832) RUN(b88128) RUN(b168128) RUN(b168256) RUN(chain_a) RUN(movm)
    RUND(d884) RUND(d1684) RUND(d1688) RUND(d16816)
    RUNL(ldsm1) RUNL(ldsm2) RUNL(ldsm4) RUNL(ldsm4t) RUNL(ldsm1t) RUNL(stsm1) RUNL(stsm2) RUNL(stsm4) RUNL(stsm4t) RUNL(lds) RUNL(lds128)
    int z = 0, rounds = 64;
    for (int threads : {1, 32, 64, 128, 256, 512, 1024}) { void* args[] = {&out, &z, &rounds};
        const char* e = run((const void*)mbar, threads, args); printf("mbarrier,arrive,threads=%d,%.3f,%s\n", threads, h[0] / 64.0, e);
        e = run((const void*)mbar_sync, threads, args); printf("mbarrier,sync,threads=%d,%.3f,%.3f,%s\n", threads, h[0] / 64.0, h[1] / 64.0, e);
        if (threads >= 32) { e = run((const void*)mbar_one, threads, args); printf("mbarrier,sync of one lane,threads=%d,%.3f,%.3f,%s\n", threads, h[0] / 64.0, h[1] / 64.0, e); }
        e = run((const void*)mbar_test, threads, args); printf("mbarrier,test,threads=%d,%.3f,%llx,%s\n", threads, h[0] / 64.0, h[2], e);
        e = run((const void*)mbar_fail, threads, args); printf("mbarrier,try that fails,threads=%d,%.3f,%llx,%s\n", threads, h[0] / 4.0, h[2], e);
        void* copy[] = {&out, &in, &rounds};
        e = run((const void*)cpasync, threads, copy); printf("cp.async,16,threads=%d,%.3f,%s\n", threads, h[0] / 64.0, e);
        e = run((const void*)cpasync4, threads, copy); printf("cp.async,4,threads=%d,%.3f,%s\n", threads, h[0] / 64.0, e);
        e = run((const void*)ldg_ref, threads, copy); printf("ldg,4,threads=%d,%.3f,%s\n", threads, h[0] / 64.0, e); }
    for (int ns : {0, 1, 20, 50, 100, 500, 1000, 10000}) { int r = 16; void* args[] = {&out, &ns, &r}; const char* e = run((const void*)sleepy, 32, args); printf("nanosleep,%d,%.3f,%s\n", ns, h[0] / 16.0, e); }
    for (int blocks : {1, 2, 8, 32, 132, 264, 1056}) for (int threads : {32, 256}) { void* args[] = {&out, &z, &rounds}; const char* e = run((const void*)gridsync, threads, args, true, blocks); printf("gridsync,blocks=%d,threads=%d,%.3f,%llx,%llx,%s\n", blocks, threads, h[0] / 64.0, h[2], h[3], e); }
    { void* args[] = {&out, &z, &rounds}; printf("coop too large: "); cudaError_t e = cudaLaunchCooperativeKernel((const void*)gridsync, dim3(100000), dim3(256), args, 0, 0); printf("%s %d\n", cudaGetErrorName(e), e); cudaGetLastError();
      for (bool coop : {false, true}) { run((const void*)envregs, 1, args, coop); printf("envregs coop=%d:", coop); for (int i = 0; i < 32; ++i) printf(" %llx", h[4 + i]); printf("\n"); } }
    return 0; }
