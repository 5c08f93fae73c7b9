// Two kinds of arithmetic in different warps of one SM: what do instructions of one pipe leave of the issue slots for another's? Of 32 warps the even
// ones run the first kind, the odd ones the second, eight independent instructions at a time; the second runs four times as many rounds as it needs alone
// for as long as the first.
//   nvcc -std=c++17 -arch=sm_90 -cudart shared issue_beside.cu -o issue_beside && ./issue_beside > issue_beside.csv
// Columns: kinds, cycles of the first alone, of the second alone, of the first beside the second, of all; issue slots of the SM (one a cycle and
// sub-core is 1) that the first and the second take while both run.
#include <cstdio>

enum Kind { k_ffma, k_dfma, k_mufu, k_imad, k_lop3 };

template <int kind>
__device__ float work(int rounds, float seed) {
    if constexpr (kind == k_ffma) {
        float v[8];
        for (int i = 0; i < 8; ++i) v[i] = seed + static_cast<float>(i);
#pragma unroll 8
        for (int r = 0; r < rounds; ++r)
            for (float& x : v) x = fmaf(x, 1.0001f, 0.5f);
        return v[0] + v[1] + v[2] + v[3] + v[4] + v[5] + v[6] + v[7];
    } else if constexpr (kind == k_dfma) {
        double v[8];
        for (int i = 0; i < 8; ++i) v[i] = seed + static_cast<double>(i);
#pragma unroll 8
        for (int r = 0; r < rounds; ++r)
            for (double& x : v) x = fma(x, 1.0001, 0.5);
        return static_cast<float>(v[0] + v[1] + v[2] + v[3] + v[4] + v[5] + v[6] + v[7]);
    } else if constexpr (kind == k_mufu) {
        float v[8];
        for (int i = 0; i < 8; ++i) v[i] = seed + static_cast<float>(i);
#pragma unroll 8
        for (int r = 0; r < rounds; ++r)
            for (float& x : v) asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x));
        return v[0] + v[1] + v[2] + v[3] + v[4] + v[5] + v[6] + v[7];
    } else {
        int v[8];
        for (int i = 0; i < 8; ++i) v[i] = static_cast<int>(seed) + i;
#pragma unroll 8
        for (int r = 0; r < rounds; ++r)
            for (int& x : v) {
                if constexpr (kind == k_imad) asm volatile("mad.lo.s32 %0, %0, %1, 3;" : "+r"(x) : "r"(rounds));
                if constexpr (kind == k_lop3) asm volatile("lop3.b32 %0, %0, %1, 3, 0x96;" : "+r"(x) : "r"(rounds));
            }
        return static_cast<float>(v[0] ^ v[1] ^ v[2] ^ v[3] ^ v[4] ^ v[5] ^ v[6] ^ v[7]);
    }
}

template <int first, int second>
__global__ void beside(float* out, long long* cycles, int rounds_first, int rounds_second) {
    __shared__ long long ends[32];
    const int warp = static_cast<int>(threadIdx.x / 32);
    __syncthreads();
    const long long begin = clock64();
    float value = 0;
    if (warp / 4 % 2 == 0) {
        if (rounds_first > 0) value = work<first>(rounds_first, static_cast<float>(threadIdx.x));
    } else if (rounds_second > 0)
        value = work<second>(rounds_second, static_cast<float>(threadIdx.x));
    if (value == 12345.678f) out[threadIdx.x] = value;
    if (threadIdx.x % 32 == 0) ends[warp] = clock64() - begin;
    __syncthreads();
    if (threadIdx.x == 0) {
        cycles[0] = cycles[1] = 0;
        for (int i = 0; i < 32; ++i) {
            const int which = i / 4 % 2;
            if (ends[i] > cycles[which]) cycles[which] = ends[i];
        }
    }
}

template <int first, int second>
void measure(const char* name, int rounds_first, int rounds_second, float* out, long long* cycles) {
    long long alone[2], other[2], both[2];
    for (int repetition = 0; repetition < 2; ++repetition) {
        beside<first, second><<<1, 1024>>>(out, cycles, rounds_first, 0);
        cudaMemcpy(alone, cycles, sizeof alone, cudaMemcpyDeviceToHost);
        beside<first, second><<<1, 1024>>>(out, cycles, 0, rounds_second);
        cudaMemcpy(other, cycles, sizeof other, cudaMemcpyDeviceToHost);
        beside<first, second><<<1, 1024>>>(out, cycles, rounds_first, rounds_second);
        cudaMemcpy(both, cycles, sizeof both, cudaMemcpyDeviceToHost);
    }
    // What the second did while the first ran: what it had left then went on as it does alone.
    const double left = static_cast<double>(both[1] - both[0]) / static_cast<double>(other[1]);
    const double slots_first = 4.0 * 8 * rounds_first / static_cast<double>(both[0]);
    const double slots_second = 4.0 * 8 * rounds_second * (1 - left) / static_cast<double>(both[0]);
    std::printf("%s,%lld,%lld,%lld,%lld,%.3f,%.3f\n", name, alone[0], other[1], both[0], both[1], slots_first, slots_second);
}

int main() {
    float* out;
    long long* cycles;
    cudaMalloc(&out, 4096);
    cudaMalloc(&cycles, 64);
    std::printf("kinds,first_alone,second_alone,first_beside,all,first_slots,second_slots\n");
    measure<k_ffma, k_ffma>("ffma ffma", 1024, 4096, out, cycles);
    measure<k_ffma, k_dfma>("ffma dfma", 1024, 2048, out, cycles);
    measure<k_dfma, k_ffma>("dfma ffma", 512, 4096, out, cycles);
    measure<k_ffma, k_mufu>("ffma mufu", 1024, 512, out, cycles);
    measure<k_mufu, k_ffma>("mufu ffma", 128, 4096, out, cycles);
    measure<k_imad, k_dfma>("imad dfma", 512, 2048, out, cycles);
    measure<k_dfma, k_imad>("dfma imad", 512, 2048, out, cycles);
    measure<k_lop3, k_dfma>("lop3 dfma", 512, 2048, out, cycles);
    measure<k_dfma, k_lop3>("dfma lop3", 512, 2048, out, cycles);
    measure<k_lop3, k_ffma>("lop3 ffma", 512, 4096, out, cycles);
    measure<k_mufu, k_dfma>("mufu dfma", 128, 2048, out, cycles);
    measure<k_mufu, k_lop3>("mufu lop3", 128, 2048, out, cycles);
    measure<k_imad, k_lop3>("imad lop3", 512, 2048, out, cycles);
    return 0;
}
