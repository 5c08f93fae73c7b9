#include <cstdio>
#include <cstdlib>
typedef unsigned u32;
struct Table { unsigned short at[32]; };
__device__ u32 sink;
#define K(name, text) __global__ void name(Table t, const int4* in) { __shared__ alignas(16) u32 s[8192]; u32 base = (u32)__cvta_generic_to_shared(s) + t.at[threadIdx.x], d[4] = {1, 2, 3, 4}; (void)d; text asm volatile("cp.async.wait_all;" ::: "memory"); if (d[0] == 77777) sink = d[1] ^ d[2] ^ d[3]; }
K(ldsm1, asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(d[0]) : "r"(base) : "memory");)
K(ldsm2, asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];" : "=r"(d[0]), "=r"(d[1]) : "r"(base) : "memory");)
K(ldsm4, asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]) : "r"(base) : "memory");)
K(ldsm4t, asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]) : "r"(base) : "memory");)
K(stsm1, asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%1], {%0};" :: "r"(d[0]), "r"(base) : "memory");)
K(stsm2, asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%2], {%0,%1};" :: "r"(d[0]), "r"(d[1]), "r"(base) : "memory");)
K(stsm4, asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%4], {%0,%1,%2,%3};" :: "r"(d[0]), "r"(d[1]), "r"(d[2]), "r"(d[3]), "r"(base) : "memory");)
K(stsm4t, asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%4], {%0,%1,%2,%3};" :: "r"(d[0]), "r"(d[1]), "r"(d[2]), "r"(d[3]), "r"(base) : "memory");)
K(copy16, asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(base), "l"(in + threadIdx.x) : "memory");)
K(copy8, asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" :: "r"(base), "l"((const long long*)in + threadIdx.x) : "memory");)
K(copy4, asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"(base), "l"((const int*)in + threadIdx.x) : "memory");)
int main() {
    int4* in; cudaMalloc(&in, 4096); srand(1);
    for (int p = 0; p < 16; ++p) { Table t; const int strides[8] = {0, 16, 32, 48, 64, 128, 144, 272};
        for (int i = 0; i < 32; ++i) t.at[i] = p < 8 ? strides[p] * i : p < 12 ? (rand() % 64) * 16 : (rand() % 1024) * 16;
        printf("%d:", p); for (int i = 0; i < 32; ++i) printf(" %d", t.at[i]); printf("\n");
        ldsm1<<<1, 32>>>(t, in); ldsm2<<<1, 32>>>(t, in); ldsm4<<<1, 32>>>(t, in); ldsm4t<<<1, 32>>>(t, in); stsm1<<<1, 32>>>(t, in); stsm2<<<1, 32>>>(t, in); stsm4<<<1, 32>>>(t, in); stsm4t<<<1, 32>>>(t, in); copy16<<<1, 32>>>(t, in); copy8<<<1, 32>>>(t, in); copy4<<<1, 32>>>(t, in); }
    return cudaDeviceSynchronize(); }
