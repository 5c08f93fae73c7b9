// thrust::merge against the merges by co-ranks of workloads/merge, on a GPU: medians of CUDA events, and the ratio. Loads the checked-in cubin.
// cubin: workloads/merge/merge_co_rank.cubin
//   merge CUBIN [N]      N keys in both arrays together, random, half in each; 10^8 if not given
// Exit status 1 if a result differs from Thrust's or no single-buffer merge is within 2x of Thrust; 2 if the GPU refuses something.
#include <cuda.h>
#include <thrust/device_vector.h>
#include <thrust/equal.h>
#include <thrust/execution_policy.h>
#include <thrust/merge.h>
#include <thrust/sort.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace {

constexpr int repetitions = 11;
constexpr int keys_a_thread = 17;  // as workloads/merge/launch_co_rank.cpp chooses

void check(CUresult status, const char* what) {
    if (status == CUDA_SUCCESS) return;
    const char* text = nullptr;
    cuGetErrorString(status, &text);
    std::fprintf(stderr, "merge: %s: %s\n", what, text);
    std::exit(2);
}

struct Random {
    std::uint64_t state;
    std::uint32_t next() {
        std::uint64_t z = state += 0x9e3779b97f4a7c15ULL;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return static_cast<std::uint32_t>((z ^ (z >> 31)) >> 32);
    }
};

thrust::device_vector<std::uint32_t> sorted_keys(std::size_t count, std::uint64_t seed) {
    Random random{seed};
    std::vector<std::uint32_t> keys(count);
    for (std::uint32_t& key : keys) key = random.next();
    thrust::device_vector<std::uint32_t> sorted(keys.begin(), keys.end());
    thrust::sort(sorted.begin(), sorted.end());
    return sorted;
}

/// Median milliseconds after one call that does not count.
float median_time(const std::function<void()>& work) {
    cudaEvent_t begin;
    cudaEvent_t end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    std::vector<float> times;
    for (int i = 0; i <= repetitions; ++i) {
        cudaEventRecord(begin);
        work();
        cudaEventRecord(end);
        if (cudaEventSynchronize(end) != cudaSuccess) {
            std::fprintf(stderr, "merge: %s\n", cudaGetErrorString(cudaGetLastError()));
            std::exit(2);
        }
        float milliseconds = 0;
        cudaEventElapsedTime(&milliseconds, begin, end);
        if (i != 0) times.push_back(milliseconds);
    }
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

}  // namespace

int main(int argument_count, char** arguments) {
    if (argument_count < 2 || argument_count > 3) {
        std::fprintf(stderr, "usage: merge CUBIN [N]\n");
        return 2;
    }
    const std::size_t n = argument_count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 100000000;
    cudaFree(nullptr);  // makes the context that the driver's calls below use
    CUmodule module;
    check(cuModuleLoad(&module, arguments[1]), "cannot load the cubin");
    int sm_count = 0;
    cudaDeviceGetAttribute(&sm_count, cudaDevAttrMultiProcessorCount, 0);

    const auto a = sorted_keys(n / 2, 1);
    const auto b = sorted_keys(n - n / 2, 2);
    thrust::device_vector<std::uint32_t> expected(n);
    const float thrust_time = median_time(
        [&] { thrust::merge(thrust::device, a.begin(), a.end(), b.begin(), b.end(), expected.begin()); });
    const double bytes = 8.0 * static_cast<double>(n);
    std::printf("%-28s %6s %6s %8s %10s %10s %8s\n", "merge", "blocks", "b", "S", "us", "GB/s", "ratio");
    std::printf("%-28s %6s %6s %8s %10.1f %10.1f %8.2f\n", "thrust::merge", "", "", "", thrust_time * 1e3, bytes / thrust_time / 1e6, 1.0);

    bool right = true;
    float best = 0;
    for (const char* family : {"naive", "single_buffer", "double_buffer"})
        for (const char* optimisations : {"", "_half", "_select", "_half_select"})
            for (const int threads : {128, 256}) {
                const std::string name = std::string("merge_") + family + optimisations;
                const bool half = name.find("half") != std::string::npos;
                const int buffers = name.find("single") != std::string::npos ? 3 : name.find("double") != std::string::npos ? 5 : 0;
                const int handed_on = half ? threads : 1;
                const int x = keys_a_thread * threads;
                const int shared = 4 * (buffers == 0 ? (half ? threads : 0) : buffers * x + handed_on);
                const std::size_t with_work = (n + x - 1) / x;
                const auto blocks = static_cast<unsigned>(
                    std::max<std::size_t>(1, buffers == 0 ? with_work : std::min<std::size_t>(with_work, static_cast<std::size_t>(2048 / threads) * sm_count)));
                CUfunction function;
                check(cuModuleGetFunction(&function, module, name.c_str()), name.c_str());
                check(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, shared), "shared memory");
                thrust::device_vector<std::uint32_t> merged(n, 0xcdcdcdcdU);
                const std::uint32_t* a_keys = thrust::raw_pointer_cast(a.data());
                const std::uint32_t* b_keys = thrust::raw_pointer_cast(b.data());
                std::uint32_t* out = thrust::raw_pointer_cast(merged.data());
                int a_count = static_cast<int>(a.size());
                int b_count = static_cast<int>(b.size());
                int outputs = buffers == 0 ? 0 : x;
                void* parameters[] = {&a_keys, &a_count, &b_keys, &b_count, &out, &outputs};
                const float time = median_time([&] {
                    check(cuLaunchKernel(function, blocks, 1, 1, static_cast<unsigned>(threads), 1, 1, static_cast<unsigned>(shared), nullptr, parameters, nullptr),
                          "launch");
                });
                const bool equal = thrust::equal(merged.begin(), merged.end(), expected.begin());
                right = right && equal;
                if (buffers == 3 && (best == 0 || time < best)) best = time;
                std::printf("%-28s %6u %6d %8d %10.1f %10.1f %8.2f%s\n", name.c_str() + 6, blocks, threads, shared, time * 1e3, bytes / time / 1e6,
                            time / thrust_time, equal ? "" : "  DIFFERENT RESULT");
            }
    std::printf("single buffer at its best: %.2f times thrust::merge's time (at most 2 asked for)\n", best / thrust_time);
    return right && best <= 2 * thrust_time ? 0 : 1;
}
