// What divisions and roots cost: chains in which each waits for the one before, as in recurrences.
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o division division.cu && ./division > division.csv
// A row: kind, warps of the block, cycles an operation of warp 0, second of two passes.
#include <cstdio>
__device__ __forceinline__ unsigned clock_now() {
    unsigned now;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(now)::"memory");
    return now;
}
enum class Kind { divide, sturm, loaded, loaded_sturm, root, exp, log, sine, divide64, root64, integer, integer64, modulo };
constexpr int trips = 64;
template <Kind kind>
__global__ void chain(unsigned* spent, float* out, const float* __restrict__ in, float a, float b, unsigned n) {
    float x = a + static_cast<float>(threadIdx.x & 3), y = b;
    double p = x, q = b;
    unsigned u = n + threadIdx.x, count = 0;
    unsigned long long w = u * 12345678901ULL;
    unsigned cycles = 0;
    for (int pass = 0; pass < 2; ++pass) {
        __syncthreads();
        const unsigned begin = clock_now();
#pragma unroll 1
        for (int i = 0; i < trips; ++i) {
            if (kind == Kind::divide) x = y / x + 1.0f;
            if (kind == Kind::sturm) { x = (y - b) - a / x; count += x < 0.0f; }
            if (kind == Kind::loaded) x = in[i + 1] / x + 1.0f;
            if (kind == Kind::loaded_sturm) { x = (in[i + 1] - y) - in[256 + i] * in[256 + i] / x; count += x < 0.0f; }
            if (kind == Kind::root) x = sqrtf(x) + y;
            if (kind == Kind::exp) x = expf(-x) + y;
            if (kind == Kind::log) x = logf(x) + 3.0f;
            if (kind == Kind::sine) x = sinf(x) + y;
            if (kind == Kind::divide64) p = q / p + 1.0;
            if (kind == Kind::root64) p = sqrt(p) + q;
            if (kind == Kind::integer) u = 0xffffffffu / (u | 1) + n;
            if (kind == Kind::integer64) w = ~0ULL / (w | 1) + n;
            if (kind == Kind::modulo) u = (u * 1664525u + 1013904223u) % (n + 1000003u);
        }
        cycles = clock_now() - begin;
    }
    if (threadIdx.x == 0) spent[0] = cycles;
    if (x == 1234.5f || p == 1234.5 || u == 77777 || w == 77777 || count == 7777) out[threadIdx.x] = x;
}
int main() {
    unsigned* spent;
    float* data;
    cudaMallocManaged(&spent, 64);
    cudaMallocManaged(&data, 4096);
    for (int i = 0; i < 1024; ++i) data[i] = 1.0f + static_cast<float>(i % 7);
    const auto run = [&](void (*kernel)(unsigned*, float*, const float*, float, float, unsigned), const char* name) {
        for (unsigned warps : {1u, 4u, 8u, 16u, 32u}) {
            kernel<<<1, 32 * warps>>>(spent, data + 512, data, 1.5f, 2.25f, 12345);
            cudaDeviceSynchronize();
            std::printf("%s,%u,%.2f\n", name, warps, static_cast<double>(spent[0]) / trips);
        }
    };
    run(chain<Kind::divide>, "divide");
    run(chain<Kind::sturm>, "sturm");
    run(chain<Kind::loaded>, "loaded");
    run(chain<Kind::loaded_sturm>, "loaded_sturm");
    run(chain<Kind::root>, "root");
    run(chain<Kind::exp>, "exp");
    run(chain<Kind::log>, "log");
    run(chain<Kind::sine>, "sine");
    run(chain<Kind::divide64>, "divide64");
    run(chain<Kind::root64>, "root64");
    run(chain<Kind::integer>, "integer");
    run(chain<Kind::integer64>, "integer64");
    run(chain<Kind::modulo>, "modulo");
}
