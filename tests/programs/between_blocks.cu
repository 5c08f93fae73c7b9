// Blocks that talk to each other: a scan by decoupled look-back, a work queue, a barrier of the grid, a spin lock.
#include <cooperative_groups.h>

#include <algorithm>

#include "check.cuh"

namespace cg = cooperative_groups;

constexpr unsigned aggregate_ready = 1;
constexpr unsigned prefix_ready = 2;

/// One element a block, to make the most of the waiting.
__global__ void look_back(const unsigned* in, unsigned* out, volatile unsigned long long* states, unsigned* ticket) {
    __shared__ unsigned tile;
    if (threadIdx.x == 0) tile = atomicAdd(ticket, 1);
    __syncthreads();
    const unsigned mine = in[tile * 32 + threadIdx.x];
    unsigned sum = mine;
    for (int step = 1; step < 32; step *= 2) {
        const unsigned other = __shfl_up_sync(~0u, sum, static_cast<unsigned>(step));
        if (threadIdx.x >= static_cast<unsigned>(step)) sum += other;
    }
    unsigned before = 0;
    if (threadIdx.x == 31) {
        if (tile == 0) {
            states[0] = (static_cast<unsigned long long>(prefix_ready) << 32) | sum;
        } else {
            states[tile] = (static_cast<unsigned long long>(aggregate_ready) << 32) | sum;
            for (unsigned at = tile - 1;; --at) {
                unsigned long long state = 0;
                while (((state = states[at]) >> 32) == 0) {
                }
                before += static_cast<unsigned>(state);
                if ((state >> 32) == prefix_ready) break;
            }
            states[tile] = (static_cast<unsigned long long>(prefix_ready) << 32) | (before + sum);
        }
    }
    before = __shfl_sync(~0u, before, 31);
    out[tile * 32 + threadIdx.x] = before + sum;
}

__global__ void work_queue(unsigned* next, unsigned items, unsigned* done_by, unsigned* results) {
    __shared__ unsigned item;
    for (;;) {
        if (threadIdx.x == 0) item = atomicAdd(next, 1);
        __syncthreads();
        const unsigned mine = item;
        __syncthreads();
        if (mine >= items) return;
        unsigned x = mine * 77 + threadIdx.x;
        for (int i = 0; i < 200; ++i) x = x * 1664525u + 1013904223u;
        atomicXor(&results[mine], x);
        if (threadIdx.x == 0) atomicAdd(&done_by[blockIdx.x], 1);
    }
}

__global__ void grid_barrier(unsigned* values, int rounds) {
    const cg::grid_group grid = cg::this_grid();
    const unsigned n = static_cast<unsigned>(grid.size());
    const unsigned me = static_cast<unsigned>(grid.thread_rank());
    for (int round = 0; round < rounds; ++round) {
        const unsigned neighbour = values[(me + 97) % n];
        grid.sync();
        values[me] = values[me] * 3 + neighbour;
        grid.sync();
    }
}

__global__ void own_barrier(unsigned* arrived, unsigned* values, unsigned rounds) {
    for (unsigned round = 0; round < rounds; ++round) {
        values[round * gridDim.x + blockIdx.x] = round == 0 ? blockIdx.x : values[(round - 1) * gridDim.x + (blockIdx.x + 1) % gridDim.x] + round;
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0) {
            atomicAdd(arrived, 1);
            while (*reinterpret_cast<volatile unsigned*>(arrived) < (round + 1) * gridDim.x) {
            }
        }
        __syncthreads();
    }
}

__global__ void spin_lock(int* lock, unsigned* counter, unsigned times) {
    for (unsigned i = 0; i < times; ++i) {
        bool done = false;
        while (!done) {
            if (atomicCAS(lock, 0, 1) == 0) {
                __threadfence();
                *reinterpret_cast<volatile unsigned*>(counter) = *reinterpret_cast<volatile unsigned*>(counter) + threadIdx.x + 1;
                __threadfence();
                atomicExch(lock, 0);
                done = true;
            }
        }
    }
}

int main() {
    constexpr unsigned tiles = 600;
    std::vector<unsigned> numbers(tiles * 32);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<unsigned>(mix(i)) % 1000;
    DeviceArray<unsigned> in(numbers);
    DeviceArray<unsigned> out(numbers.size());
    DeviceArray<unsigned long long> states(std::vector<unsigned long long>(tiles, 0));
    DeviceArray<unsigned> ticket(std::vector<unsigned>(1, 0));
    look_back<<<tiles, 32>>>(in.data, out.data, states.data, ticket.data);
    CHECK(cudaDeviceSynchronize());
    show("look-back scan", out.host());

    constexpr unsigned items = 4000;
    constexpr unsigned blocks = 264;
    DeviceArray<unsigned> next(std::vector<unsigned>(1, 0));
    DeviceArray<unsigned> done_by(std::vector<unsigned>(blocks, 0));
    DeviceArray<unsigned> results(std::vector<unsigned>(items, 0));
    work_queue<<<blocks, 64>>>(next.data, items, done_by.data, results.data);
    CHECK(cudaDeviceSynchronize());
    show("work queue", results.host());
    std::vector<unsigned> shares = done_by.host();
    std::sort(shares.begin(), shares.end());
    unsigned sum = 0;
    for (const unsigned share : shares) sum += share;
    std::printf("items done: %u\n", sum);
    std::printf("spread: no block has more than three times its share: %s\n", shares.back() <= 3 * items / blocks ? "yes" : "no");
    std::fprintf(stderr, "least %u, median %u, most %u of %u\n", shares.front(), shares[blocks / 2], shares.back(), items / blocks);

    DeviceArray<unsigned> ring(std::vector<unsigned>(132 * 64, 1));
    unsigned* ring_data = ring.data;
    int rounds = 5;
    void* arguments[] = {&ring_data, &rounds};
    CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(grid_barrier), 132, 64, arguments, 0, nullptr));
    CHECK(cudaDeviceSynchronize());
    show("grid barrier", ring.host());

    DeviceArray<unsigned> arrived(std::vector<unsigned>(1, 0));
    DeviceArray<unsigned> steps(std::vector<unsigned>(100 * 6, 0));
    own_barrier<<<100, 64>>>(arrived.data, steps.data, 6);
    CHECK(cudaDeviceSynchronize());
    show("own barrier", steps.host());

    DeviceArray<int> lock(std::vector<int>(1, 0));
    DeviceArray<unsigned> counter(std::vector<unsigned>(1, 0));
    spin_lock<<<40, 64>>>(lock.data, counter.data, 2);
    CHECK(cudaDeviceSynchronize());
    std::printf("spin lock: %u\n", counter.host()[0]);
    std::printf("too large for a cooperative launch: %s\n",
                cudaGetErrorName(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(grid_barrier), 100000, 64, arguments, 0, nullptr)));
}
