// What one more warp, and more rounds, cost kernels that spill registers: two of tests/fixtures/what_if with 1 to 8 warps an SM and 100 and 300
// rounds. Prints the launches in order, each twice; Nsight Compute has the cycles and what warps waited for:
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart static -o spill_scale spill_scale.cu
//   ncu --csv --page raw --cache-control none --clock-control none --metrics sm__cycles_elapsed.max ./spill_scale
#include "../../../../tests/fixtures/what_if/what_if.cu"
#include <cstdio>
#include <cstdlib>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)
int main() {
    constexpr unsigned n = 65536 * 132;
    float *from, *to;
    CHECK(cudaMalloc(&from, n * 4));
    CHECK(cudaMalloc(&to, n * 4));
    CHECK(cudaMemset(from, 0, n * 4));
    using Kernel = void (*)(const float*, float*, unsigned, unsigned, unsigned, unsigned);
    const Kernel kernels[] = {values_spilled, values_spilled_beside_work};
    for (int kernel : {0, 1})
        for (unsigned blocks : {1u, 132u})
            for (unsigned threads : {32u, 64u, 128u, 160u, 192u, 256u})
                for (unsigned rounds : {100u, 300u})
                    for (int launch = 0; launch < 2; ++launch) {
                        kernels[kernel]<<<blocks, threads>>>(from, to, n, 256, 0, rounds);
                        CHECK(cudaDeviceSynchronize());
                    }
    std::printf("done\n");
}
