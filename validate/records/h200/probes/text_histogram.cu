// Wavefronts of shared counters (ATOMS.POPC.INC) on bytes drawn from several distributions.
//
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o text_histogram text_histogram.cu
//   ncu --cache-control all --clock-control none --csv --page raw --print-units base \
//     --metrics l1tex__data_pipe_lsu_wavefronts_mem_shared.sum,l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum,smsp__inst_executed.sum ./text_histogram
//   sassafras exec --cache-control all --csv --page raw -- ./text_histogram
//
// A launch a distribution, in this order: bytes of English-like text, evenly, Zipf's over 200 values, two values, sorted runs, one value, every 32nd value,
// geometric; then the same of 4,096 values in 1,024 counters. It checks its counts.
#include <cmath>
#include <cstdio>
#include <cstdint>
#include <vector>

template <int bins>
__global__ void counts(const unsigned short* from, int n, unsigned* to) {
    __shared__ unsigned counter[bins];
    for (int k = threadIdx.x; k < bins; k += blockDim.x) counter[k] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&counter[from[i] % bins], 1U);
    __syncthreads();
    for (int k = threadIdx.x; k < bins; k += blockDim.x) atomicAdd(&to[k], counter[k]);
}

std::uint64_t state = 20261126;
double draw() {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<double>(state >> 11) / 9007199254740992.0;
}
int value_of(int kind, int i, int most) {
    static const char text[] = "the quick count of letters in a text that people would write has many an e, a t and a blank, few a q, and some capitals. ";
    switch (kind) {
        case 0: return text[static_cast<int>(draw() * (sizeof text - 1))];
        case 1: return static_cast<int>(draw() * most);
        case 2: return static_cast<int>(std::exp(draw() * std::log(200.0))) - 1;
        case 3: return draw() < 0.3 ? 7 : 39;
        case 4: return i / 37 % most;
        case 5: return 5;
        case 6: return static_cast<int>(draw() * (most / 32)) * 32;
        default: return static_cast<int>(-std::log(1 - draw()) * 6) % most;
    }
}
template <int bins>
int run(int kind, int most) {
    constexpr int n = 100000;
    std::vector<unsigned short> host(n);
    std::vector<unsigned> want(bins), got(bins);
    for (int i = 0; i < n; ++i) {
        host[i] = static_cast<unsigned short>(value_of(kind, i, most));
        ++want[host[i] % bins];
    }
    unsigned short* from;
    unsigned* to;
    cudaMalloc(&from, 2 * n);
    cudaMalloc(&to, 4 * bins);
    cudaMemcpy(from, host.data(), 2 * n, cudaMemcpyHostToDevice);
    cudaMemset(to, 0, 4 * bins);
    counts<bins><<<66, 256>>>(from, n, to);
    cudaMemcpy(got.data(), to, 4 * bins, cudaMemcpyDeviceToHost);
    cudaFree(from);
    cudaFree(to);
    if (got != want) std::printf("wrong counts: bins %d, distribution %d\n", bins, kind);
    return got == want ? 0 : 1;
}
int main() {
    int wrong = 0;
    for (int kind = 0; kind < 8; ++kind) wrong += run<256>(kind, 256);
    for (int kind = 0; kind < 8; ++kind) wrong += run<1024>(kind, 4096);
    return wrong;
}
