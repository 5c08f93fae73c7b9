// What an update of global memory costs by its type: all SMs, 8 blocks of 256 threads each, `rounds` updates a thread, without result (RED) and with (ATOM).
// Places: one word for all; a word a lane of one line ("line"); of each warp a line of its own ("own"). Least of five, in SM cycles.
//   nvcc -std=c++17 -arch=sm_90 -cudart shared reduction_types.cu -o reduction_types && ./reduction_types > reduction_types.csv
// Columns: type, result, place, cycles (of the launch, by clock64 of the first and globaltimer at 1980 MHz), cycles_a_lane (by all SMs together)
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include <cuda_fp16.h>

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        if (const cudaError_t error = (call); error != cudaSuccess) {                                        \
            std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));                              \
            std::exit(1);                                                                                    \
        }                                                                                                    \
    } while (false)

enum Place { one, line, own };
enum Operation { add, most, swap };

template <class T, Operation operation, bool result>
__global__ void update(T* words, T* out, int rounds, int a_lane, int a_warp) {
    const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    T* const word = words + threadIdx.x % 32 * a_lane + warp * a_warp;
    T sum{};
    T value;
    if constexpr (std::is_same_v<T, __half2>) value = __float2half2_rn(static_cast<float>(threadIdx.x % 7));
    else value = static_cast<T>(threadIdx.x % 7);
    for (int i = 0; i < rounds; ++i) {
        T old{};
        if constexpr (operation == add) old = atomicAdd(word, value);
        if constexpr (operation == most) old = atomicMax(word, value);
        if constexpr (operation == swap) old = atomicExch(word, value);
        if constexpr (result) sum = old;
    }
    if constexpr (result) out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

template <class T, Operation operation, bool result>
void measure(const char* name, void* words, void* out, int sms) {
    const struct { const char* name; int a_lane, a_warp; } places[] = {{"one", 0, 0}, {"line", 1, 0}, {"own", 1, 32}};
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    for (const auto& place : places) {
        const int rounds = 16;
        float least = 1e9f;
        for (int repetition = 0; repetition < 6; ++repetition) {
            CHECK(cudaEventRecord(begin));
            update<T, operation, result><<<sms, 256>>>(static_cast<T*>(words), static_cast<T*>(out), rounds, place.a_lane, place.a_warp);
            CHECK(cudaEventRecord(end));
            CHECK(cudaDeviceSynchronize());
            float milliseconds = 0;
            CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
            if (repetition > 0) least = std::min(least, milliseconds);
        }
        const double cycles = least * 1.98e6;
        std::printf("%s,%s,%s,%.0f,%.3f\n", name, result ? "yes" : "no", place.name, cycles, cycles / (256.0 * sms * rounds));
    }
}

int main() {
    int sms = 0;
    CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    void *words, *out;
    CHECK(cudaMalloc(&words, 64 << 20));
    CHECK(cudaMalloc(&out, 64 << 20));
    CHECK(cudaMemset(words, 0, 64 << 20));
    std::printf("type,result,place,cycles,cycles_a_lane\n");
    measure<unsigned, add, false>("u32 add", words, out, sms);
    measure<float, add, false>("f32 add", words, out, sms);
    measure<double, add, false>("f64 add", words, out, sms);
    measure<unsigned long long, add, false>("u64 add", words, out, sms);
    measure<__half2, add, false>("f16x2 add", words, out, sms);
    measure<unsigned, most, false>("u32 max", words, out, sms);
    measure<unsigned, add, true>("u32 add", words, out, sms);
    measure<float, add, true>("f32 add", words, out, sms);
    measure<double, add, true>("f64 add", words, out, sms);
    measure<unsigned, swap, true>("u32 exchange", words, out, sms);
    return 0;
}
