// Warp operations, barriers, control flow, calls, clusters, tensor core and asynchronous copies.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>
#include <cstdint>
#include <cstdio>
namespace cg = cooperative_groups;

__global__ void shuffles(const int* in, int* out, int lane, int width) {
    int v = in[threadIdx.x];
    int* o = out + threadIdx.x;
#define S(e) *o = (e); o += 32;
    S(__shfl_sync(~0u, v, 3)) S(__shfl_sync(~0u, v, lane)) S(__shfl_sync(~0u, v, v, 8)) S(__shfl_up_sync(~0u, v, 1)) S(__shfl_up_sync(~0u, v, lane, 16)) S(__shfl_down_sync(~0u, v, 16))
    S(__shfl_down_sync(~0u, v, v & 7, 4)) S(__shfl_xor_sync(~0u, v, 1)) S(__shfl_xor_sync(~0u, v, 31)) S(__shfl_xor_sync(~0u, v, lane)) S(__shfl_xor_sync(~0u, v, v, 2)) S(__shfl_sync(0xffff, v, lane, 16))
    int p, r;
#define Q(mode, b, c, bl, cl) asm volatile("{.reg .pred p; shfl.sync." mode ".b32 %0|p, %2, %3, %4, 0xffffffff; selp.s32 %1, 1, 0, p;}" : "=r"(r), "=r"(p) : "r"(v), bl(b), cl(c)); S(r + p)
    Q("idx", lane, width, "r", "r") Q("up", 4, width, "n", "r") Q("down", v, 0x1f1f, "r", "n") Q("bfly", v, v, "r", "r") Q("bfly", 8, 0x1c1f, "n", "n") Q("up", v, 0, "r", "n") Q("down", 2, v, "n", "r")
    double d = v; S((int)__shfl_down_sync(~0u, d, 2)) long long w = v; S((int)__shfl_xor_sync(~0u, w * w, 2))
}
__global__ void votes(const int* in, int* out, unsigned mask) {
    int v = in[threadIdx.x];
    int* o = out + threadIdx.x;
    S(__any_sync(~0u, v > 3)) S(__all_sync(~0u, v < 3)) S(__ballot_sync(~0u, v == 3)) S(__uni_sync(~0u, v & 1)) S(__activemask()) S(__any_sync(mask, v > 9)) S(__ballot_sync(mask, v))
    S(__match_any_sync(~0u, v)) int p; S(__match_all_sync(~0u, v, &p)) S(p) S(__match_any_sync(mask, (long long)v * v)) S(__match_all_sync(~0u, (unsigned long long)v << 20, &p)) S(p)
    S(__reduce_add_sync(~0u, v)) S(__reduce_min_sync(~0u, v)) S(__reduce_max_sync(mask, v)) S(__reduce_and_sync(~0u, (unsigned)v)) S(__reduce_or_sync(~0u, (unsigned)v)) S(__reduce_xor_sync(~0u, (unsigned)v)) S(__reduce_min_sync(~0u, (unsigned)v)) S(__reduce_max_sync(~0u, (unsigned)v))
    if (v > 5) { S(__ballot_sync(__activemask(), v > 7)) __syncwarp(); } else { __syncwarp(mask); S(v + 1) }
    __syncwarp(); __syncwarp(0xff);
    if (__any_sync(~0u, v == 99)) S(__popc(__ballot_sync(~0u, v & 2) & ((1u << (threadIdx.x & 31)) - 1)))
    unsigned e; asm volatile("{.reg .pred p; elect.sync _|p, 0xffffffff; selp.u32 %0, 1, 0, p;}" : "=r"(e)); S(e)
    asm volatile("{.reg .pred p; elect.sync %0|p, %1;}" : "=r"(e) : "r"(mask)); S(e)
}
__global__ void barriers(const int* in, int* out, int name, int count) {
    int v = in[threadIdx.x];
    int* o = out + threadIdx.x;
    __syncthreads(); S(__syncthreads_count(v > 3)) S(__syncthreads_and(v)) S(__syncthreads_or(v < 9))
    asm volatile("bar.sync 1;"); asm volatile("bar.sync 2, 64;"); asm volatile("bar.sync %0;" ::"r"(name)); asm volatile("bar.sync %0, %1;" ::"r"(name), "r"(count)); asm volatile("bar.sync 3, %0;" ::"r"(count)); asm volatile("bar.sync %0, 96;" ::"r"(name));
    asm volatile("bar.arrive 4, 64;"); asm volatile("bar.arrive %0, %1;" ::"r"(name), "r"(count)); asm volatile("bar.arrive 5, %0;" ::"r"(count)); asm volatile("barrier.sync 6;"); asm volatile("barrier.sync.aligned 7, 128;"); asm volatile("barrier.arrive %0, 64;" ::"r"(name)); asm volatile("barrier.sync %0, %1;" ::"r"(name), "r"(count));
    int r;
    asm volatile("{.reg .pred p, q; setp.gt.s32 p, %1, 3; bar.red.and.pred q, 1, 64, p; selp.s32 %0, 1, 0, q;}" : "=r"(r) : "r"(v)); S(r)
    asm volatile("{.reg .pred p, q; setp.gt.s32 p, %1, 3; barrier.red.or.pred q, %2, %3, !p; selp.s32 %0, 1, 0, q;}" : "=r"(r) : "r"(v), "r"(name), "r"(count)); S(r)
    asm volatile("{.reg .pred p; setp.gt.s32 p, %1, 3; bar.red.popc.u32 %0, 2, p;}" : "=r"(r) : "r"(v)); S(r)
    if (v > 3) { __syncthreads(); o[0] = 1; } else { __syncthreads(); o[0] = 2; }
}
__global__ void special(long long* out, int n) {
    long long* o = out + threadIdx.x;
    S(clock()) S(clock64()) unsigned long long g; unsigned x;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(g)); S(g) asm volatile("mov.u32 %0, %%globaltimer_lo;" : "=r"(x)); S(x)
#define R(name) asm volatile("mov.u32 %0, %%" name ";" : "=r"(x)); S(x)
    R("laneid") R("warpid") R("nwarpid") R("smid") R("nsmid") R("tid.x") R("tid.y") R("tid.z") R("ntid.x") R("ntid.y") R("ntid.z") R("ctaid.x") R("ctaid.y") R("ctaid.z") R("nctaid.x") R("nctaid.y") R("nctaid.z")
    R("lanemask_eq") R("lanemask_le") R("lanemask_lt") R("lanemask_ge") R("lanemask_gt") R("clock") R("clock_hi") R("pm0") R("pm1") R("dynamic_smem_size") R("total_smem_size")
    R("clusterid.x") R("clusterid.y") R("nclusterid.x") R("cluster_ctaid.x") R("cluster_ctaid.z") R("cluster_nctaid.x") R("cluster_ctarank") R("cluster_nctarank") R("envreg0") R("envreg3")
    asm volatile("mov.u64 %0, %%gridid;" : "=l"(g)); S(g) asm volatile("mov.u64 %0, %%clock64;" : "=l"(g)); S(g)
    __nanosleep(100); __nanosleep(n); if (n == 77) __trap(); if (n == 78) asm volatile("exit;"); if (n == 79) __brkpt(); asm volatile("pmevent 3;"); 
    asm volatile("griddepcontrol.wait;"); asm volatile("griddepcontrol.launch_dependents;");
}
__device__ __noinline__ int callee(int a, int* p) { if (a > 3) p[a] = a; return a * p[0] + 7; }
__device__ __noinline__ double callee_double(double a, int b) { for (int i = 0; i < b; ++i) a = a * a + b; return a / b; }
__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__device__ __noinline__ int ackermann(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)); }
using Function = int (*)(int, int*);
__device__ int f1(int a, int* p) { return a + p[1]; }
__device__ int f2(int a, int* p) { return a * p[2] + callee(a, p); }
__device__ Function functions[] = {f1, f2, callee};
__global__ void calls(int* p, int n, double* d) {
    int r = callee(p[threadIdx.x], p) + fibonacci(n) + ackermann(2, n);
    d[threadIdx.x] = callee_double(d[threadIdx.x], n);
    Function f = functions[p[threadIdx.x + 1] % 3];
    r += f(r, p) + functions[n](n, p);
    p[threadIdx.x] = r;
    printf("%d %f\n", r, d[0]);
    int* heap = (int*)malloc(n); if (heap) { heap[0] = r; free(heap); }
    extern __shared__ int dyn[]; int* generic = n > 3 ? dyn : p; generic[threadIdx.x] += 3; atomicAdd(generic + n, 2);
    volatile int stack[64]; for (int i = 0; i < n; ++i) stack[(i * 7) & 63] = r ^ i; p[n] = stack[r & 63]; char* frame = (char*)alloca(n * 8); for (int i = 0; i < n; ++i) frame[i] = (char)r; p[n + 1] = callee(frame[r & 7], (int*)frame);
}
template <int cases>
__global__ void switches(int* p, int n) {
    int v = p[threadIdx.x];
    switch (v) {
        case 0: v = v * 3 + n; break; case 1: v ^= n; break; case 2: v = __popc(n); break; case 3: p[9] = 4; break; case 4: v = n / 3; break; case 5: v -= p[5]; break; case 6: v <<= n; break; case 7: v = p[v + n]; break;
        case 8: p[v] = n; break; case 9: v = 0x1234; break; case 10: v = __clz(v); p[3] = 8; break; case 11: v = p[11] * p[12]; break; default: v = -1;
    }
    switch (n % cases) { case 0: p[20] = v; break; case 1: v = p[7] + 1; break; case 2: p[21] = v * v; __syncthreads(); break; case 3: v = __ffs(p[8]); break; case 4: p[22] = 3; break; case 5: v = 6; break; case 6: p[1] = n; break; }
    p[threadIdx.x] = v;
}
template __global__ void switches<7>(int*, int);
template __global__ void switches<5>(int*, int);
__global__ void divergence(const int* in, int* out, int n) {
    int v = in[threadIdx.x], s = 0;
    for (int i = 0; i < v; ++i) { if (i % 3 == n) continue; if (in[i] > 100) break; for (int j = v; j > i; j -= 2) { if (in[j] == i) goto done; s += in[j] * (j & 1 ? 3 : -2); if ((s & 7) == 3) { s ^= __shfl_xor_sync(__activemask(), s, 1); } } while (s > n) s = s / 2 - 1; }
done:
    if (v & 1) { if (v & 2) { out[1] = s; if (v & 4) { out[s] = 1; return; } s += 2; } else { s -= 5; out[2] += s; } __syncwarp(); } else if (v & 8) { do { s = in[s & 255]; } while (s != 0 && s < n); }
    out[threadIdx.x] = s;
}
__global__ void groups(int* p, int n) {
    auto block = cg::this_thread_block(); auto warp = cg::tiled_partition<32>(block); auto tile = cg::tiled_partition<8>(block); auto active = cg::coalesced_threads(); int v = p[threadIdx.x];
    v += cg::reduce(warp, v, cg::plus<int>()) + cg::reduce(tile, v, cg::greater<int>()) + tile.shfl_xor(v, 1) + tile.ballot(v > 3) + cg::inclusive_scan(warp, v) + (int)tile.match_any(v);
    if (v & 1) { auto g = cg::coalesced_threads(); if (g.thread_rank() == 0) atomicAdd(p + 5, (int)g.size()); v += g.shfl(v, 0); g.sync(); } auto parts = cg::labeled_partition(warp, v & 3); v += cg::reduce(parts, v, cg::plus<int>()); block.sync(); p[threadIdx.x] = v + active.size();
    auto grid = cg::this_grid(); grid.sync(); p[threadIdx.x + 64] = v * 2 + (int)grid.thread_rank(); }
__global__ void __cluster_dims__(2, 1, 1) clusters(int* p, int n) {
    __shared__ int tile[128]; auto cluster = cg::this_cluster(); tile[threadIdx.x] = p[threadIdx.x]; cluster.sync(); int* other = cluster.map_shared_rank(tile, cluster.block_rank() ^ 1); p[threadIdx.x] = other[threadIdx.x] + n; atomicAdd(other + n, 3); other[n + 2] = 9;
    asm volatile("barrier.cluster.arrive.release;"); asm volatile("barrier.cluster.wait.acquire;"); asm volatile("barrier.cluster.arrive.relaxed;"); asm volatile("barrier.cluster.wait;"); cluster.sync(); }
__global__ void copies(const int4* in, int* out, int n) {
    extern __shared__ int4 buffer[]; __shared__ uint64_t barrier; unsigned s = (unsigned)__cvta_generic_to_shared(buffer + threadIdx.x), b = (unsigned)__cvta_generic_to_shared(&barrier);
#define K(text) asm volatile(text ::"r"(s), "l"(in + threadIdx.x), "r"(n)); s += 512;
    K("cp.async.ca.shared.global [%0], [%1], 4;") K("cp.async.ca.shared.global [%0], [%1], 8;") K("cp.async.ca.shared.global [%0], [%1], 16;") K("cp.async.cg.shared.global [%0], [%1], 16;") K("cp.async.cg.shared.global.L2::128B [%0], [%1+64], 16;") K("cp.async.ca.shared.global.L2::256B [%0+128], [%1], 4;") K("cp.async.cg.shared.global [%0], [%1], 16, %2;") K("cp.async.ca.shared.global [%0], [%1], 8, 3;")
    asm volatile("cp.async.commit_group;"); asm volatile("cp.async.wait_group 2;"); asm volatile("cp.async.wait_group 0;"); asm volatile("cp.async.wait_all;"); asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(b)); asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(b));
    uint64_t state; int done; asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(b), "r"(n)); asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(b)); asm volatile("mbarrier.arrive.expect_tx.shared.b64 %0, [%1], %2;" : "=l"(state) : "r"(b), "r"(n)); asm volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], 3;" : "=l"(state) : "r"(b));
    asm volatile("{.reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.s32 %0, 1, 0, p;}" : "=r"(done) : "r"(b), "l"(state)); out[0] = done; asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.s32 %0, 1, 0, p;}" : "=r"(done) : "r"(b), "r"(n & 1)); out[1] = done; asm volatile("{.reg .pred p; mbarrier.try_wait.shared.b64 p, [%1], %2, %3; selp.s32 %0, 1, 0, p;}" : "=r"(done) : "r"(b), "l"(state), "r"(n)); out[2] = done; asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(b));
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(s), "l"(in), "r"(n), "r"(b)); asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out), "r"(s), "r"(n)); asm volatile("cp.async.bulk.commit_group;"); asm volatile("cp.async.bulk.wait_group 1;"); asm volatile("cp.async.bulk.wait_group.read 0;"); asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(in), "r"(n)); asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], %2;" ::"l"(out), "r"(s), "r"(n));
    out[3] = buffer[n].x; }
struct alignas(64) TensorMap { char bytes[128]; };
__global__ void tensor_maps(const __grid_constant__ TensorMap map, int x, int y, int* out) {
    extern __shared__ int4 buffer[]; __shared__ uint64_t barrier; unsigned s = (unsigned)__cvta_generic_to_shared(buffer), b = (unsigned)__cvta_generic_to_shared(&barrier);
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(s), "l"(&map), "r"(x), "r"(y), "r"(b)); asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %2}], [%4];" ::"r"(s), "l"(&map), "r"(x), "r"(y), "r"(b)); asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%1, {%2, %3}], [%0];" ::"r"(s), "l"(&map), "r"(x), "r"(y)); asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%1, {%2, %3}], [%0];" ::"r"(s), "l"(&map), "r"(x), "r"(y)); asm volatile("cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%0, {%1, %2}];" ::"l"(&map), "r"(x), "r"(y)); asm volatile("prefetch.tensormap [%0];" ::"l"(&map)); out[0] = buffer[x].x; }
