// What a launch waits for at its beginning, by what ran between two launches of the same kernel: the kernel itself reading MB of memory, another
// small kernel, other kernels reading, sets, copies.
//
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o code_before code_before.cu
//   ./code_before                  prints the order of the launches of `k_of`: what ran before, repetition
//   ncu --cache-control all --clock-control none --csv --page raw --kernel-name regex:k_of --metrics sm__cycles_elapsed.max,gpu__time_duration.sum ./code_before
// `k_of` is launched with 0 words but where it reads itself (`own`), which is a launch of its own in that list.
#include <cstdio>
#include <cstring>

__device__ __forceinline__ void read_words(const uint4* from, std::size_t count, unsigned* never) {
    unsigned sum = 0;
    for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < count; i += std::size_t{gridDim.x} * blockDim.x) {
        const uint4 v = from[i];
        sum += v.x + v.y + v.z + v.w;
    }
    if (sum == 1) *never = sum;
}
extern "C" __global__ void k_of(const uint4* from, std::size_t count, unsigned* never) { read_words(from, count, never); }
extern "C" __global__ void k_of_nothing() {}
extern "C" __global__ void other_nothing() {}
extern "C" __global__ void other_reads(const uint4* from, std::size_t count, unsigned* never) { read_words(from, count, never + 1); }
/// 256 KiB of code, all executed.
template <int doublings>
__device__ __forceinline__ float much(float x, float by) {
    if constexpr (doublings == 0) return x * by + 1.0F;
    else return much<doublings - 1>(much<doublings - 1>(x, by), by);
}
extern "C" __global__ void other_long(float* to, float by) {
    const float x = much<14>(by, by);
    if (x == 77) *to = x;
}

int main() {
    constexpr std::size_t most = 100'000'000 / 16 * 16;
    constexpr unsigned blocks = 132, threads = 128;
    uint4* buffer;
    unsigned* to;
    cudaMalloc(&buffer, most);
    cudaMalloc(&to, 4 << 20);
    cudaMemset(buffer, 0, most);
    cudaMemset(to, 0, 4 << 20);
    unsigned host[32];
    const char* befores[] = {"nothing",    "own_0",       "own_1",       "own_10",       "own_30",  "own_100", "other_0",  "other_1",
                             "other_10",   "other_100",   "other_none",  "other_long",   "set_1",   "set_100", "copy_1",   "to_host",
                             "from_host"};
    for (int kernel = 0; kernel < 2; ++kernel)
        for (const char* before : befores)
            for (int repetition = 0; repetition < 6; ++repetition) {
                int mb = 0;
                const char* of = std::strrchr(before, '_');
                const std::size_t words = of != nullptr && std::sscanf(of, "_%d", &mb) == 1 ? std::size_t(mb) * 1'000'000 / 16 : 0;
                if (std::strncmp(before, "own", 3) == 0) {
                    k_of<<<blocks, threads>>>(buffer, words, to);
                    std::printf("own,%s,%d\n", before, repetition);
                }
                if (std::strncmp(before, "other_", 6) == 0 && before[6] <= '9') other_reads<<<blocks, threads>>>(buffer, words, to);
                if (std::strcmp(before, "other_none") == 0) other_nothing<<<blocks, threads>>>();
                if (std::strcmp(before, "other_long") == 0) other_long<<<blocks, threads>>>(reinterpret_cast<float*>(to), 1);
                if (std::strncmp(before, "set", 3) == 0) cudaMemset(buffer, 0, 16 * words);
                if (std::strncmp(before, "copy", 4) == 0) cudaMemcpy(buffer, buffer + most / 32, 16 * words, cudaMemcpyDeviceToDevice);
                if (std::strcmp(before, "to_host") == 0) cudaMemcpy(host, to, sizeof host, cudaMemcpyDeviceToHost);
                if (std::strcmp(before, "from_host") == 0) cudaMemcpy(to, host, sizeof host, cudaMemcpyHostToDevice);
                if (kernel == 0) k_of<<<blocks, threads>>>(buffer, 0, to);
                if (kernel == 1) k_of_nothing<<<blocks, threads>>>();
                cudaDeviceSynchronize();
                std::printf("%s,%s,%d\n", kernel == 0 ? "k_of" : "k_of_nothing", before, repetition);
            }
    return cudaDeviceSynchronize() != cudaSuccess;
}
