// Loads of shared memory of one and of two wavefronts mixed, by warps of an SM: what does a trip take, and how many cycles is that a wavefront?
//   nvcc -std=c++17 -arch=sm_90 -cudart shared lds_mix.cu -o lds_mix && ./lds_mix > lds_mix.csv
// Columns: loads (of a trip), warps, cycles (of a trip of all warps), a_wavefront.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        if (const cudaError_t error = (call); error != cudaSuccess) {                                        \
            std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));                              \
            std::exit(1);                                                                                    \
        }                                                                                                    \
    } while (false)

constexpr int trips = 64, loads = 20;

__device__ float word(unsigned address, int offset) {
    float value;
    asm volatile("ld.volatile.shared.f32 %0, [%1];" : "=f"(value) : "r"(address + offset));
    return value;
}
__device__ float four(unsigned address, int offset) {
    float a, b, c, d;
    asm volatile("ld.volatile.shared.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "r"(address + offset));
    return a + b + c + d;
}
__device__ float two(unsigned address, int offset) {
    float a, b;
    asm volatile("ld.volatile.shared.v2.f32 {%0, %1}, [%2];" : "=f"(a), "=f"(b) : "r"(address + offset));
    return a + b;
}

/// l: a word a lane, all in banks of their own. q: 16 bytes, one address a half-warp. u: 16 bytes, one address. c: words, two in each of 16 banks.
/// d: eight bytes a lane. v: eight bytes, one address.
template <char kind>
__device__ float load(unsigned base, unsigned rows, unsigned row, unsigned pairs, int i) {
    if constexpr (kind == 'l') return word(rows, (i % 16) * 64);
    if constexpr (kind == 'q') return four(row, (i % 4) * 16);
    if constexpr (kind == 'u') return four(base, (i % 4) * 16);
    if constexpr (kind == 'c') return word(pairs, (i % 16) * 4);
    if constexpr (kind == 'd') return two(pairs, (i % 16) * 64);
    if constexpr (kind == 'v') return two(base, (i % 16) * 64);
    return 0;
}

/// `many` loads of the first kind, then one of the second, and so on.
template <char first, char second, int many>
__global__ void mix(long long* clocks, float* out) {
    extern __shared__ float shared[];
    const int lane = threadIdx.x % 32;
    for (int i = threadIdx.x; i < 2048; i += blockDim.x) shared[i] = 0;
    const auto base = static_cast<unsigned>(__cvta_generic_to_shared(shared));
    const unsigned rows = base + lane * 4, row = base + lane / 16 * 64 + threadIdx.x / 32 * 128, pairs = base + lane * 8;
    __syncthreads();
    float sum = 0;
    const long long begin = clock64();
    for (int trip = 0; trip < trips; ++trip) {
        float part[4] = {};
#pragma unroll
        for (int i = 0; i < loads; ++i) {
            const bool other = many != 0 && i % (many + 1) == many;
            part[i % 4] += other ? load<second>(base, rows, row, pairs, i) : load<first>(base, rows, row, pairs, i);
        }
        sum += (part[0] + part[1]) + (part[2] + part[3]);
    }
    const long long end = clock64();
    if (lane == 0) {
        clocks[threadIdx.x / 32 * 2] = begin;
        clocks[threadIdx.x / 32 * 2 + 1] = end;
    }
    if (sum != 0) out[0] = sum;
}

constexpr int wavefronts_of(char kind) { return kind == 'l' || kind == 'v' ? 1 : 2; }

template <char first, char second, int many>
void measure(long long* clocks, float* out) {
    for (const int warps : {4, 8, 12, 16, 24, 32}) {
        std::vector<long long> found(warps * 2);
        for (int repetition = 0; repetition < 2; ++repetition) {
            mix<first, second, many><<<1, warps * 32, 8192>>>(clocks, out);
            CHECK(cudaDeviceSynchronize());
        }
        CHECK(cudaMemcpy(found.data(), clocks, found.size() * sizeof(long long), cudaMemcpyDeviceToHost));
        long long begin = found[0], end = found[1];
        for (int w = 0; w < warps; ++w) {
            begin = std::min(begin, found[w * 2]);
            end = std::max(end, found[w * 2 + 1]);
        }
        int wavefronts = 0;
        for (int i = 0; i < loads; ++i) wavefronts += wavefronts_of(many != 0 && i % (many + 1) == many ? second : first);
        const double trip = static_cast<double>(end - begin) / trips;
        std::printf("%c%d%c,%d,%.1f,%.3f\n", first, many, many != 0 ? second : '-', warps, trip, trip / warps / wavefronts);
    }
}

int main() {
    long long* clocks;
    float* out;
    CHECK(cudaMalloc(&clocks, 64 * sizeof(long long)));
    CHECK(cudaMalloc(&out, 4));
    std::printf("loads,warps,cycles,a_wavefront\n");
    measure<'l', 'l', 0>(clocks, out);
    measure<'q', 'q', 0>(clocks, out);
    measure<'u', 'u', 0>(clocks, out);
    measure<'c', 'c', 0>(clocks, out);
    measure<'d', 'd', 0>(clocks, out);
    measure<'v', 'v', 0>(clocks, out);
    measure<'l', 'q', 4>(clocks, out);
    measure<'l', 'q', 1>(clocks, out);
    measure<'q', 'l', 3>(clocks, out);
    measure<'l', 'u', 4>(clocks, out);
    measure<'l', 'c', 4>(clocks, out);
    measure<'l', 'c', 1>(clocks, out);
    measure<'l', 'd', 4>(clocks, out);
    measure<'l', 'd', 1>(clocks, out);
    measure<'l', 'v', 1>(clocks, out);
}
