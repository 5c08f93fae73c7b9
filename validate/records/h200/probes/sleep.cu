// When a NANOSLEEP ends. Prints, for an H200 or under `sassafras exec`:
//   timer     what GLOBALTIMER (ns) and the clock show, read again and again
//   phase     GLOBALTIMER behind a sleep, modulo the power of two above the sleep's length; in brackets the cycles slept
//   length    cycles slept, of many sleeps one behind the other: least, quartiles, greatest, mean
//   stairs    a sleep that begins so many cycles behind the end of one of 1000 ns > when it has ended
// nvcc -O3 -arch=sm_90 -cudart shared
#include <algorithm>
#include <cstdio>

#include <cuda_runtime.h>

__device__ __forceinline__ long long global_timer() {
    long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

__global__ void timer(long long* out, int times) {
    for (int i = 0; i < times; ++i) {
        out[2 * i] = global_timer();
        out[2 * i + 1] = clock64();
    }
}

__global__ void phase(long long* out, int nanoseconds, int times) {
    for (int i = 0; i < times; ++i) {
        const long long begin = clock64();
        __nanosleep(nanoseconds);
        out[2 * i] = global_timer();
        out[2 * i + 1] = clock64() - begin;
    }
}

__global__ void length(long long* out, int nanoseconds, int times) {
    for (int i = 0; i < times; ++i) {
        const long long begin = clock64();
        __nanosleep(nanoseconds);
        out[i] = clock64() - begin;
    }
}

__global__ void stairs(long long* out, int nanoseconds, int times, int step) {
    for (int i = 0; i < times; ++i) {
        __nanosleep(1000);
        const long long woken = clock64();
        while (clock64() < woken + 20 + i * step) {}
        const long long begin = clock64();
        __nanosleep(nanoseconds);
        const long long end = clock64();
        out[2 * i] = begin - woken;
        out[2 * i + 1] = end - woken;
    }
}

int main() {
    long long* out;
    cudaMallocManaged(&out, 1 << 20);
    length<<<1, 32>>>(out, 1000, 1000);  // the clock comes up
    cudaDeviceSynchronize();

    timer<<<1, 1>>>(out, 400);
    cudaDeviceSynchronize();
    std::printf("timer:");
    for (int i = 100; i < 130; ++i) std::printf(" %lld@%lld", out[2 * i] - out[200], out[2 * i + 1] - out[201]);
    for (int nanoseconds : {0, 31, 32, 64, 100, 200, 400, 1000, 10000, 100000, 1000000}) {
        long long above = 32;
        while (above <= nanoseconds) above *= 2;
        phase<<<1, 1>>>(out, nanoseconds, 12);
        cudaDeviceSynchronize();
        std::printf("\nphase of %d ns modulo %lld:", nanoseconds, above);
        for (int i = 0; i < 12; ++i) std::printf(" %lld(%lld)", out[2 * i] % above, out[2 * i + 1]);
    }
    std::puts("");
    for (int nanoseconds : {0,   20,  31,  32,   50,   63,   64,   100,  127,  128,   200,   255,   256,   400,    511,    512,
                            700, 999, 1024, 2000, 2048, 4000, 5000, 8000, 8192, 10000, 20000, 50000, 100000, 500000, 1000000}) {
        const int times = nanoseconds > 20000 ? 40 : 400;
        length<<<1, 32>>>(out, nanoseconds, times);
        cudaDeviceSynchronize();
        std::sort(out, out + times);
        double sum = 0;
        for (int i = 0; i < times; ++i) sum += static_cast<double>(out[i]);
        std::printf("length of %d ns: %lld %lld %lld %lld %lld, %.1f\n", nanoseconds, out[0], out[times / 4],
                    out[times / 2], out[3 * times / 4], out[times - 1], sum / times);
    }
    for (int nanoseconds : {0, 31, 32, 63, 64, 127, 128, 255, 256}) {
        const int times = 200;
        const int step = nanoseconds < 64 ? 2 : nanoseconds < 256 ? 5 : 9;
        stairs<<<1, 1>>>(out, nanoseconds, times, step);
        cudaDeviceSynchronize();
        std::printf("stairs of %d ns:", nanoseconds);
        for (int i = 0; i < times; i += 2) std::printf(" %lld>%lld", out[2 * i], out[2 * i + 1]);
        std::puts("");
    }
    std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
