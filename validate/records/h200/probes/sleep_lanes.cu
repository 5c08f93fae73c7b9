// Which lanes a NANOSLEEP stops, and whose length counts. Stamps are cycles behind a tick of 2^20 ns.
#include <cstdio>
#include <tuple>
__device__ __forceinline__ void align() {
    __nanosleep(1000000);
    __syncwarp();
}
__global__ void halves(long long* o, int a, int b, int n) {  // lower half sleeps a once, upper sleeps b n times
    align();
    const long long t = clock64();
    const int l = threadIdx.x;
    if (l < 16) {
        __nanosleep(a);
        o[l] = clock64() - t;
    } else {
        for (int i = 0; i < n; ++i) {
            __nanosleep(b);
            if (l == 16) o[32 + i] = clock64() - t;
        }
        o[l] = clock64() - t;
    }
    __syncwarp();
    o[64 + l] = clock64() - t;
}
__global__ void busy(long long* o, int a, int first) {  // one half sleeps, the other works
    align();
    const long long t = clock64();
    const int l = threadIdx.x;
    if ((l < 16) == (first != 0)) {
        __nanosleep(a);
        o[l] = clock64() - t;
    } else {
        unsigned x = l;
        for (int i = 0; i < 20; ++i) {
            for (int k = 0; k < 50; ++k) asm volatile("mad.lo.u32 %0, %0, %0, %0;" : "+r"(x));
            if ((l & 15) == 0) o[32 + i] = clock64() - t;
        }
        o[l] = clock64() - t + (x == 77);
    }
    __syncwarp();
    o[64 + l] = clock64() - t;
}
__global__ void lengths(long long* o, const int* ns) {
    const int mine = ns[threadIdx.x];
    align();
    const long long t = clock64();
    __nanosleep(mine);
    o[threadIdx.x] = clock64() - t;
}
__global__ void guarded(long long* o, int ns) {
    align();
    const long long t = clock64();
    const int l = threadIdx.x;
    if (l == 5) __nanosleep(ns);
    o[l] = clock64() - t;
    __syncwarp();
    o[64 + l] = clock64() - t;
}
int main() {
    long long* o;
    int* ns;
    cudaMallocManaged(&o, 4096);
    cudaMallocManaged(&ns, 128);
    auto show = [&](const char* what, int from, int n) {
        printf("%s:", what);
        for (int i = 0; i < n; ++i) printf(" %lld", o[from + i]);
        puts("");
    };
    for (int rep = 0; rep < 2; ++rep) {
        for (auto [a, b, n] : {std::tuple<int, int, int>{1000000, 1000000, 1},
                               {100000, 1000, 8},
                               {1000, 100000, 2},
                               {10000, 10000, 3},
                               {20, 100000, 1},
                               {100000, 20, 20}}) {
            for (int i = 0; i < 128; ++i) o[i] = 0;
            halves<<<1, 32>>>(o, a, b, n);
            cudaError_t e = cudaDeviceSynchronize();
            printf("halves %d | %d x %d %s: lower %lld upper %lld all %lld;", a, b, n, cudaGetErrorName(e), o[0], o[31],
                   o[64]);
            show(" upper's stamps", 32, n);
        }
        for (int first : {0, 1})
            for (int a : {1000, 100000}) {
                for (int i = 0; i < 128; ++i) o[i] = 0;
                busy<<<1, 32>>>(o, a, first);
                cudaDeviceSynchronize();
                printf("busy %d first %d: lower %lld upper %lld all %lld;", a, first, o[0], o[31], o[64]);
                show(" stamps", 32, 20);
            }
        for (int v = 0; v < 8; ++v) {
            for (int l = 0; l < 32; ++l)
                ns[l] = v == 0   ? 1 << (l % 20)
                        : v == 1 ? 1 << ((31 - l) % 20)
                        : v == 2 ? (l == 31 ? 100000 : 100)
                        : v == 3 ? (l == 0 ? 100000 : 100)
                        : v == 4 ? (l == 7 ? 100000 : 100)
                        : v == 5 ? (l == 0 ? 100 : 100000)
                        : v == 6 ? (l == 31 ? 100 : 100000)
                                 : (l % 2 ? 1000 : 100000);
            lengths<<<1, 32>>>(o, ns);
            cudaDeviceSynchronize();
            printf("lengths %d;", v);
            show(" slept", 0, 32);
        }
        guarded<<<1, 32>>>(o, 100000);
        cudaDeviceSynchronize();
        printf("guarded: lane 4 %lld lane 5 %lld after %lld\n", o[4], o[5], o[64]);
    }
}
