// Compares `sort mgpu` (E = 17, b = 256) with Thrust's comparator sort on a real GPU: the same keys, times by CUDA events, results compared.
// scripts/compare-libraries builds and runs it: sort CUBIN [LOG2_N|FILE ...]
// FILE holds raw 32-bit keys (sassafras worst-case -o FILE); as many random keys are sorted beside them.
// cubin: workloads/sort/sort_mgpu.cubin
//
// Thrust sorts by radix if it knows the comparator, so the comparator is one that it does not know. thrust::sort allocates and frees temporary
// memory on each call; that is not the algorithm's, so a second row has it allocate from memory that stays (the ratio to look at), and a
// third is what it calls, cub::DeviceMergeSort, with its temporary memory made beforehand.
#include <cuda.h>
#include <cuda_runtime.h>
#include <thrust/execution_policy.h>
#include <thrust/sort.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cctype>
#include <fstream>
#include <iterator>
#include <cub/device/device_merge_sort.cuh>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace {

struct Ascending {
    __device__ bool operator()(unsigned a, unsigned b) const { return a < b; }
};

void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "compare-libraries: %s failed\n", what);
    std::exit(1);
}
void check(cudaError_t status, const char* what) { require(status == cudaSuccess, what); }
void check(CUresult status, const char* what) { require(status == CUDA_SUCCESS, what); }

/// Gives memory back to the next that asks for as much.
struct KeepingAllocator {
    using value_type = char;
    std::multimap<std::ptrdiff_t, char*> idle;
    std::map<char*, std::ptrdiff_t> sizes;
    char* allocate(std::ptrdiff_t bytes) {
        if (const auto found = idle.find(bytes); found != idle.end()) {
            char* const memory = found->second;
            idle.erase(found);
            return memory;
        }
        char* memory = nullptr;
        check(cudaMalloc(&memory, static_cast<std::size_t>(bytes)), "cudaMalloc");
        sizes[memory] = bytes;
        return memory;
    }
    void deallocate(char* memory, std::size_t /*bytes*/) { idle.emplace(sizes.at(memory), memory); }
};

/// Our launches, as workloads/sort/pairwise.cpp makes them.
struct Ours {
    static constexpr unsigned E = 17;
    static constexpr unsigned b = 256;
    CUfunction blocksort{};
    CUfunction partition{};
    CUfunction merge{};

    explicit Ours(const char* cubin) {
        CUmodule module{};
        check(cuModuleLoad(&module, cubin), "cuModuleLoad");
        check(cuModuleGetFunction(&blocksort, module, "mgpu_blocksort_u32_E17_b256"), "finding mgpu_blocksort_u32_E17_b256");
        check(cuModuleGetFunction(&partition, module, "mgpu_partition_u32"), "finding mgpu_partition_u32");
        check(cuModuleGetFunction(&merge, module, "mgpu_merge_u32_E17_b256"), "finding mgpu_merge_u32_E17_b256");
    }

    /// Gives the buffer that holds the result.
    unsigned* sort(unsigned* in, unsigned* out, unsigned n, unsigned* partitions) const {
        unsigned tile = E * b;
        unsigned tiles = (n + tile - 1) / tile;
        const unsigned shared = (tile + 1) * sizeof(unsigned);
        void* of_blocks[] = {&in, &out, &n};
        check(cuLaunchKernel(blocksort, tiles, 1, 1, b, 1, 1, shared, nullptr, of_blocks, nullptr), "a launch");
        for (unsigned run = tile; run < n; run *= 2) {
            std::swap(in, out);
            unsigned pair_tiles = 2 * run / tile;
            void* of_partition[] = {&in, &n, &run, &pair_tiles, &tile, &tiles, &partitions};
            check(cuLaunchKernel(partition, (tiles + 255) / 256, 1, 1, 256, 1, 1, 0, nullptr, of_partition, nullptr), "a launch");
            void* of_merge[] = {&in, &out, &n, &run, &pair_tiles, &partitions};
            check(cuLaunchKernel(merge, tiles, 1, 1, b, 1, 1, shared, nullptr, of_merge, nullptr), "a launch");
        }
        return out;
    }
};

/// Median milliseconds of `sort` on fresh input.
double milliseconds(const std::function<void()>& prepare, const std::function<void()>& sort) {
    constexpr int repetitions = 21;
    cudaEvent_t begin{};
    cudaEvent_t end{};
    check(cudaEventCreate(&begin), "cudaEventCreate");
    check(cudaEventCreate(&end), "cudaEventCreate");
    std::vector<float> times;
    for (int i = 0; i < repetitions + 3; ++i) {
        prepare();
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        check(cudaEventRecord(begin), "cudaEventRecord");
        sort();
        check(cudaEventRecord(end), "cudaEventRecord");
        check(cudaEventSynchronize(end), "a sort");
        float time = 0;
        check(cudaEventElapsedTime(&time, begin, end), "cudaEventElapsedTime");
        if (i >= 3) times.push_back(time);
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

std::vector<unsigned> random_keys(std::size_t n) {
    std::vector<unsigned> keys(n);
    std::mt19937 random(1);
    for (unsigned& key : keys) key = static_cast<unsigned>(random());
    return keys;
}

std::vector<unsigned> read_keys(const char* path) {
    std::ifstream file(path, std::ios::binary);
    require(file.good(), "opening the keys");
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
    std::vector<unsigned> keys(bytes.size() / sizeof(unsigned));
    std::memcpy(keys.data(), bytes.data(), keys.size() * sizeof(unsigned));
    return keys;
}

struct Milliseconds {
    double ours = 0;
    double thrust = 0;
    double cub = 0;
};

Milliseconds compare(const Ours& ours, const std::vector<unsigned>& keys, const std::string& label) {
    const std::size_t n = keys.size();
    unsigned* input = nullptr;
    unsigned* first = nullptr;
    unsigned* second = nullptr;
    unsigned* partitions = nullptr;
    check(cudaMalloc(&input, n * sizeof(unsigned)), "cudaMalloc");
    check(cudaMalloc(&first, n * sizeof(unsigned)), "cudaMalloc");
    check(cudaMalloc(&second, n * sizeof(unsigned)), "cudaMalloc");
    check(cudaMalloc(&partitions, (n / (Ours::E * Ours::b) + 2) * sizeof(unsigned)), "cudaMalloc");
    check(cudaMemcpy(input, keys.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice), "cudaMemcpy");
    const auto fresh = [&] { check(cudaMemcpy(first, input, n * sizeof(unsigned), cudaMemcpyDeviceToDevice), "cudaMemcpy"); };
    const auto read = [&](const unsigned* from) {
        std::vector<unsigned> sorted(n);
        check(cudaMemcpy(sorted.data(), from, n * sizeof(unsigned), cudaMemcpyDeviceToHost), "cudaMemcpy");
        return sorted;
    };

    unsigned* result = nullptr;
    const double time = milliseconds(fresh, [&] { result = ours.sort(first, second, static_cast<unsigned>(n), partitions); });
    const std::vector<unsigned> sorted = read(result);
    const double plain = milliseconds(fresh, [&] { thrust::sort(thrust::device, first, first + n, Ascending{}); });
    require(sorted == read(first), "the comparison of the two results");
    KeepingAllocator memory;
    const double kept = milliseconds(fresh, [&] { thrust::sort(thrust::cuda::par(memory), first, first + n, Ascending{}); });
    std::size_t bytes = 0;
    check(cub::DeviceMergeSort::SortKeys(nullptr, bytes, first, static_cast<int>(n), Ascending{}), "cub::DeviceMergeSort");
    void* temporary = nullptr;
    check(cudaMalloc(&temporary, bytes), "cudaMalloc");
    const double cub_time =
        milliseconds(fresh, [&] { cub::DeviceMergeSort::SortKeys(temporary, bytes, first, static_cast<int>(n), Ascending{}); });

    std::printf("sort mgpu E=17 b=256, %s: %.3f ms\n", label.c_str(), time);
    std::printf("  thrust::sort with a comparator          %.3f ms, ratio %.2f\n", plain, time / plain);
    std::printf("  the same, temporary memory kept         %.3f ms, ratio %.2f\n", kept, time / kept);
    std::printf("  cub::DeviceMergeSort                    %.3f ms, ratio %.2f\n", cub_time, time / cub_time);
    for (void* used : {static_cast<void*>(input), static_cast<void*>(first), static_cast<void*>(second), static_cast<void*>(partitions), temporary})
        check(cudaFree(used), "cudaFree");
    return {time, kept, cub_time};
}

/// Keys of a file beside as many random ones.
void compare_file(const Ours& ours, const char* path) {
    const std::vector<unsigned> keys = read_keys(path);
    const Milliseconds of_file = compare(ours, keys, std::to_string(keys.size()) + " keys of " + path);
    const Milliseconds of_random = compare(ours, random_keys(keys.size()), std::to_string(keys.size()) + " random keys");
    std::printf("%s against random keys: sort mgpu %.4f, thrust::sort (temporary memory kept) %.4f, cub::DeviceMergeSort %.4f\n", path,
                of_file.ours / of_random.ours, of_file.thrust / of_random.thrust, of_file.cub / of_random.cub);
}

}  // namespace

int main(int count, char** words) {
    require(count >= 2, "usage: sort CUBIN [LOG2_N ...]:");
    check(cudaFree(nullptr), "finding a GPU");
    const Ours ours(words[1]);
    const auto by_size = [&](unsigned log2_n) { compare(ours, random_keys(std::size_t{1} << log2_n), "2^" + std::to_string(log2_n) + " keys"); };
    if (count == 2) by_size(24);
    for (int i = 2; i < count; ++i) {
        const std::string word = words[i];
        if (std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isdigit(c) != 0; }))
            by_size(static_cast<unsigned>(std::stoul(word)));
        else
            compare_file(ours, words[i]);
    }
}
