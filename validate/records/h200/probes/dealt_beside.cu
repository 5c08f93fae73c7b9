// Which SM each block runs on of launches that run beside others: at which GPC dealing begins. (dealt_blocks.cu has launches alone.)
//
//   nvcc -std=c++17 -arch=sm_90 -cudart shared -o dealt_beside dealt_beside.cu && ./dealt_beside > dealt_beside.txt
//
// Blocks of 128 threads stay for some 30 us, so that all launches of a case run at the same time (but `long` ones, for 1 ms, and those of sections that
// say so). A `#` line begins a section, an empty line stands between cases; the GPU is idle there. A row is a launch, in order of their begins: streams
// of the case, blocks, number of the launch as the host made them, ns from the case's first begin by %globaltimer, then the SMs of its first 40 blocks.
// `./dealt_beside BLOCKS`: only grids of no more blocks.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

constexpr int most_launches = 12, most_blocks = 264, shown = 40, streams = 8;
constexpr long long usual = 60000, lasting = 2000000;

struct Begin {
    unsigned long long ns;
    unsigned sm, pad;
};

__global__ void stay(Begin* begins, long long cycles) {
    const long long from = clock64();
    if (threadIdx.x == 0) {
        Begin& own = begins[blockIdx.x];
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(own.ns));
        asm volatile("mov.u32 %0, %%smid;" : "=r"(own.sm));
    }
    while (clock64() - from < cycles) {}
}

struct Launch {
    int stream, blocks;
    long long cycles;
};

enum class Put { at_once, behind_fork, idle_between };

struct Gpu {
    cudaStream_t stream[streams], base;
    cudaEvent_t fork;
    Begin* begins;
    int most;
};

/// Makes the launches, waits for them and prints where their blocks ran.
void run(const Gpu& gpu, const std::vector<Launch>& launches, Put put) {
    int used = 0;
    for (const Launch& launch : launches) {
        if (launch.blocks > gpu.most) return;
        used = std::max(used, launch.stream + 1);
    }
    cudaDeviceSynchronize();
    if (put == Put::behind_fork) {
        stay<<<1, 32, 0, gpu.base>>>(gpu.begins + most_launches * most_blocks, 4 * usual);  // while it runs, the host makes all launches
        cudaEventRecord(gpu.fork, gpu.base);
        for (int i = 0; i < used; ++i) cudaStreamWaitEvent(gpu.stream[i], gpu.fork);
    }
    for (std::size_t i = 0; i < launches.size(); ++i) {
        stay<<<launches[i].blocks, 128, 0, gpu.stream[launches[i].stream]>>>(gpu.begins + i * most_blocks, launches[i].cycles);
        if (put == Put::idle_between) cudaDeviceSynchronize();
    }
    cudaDeviceSynchronize();
    std::vector<Begin> found(most_launches * most_blocks);
    cudaMemcpy(found.data(), gpu.begins, found.size() * sizeof(Begin), cudaMemcpyDeviceToHost);
    std::vector<unsigned long long> first(launches.size());
    for (std::size_t i = 0; i < launches.size(); ++i) {
        const Begin* own = found.data() + i * most_blocks;
        first[i] = std::min_element(own, own + launches[i].blocks, [](const Begin& a, const Begin& b) { return a.ns < b.ns; })->ns;
    }
    std::vector<std::size_t> order(launches.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return first[a] < first[b]; });
    for (const std::size_t i : order) {
        std::printf("%d,%d,%zu,%llu:", used, launches[i].blocks, i, first[i] - first[order[0]]);
        for (int b = 0; b < std::min(launches[i].blocks, shown); ++b) std::printf(" %u", found[i * most_blocks + b].sm);
        std::printf("\n");
    }
    std::printf("\n");
}

const std::vector<int> sizes = {1, 8, 16, 33, 66, 100, 132, 264};

/// As many streams as named, each with a launch of so many blocks.
void equal(const Gpu& gpu, Put put, int from, int to) {
    for (const int blocks : sizes)
        for (int count = from; count <= to; ++count) {
            std::vector<Launch> launches;
            for (int i = 0; i < count; ++i) launches.push_back({i, blocks, usual});
            run(gpu, launches, put);
        }
}

void mixed(const Gpu& gpu, Put put) {
    const std::vector<std::vector<int>> grids = {{33, 132, 33, 264, 33, 66, 33, 1}, {132, 33, 33}, {264, 33, 33}, {132, 132, 33, 33},
        {8, 33, 8, 33, 8, 33}, {1, 33, 1, 1, 33}, {132, 1, 132, 1, 132, 1}, {33, 100, 33, 100}};
    for (const auto& blocks : grids) {
        std::vector<Launch> launches;
        for (std::size_t i = 0; i < blocks.size(); ++i) launches.push_back({static_cast<int>(i), blocks[i], usual});
        run(gpu, launches, put);
    }
}

int main(int argc, char** argv) {
    Gpu gpu{};
    gpu.most = argc > 1 ? std::atoi(argv[1]) : most_blocks;
    if (cudaMalloc(&gpu.begins, (most_launches + 1) * most_blocks * sizeof(Begin)) != cudaSuccess) return 1;
    for (auto& stream : gpu.stream) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&gpu.base, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&gpu.fork, cudaEventDisableTiming);
    std::printf("# streams with a launch each, at once\n");
    equal(gpu, Put::at_once, 1, 8);
    std::printf("# the same behind an event of another stream\n");
    equal(gpu, Put::behind_fork, 1, 8);
    std::printf("# again eight streams, at once\n");
    equal(gpu, Put::at_once, 8, 8);
    std::printf("# one stream, four launches, idle GPU between\n");
    for (const int blocks : sizes) run(gpu, std::vector<Launch>(4, {0, blocks, usual}), Put::idle_between);
    std::printf("# one stream, four launches, one directly behind the other\n");
    for (const int blocks : sizes) run(gpu, std::vector<Launch>(4, {0, blocks, usual}), Put::at_once);
    std::printf("# beside a long one of 8 blocks: one, then in one stream one behind the other\n");
    for (const int blocks : sizes)
        for (const int count : {1, 10}) {
            std::vector<Launch> launches{{0, 8, lasting}};
            launches.insert(launches.end(), static_cast<std::size_t>(count), {1, blocks, usual});
            run(gpu, launches, Put::at_once);
        }
    std::printf("# a long one of 33 blocks in one stream, 33 blocks one behind the other in two further streams\n");
    run(gpu, {{0, 33, lasting}, {1, 33, usual}, {2, 33, usual}, {1, 33, usual}, {2, 33, usual}, {1, 33, usual}, {2, 33, usual}}, Put::at_once);
    std::printf("# streams with grids of several sizes, at once\n");
    mixed(gpu, Put::at_once);
    std::printf("# the same behind an event of another stream\n");
    mixed(gpu, Put::behind_fork);
    std::printf("# one after another, of several sizes, idle GPU between\n");
    run(gpu, {{0, 33, usual}, {1, 132, usual}, {0, 33, usual}, {1, 8, usual}, {0, 33, usual}, {1, 264, usual}, {0, 33, usual}}, Put::idle_between);
    return cudaDeviceSynchronize() != cudaSuccess;
}
