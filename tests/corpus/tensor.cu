// Matrix fragments and warp-level matrix multiply in every shape and type of sm_90.
#include <cuda_fp16.h>
#include <mma.h>
#include <cstdint>
using namespace nvcuda;

__global__ void fragments(int* out, const int* in, int n) {
    extern __shared__ int tile[];
    tile[threadIdx.x] = in[threadIdx.x]; __syncthreads();
    unsigned s = (unsigned)__cvta_generic_to_shared(tile + threadIdx.x * 4), a, b, c, d; int* o = out + threadIdx.x;
#define OUT *o = a ^ b ^ c ^ d; o += 32; s += 4 * n;
    a = b = c = d = n;
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(a) : "r"(s)); OUT
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2+64];" : "=r"(a), "=r"(b) : "r"(s)); OUT
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(s)); OUT
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(a) : "r"(s)); OUT
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(s)); OUT
    asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(s), "r"(a)); asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0+32], {%1,%2};" ::"r"(s), "r"(a), "r"(b)); asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1,%2,%3,%4};" ::"r"(s), "r"(a), "r"(b), "r"(c), "r"(d));
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(a) : "r"(b)); OUT
}
__global__ void multiply(const int* in, int* out) {
    int a0 = in[0 + threadIdx.x], a1 = in[1 + threadIdx.x], a2 = in[2 + threadIdx.x], a3 = in[3 + threadIdx.x], b0 = in[4 + threadIdx.x], b1 = in[5 + threadIdx.x], c0 = in[6 + threadIdx.x], c1 = in[7 + threadIdx.x], c2 = in[8 + threadIdx.x], c3 = in[9 + threadIdx.x]; int* o = out + threadIdx.x;
#define M442(op) asm volatile("mma.sync.aligned." op " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};" : "=r"(c0), "=r"(c1), "=r"(c2), "=r"(c3) : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1), "r"(c0), "r"(c1), "r"(c2), "r"(c3)); *o = c0 ^ c1 ^ c2 ^ c3; o += 32;
#define M421(op) asm volatile("mma.sync.aligned." op " {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10};" : "=r"(c0), "=r"(c1), "=r"(c2), "=r"(c3) : "r"(a0), "r"(a1), "r"(b0), "r"(c0), "r"(c1), "r"(c2), "r"(c3)); *o = c0 ^ c1 ^ c2 ^ c3; o += 32;
#define M242(op) asm volatile("mma.sync.aligned." op " {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%8,%9};" : "=r"(c0), "=r"(c1) : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1), "r"(c0), "r"(c1)); *o = c0 ^ c1; o += 32;
#define M221(op) asm volatile("mma.sync.aligned." op " {%0,%1}, {%2,%3}, {%4}, {%5,%6};" : "=r"(c0), "=r"(c1) : "r"(a0), "r"(a1), "r"(b0), "r"(c0), "r"(c1)); *o = c0 ^ c1; o += 32;
#define M211(op) asm volatile("mma.sync.aligned." op " {%0,%1}, {%2}, {%3}, {%4,%5};" : "=r"(c0), "=r"(c1) : "r"(a0), "r"(b0), "r"(c0), "r"(c1)); *o = c0 ^ c1; o += 32;
    M242("m16n8k16.row.col.f16.f16.f16.f16") M221("m16n8k8.row.col.f16.f16.f16.f16") M211("m8n8k16.row.col.s32.s8.s8.s32") M211("m8n8k16.row.col.s32.u8.s8.s32") M211("m8n8k16.row.col.satfinite.s32.u8.u8.s32") M211("m8n8k32.row.col.s32.s4.s4.s32") M211("m8n8k32.row.col.s32.u4.s4.s32")
    M421("m16n8k16.row.col.s32.s8.s8.s32") M421("m16n8k16.row.col.s32.u8.u8.s32") M442("m16n8k32.row.col.s32.s8.s8.s32") M442("m16n8k32.row.col.satfinite.s32.u8.s8.s32") M442("m16n8k64.row.col.s32.s4.u4.s32") M421("m16n8k32.row.col.s32.s4.s4.s32")
    M442("m16n8k256.row.col.s32.b1.b1.s32.and.popc") M421("m16n8k128.row.col.s32.b1.b1.s32.xor.popc") M211("m8n8k128.row.col.s32.b1.b1.s32.xor.popc")
}
__global__ void multiply_f32(const int* in, const float* fin, float* out) {
    int a0 = in[0 + threadIdx.x], a1 = in[1 + threadIdx.x], a2 = in[2 + threadIdx.x], a3 = in[3 + threadIdx.x], b0 = in[4 + threadIdx.x], b1 = in[5 + threadIdx.x]; float c0 = fin[6 + threadIdx.x], c1 = fin[7 + threadIdx.x], c2 = fin[8 + threadIdx.x], c3 = fin[9 + threadIdx.x]; float* o = out + threadIdx.x;
#undef M442
#undef M421
#define M442(op) asm volatile("mma.sync.aligned." op " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};" : "=f"(c0), "=f"(c1), "=f"(c2), "=f"(c3) : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1), "f"(c0), "f"(c1), "f"(c2), "f"(c3)); *o = c0 + c1 + c2 + c3; o += 32;
#define M421(op) asm volatile("mma.sync.aligned." op " {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10};" : "=f"(c0), "=f"(c1), "=f"(c2), "=f"(c3) : "r"(a0), "r"(a1), "r"(b0), "f"(c0), "f"(c1), "f"(c2), "f"(c3)); *o = c0 + c1 + c2 + c3; o += 32;
    M442("m16n8k16.row.col.f32.f16.f16.f32") M421("m16n8k8.row.col.f32.f16.f16.f32") M442("m16n8k16.row.col.f32.bf16.bf16.f32") M421("m16n8k8.row.col.f32.bf16.bf16.f32") M442("m16n8k8.row.col.f32.tf32.tf32.f32") M421("m16n8k4.row.col.f32.tf32.tf32.f32")
    M442("m16n8k32.row.col.f32.e4m3.e5m2.f32")
#define SP(op) asm volatile("mma.sp" op " {%0,%1,%2,%3}, {%4,%5}, {%6,%7}, {%8,%9,%10,%11}, %12, 0x1;" : "=f"(c0), "=f"(c1), "=f"(c2), "=f"(c3) : "r"(a0), "r"(a1), "r"(b0), "r"(b1), "f"(c0), "f"(c1), "f"(c2), "f"(c3), "r"(a2)); *o = c0 + c1 + c2 + c3; o += 32;
    SP("::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")
}
__global__ void multiply_f64(const double* in, double* out) {
    double a = in[threadIdx.x], b = in[threadIdx.x + 32], c = in[threadIdx.x + 64], d = in[threadIdx.x + 96];
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};" : "+d"(c), "+d"(d) : "d"(a), "d"(b)); out[threadIdx.x] = c + d;
    double e = a * 2, f = b * 3;
    asm volatile("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};" : "+d"(c), "+d"(d), "+d"(e), "+d"(f) : "d"(a), "d"(b), "d"(in[5])); out[threadIdx.x + 32] = c + d + e + f;
}
template <class A, class C>
__global__ void wmma_kernel(const A* a, const A* b, C* c, int n) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, A, wmma::row_major> fa; wmma::fragment<wmma::matrix_b, 16, 16, 16, A, wmma::col_major> fb; wmma::fragment<wmma::accumulator, 16, 16, 16, C> fc;
    wmma::fill_fragment(fc, C(0)); for (int i = 0; i < n; ++i) { wmma::load_matrix_sync(fa, a + i * 16, n * 16); wmma::load_matrix_sync(fb, b + i * 16, n * 16); wmma::mma_sync(fc, fa, fb, fc); } wmma::store_matrix_sync(c, fc, n * 16, wmma::mem_row_major); }
template __global__ void wmma_kernel<__half, float>(const __half*, const __half*, float*, int);
template __global__ void wmma_kernel<__half, __half>(const __half*, const __half*, __half*, int);
template __global__ void wmma_kernel<signed char, int>(const signed char*, const signed char*, int*, int);
