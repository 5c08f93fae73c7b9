// What a compare-and-swap loop costs: shared memory (atomicAdd of float and double: LDS, FADD, ATOMS.CAST.SPIN), ATOMS.CAS and ATOMG.CAS.
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o shared_cas shared_cas.cu
//   ncu --cache-control all --clock-control none --metrics smsp__inst_executed.sum,... --csv ./shared_cas > shared_cas.csv
// It prints a row a launch: kernel, blocks, warps of a block, lanes a word, stride in words, rounds: lane i goes to word i / lanes * stride, so many
// times. Warps of a block go to the same words, but in `own`; of `global` all blocks.
//   ./shared_cas > shared_cas.rows
#include <cstdio>
#include <cstdlib>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)
struct Pattern {
    unsigned lanes, stride, rounds;
};
constexpr unsigned most_words = 1024;
template <class T> __device__ void add_shared(T* out, Pattern pattern) {
    __shared__ T words[most_words];
    for (unsigned i = threadIdx.x; i < most_words; i += blockDim.x) words[i] = 0;
    __syncthreads();
    const unsigned word = threadIdx.x % 32 / pattern.lanes * pattern.stride % most_words;
    for (unsigned r = 0; r < pattern.rounds; ++r) atomicAdd(words + word, static_cast<T>(1));
    __syncthreads();
    if (threadIdx.x < 32) out[threadIdx.x] = words[word];
}
__global__ void cast_float(float* out, Pattern pattern) { add_shared<float>(out, pattern); }
__global__ void cast_double(double* out, Pattern pattern) { add_shared<double>(out, pattern); }
__global__ void own_float(float* out, Pattern pattern) {  // each warp has words of its own
    __shared__ float words[32 * 32];
    for (unsigned i = threadIdx.x; i < 32 * 32; i += blockDim.x) words[i] = 0;
    __syncthreads();
    const unsigned word = threadIdx.x / 32 * 32 + threadIdx.x % 32 / pattern.lanes;
    for (unsigned r = 0; r < pattern.rounds; ++r) atomicAdd(words + word, 1.0f);
    __syncthreads();
    if (threadIdx.x < 32) out[threadIdx.x] = words[word];
}
__global__ void add_int(unsigned* out, Pattern pattern) {  // ATOMS.ADD
    __shared__ unsigned words[most_words];
    for (unsigned i = threadIdx.x; i < most_words; i += blockDim.x) words[i] = 0;
    __syncthreads();
    const unsigned word = threadIdx.x % 32 / pattern.lanes * pattern.stride % most_words;
    unsigned old = 0;
    for (unsigned r = 0; r < pattern.rounds; ++r) old = atomicAdd(words + word, old | 1);
    __syncthreads();
    if (threadIdx.x < 32) out[threadIdx.x] = words[word] + old;
}
__global__ void swap_shared(unsigned* out, Pattern pattern) {  // ATOMS.CAS without a loop: each returns
    __shared__ unsigned words[most_words];
    for (unsigned i = threadIdx.x; i < most_words; i += blockDim.x) words[i] = 0;
    __syncthreads();
    const unsigned word = threadIdx.x % 32 / pattern.lanes * pattern.stride % most_words;
    unsigned old = 0;
    for (unsigned r = 0; r < pattern.rounds; ++r) old = atomicCAS(words + word, old, old + 1);
    __syncthreads();
    if (threadIdx.x < 32) out[threadIdx.x] = words[word] + old;
}
__global__ void swap_loop(unsigned* out, Pattern pattern) {  // until it succeeds
    __shared__ unsigned words[most_words];
    for (unsigned i = threadIdx.x; i < most_words; i += blockDim.x) words[i] = 0;
    __syncthreads();
    const unsigned word = threadIdx.x % 32 / pattern.lanes * pattern.stride % most_words;
    for (unsigned r = 0; r < pattern.rounds; ++r) {
        unsigned old = words[word], seen;
        do {
            seen = old;
            old = atomicCAS(words + word, seen, seen + 1);
        } while (old != seen);
    }
    __syncthreads();
    if (threadIdx.x < 32) out[threadIdx.x] = words[word];
}
__global__ void global_loop(unsigned* words, Pattern pattern) {  // all blocks one array
    unsigned* const word = words + threadIdx.x % 32 / pattern.lanes * pattern.stride;
    for (unsigned r = 0; r < pattern.rounds; ++r) {
        unsigned old = *static_cast<volatile unsigned*>(word), seen;
        do {
            seen = old;
            old = atomicCAS(word, seen, seen + 1);
        } while (old != seen);
    }
}
__global__ void global_lock(unsigned* words, Pattern pattern) {  // lane 0 of each warp; word 4,096 is the lock
    if (threadIdx.x % 32 != 0) return;
    for (unsigned r = 0; r < pattern.rounds; ++r) {
        while (atomicCAS(words + 4096, 0u, 1u) != 0) {}
        __threadfence();
        static_cast<volatile unsigned*>(words)[4128] = static_cast<volatile unsigned*>(words)[4128] + 1;
        __threadfence();
        atomicExch(words + 4096, 0u);
    }
}
void report(const char* kernel, unsigned blocks, unsigned warps, Pattern pattern) {
    CHECK(cudaDeviceSynchronize());
    std::printf("%s,%u,%u,%u,%u,%u\n", kernel, blocks, warps, pattern.lanes, pattern.stride, pattern.rounds);
}
int main() {
    void* out;
    CHECK(cudaMalloc(&out, 1 << 20));
    CHECK(cudaMemset(out, 0, 1 << 20));
    const auto f = static_cast<float*>(out);
    const auto d = static_cast<double*>(out);
    const auto u = static_cast<unsigned*>(out);
#define RUN(kernel, out, blocks, warps, ...) \
    kernel<<<blocks, 32 * (warps)>>>(out, Pattern __VA_ARGS__), report(#kernel, blocks, warps, Pattern __VA_ARGS__)
    for (unsigned lanes : {1u, 2u, 4u, 8u, 16u, 32u}) RUN(cast_float, f, 132, 1, {lanes, 1, 64});
    for (unsigned stride : {2u, 4u, 8u, 16u, 32u}) RUN(cast_float, f, 132, 1, {1, stride, 64});
    for (unsigned stride : {2u, 8u, 32u}) RUN(cast_float, f, 132, 1, {4, stride, 64});
    for (unsigned lanes : {1u, 8u, 32u})
        for (unsigned warps : {2u, 4u, 8u, 16u, 32u}) RUN(cast_float, f, 132, warps, {lanes, 1, 16});
    for (unsigned lanes : {1u, 32u})
        for (unsigned warps : {1u, 4u, 8u, 16u, 32u}) RUN(own_float, f, 132, warps, {lanes, 1, 16});
    for (unsigned lanes : {1u, 4u, 32u}) RUN(cast_double, d, 132, 1, {lanes, 1, 64});
    for (unsigned warps : {2u, 8u, 16u}) RUN(cast_double, d, 132, warps, {32, 1, 8});
    for (unsigned lanes : {1u, 2u, 4u, 8u, 16u, 32u}) RUN(swap_shared, u, 132, 1, {lanes, 1, 64});
    for (unsigned stride : {2u, 8u, 32u}) RUN(swap_shared, u, 132, 1, {1, stride, 64});
    for (unsigned lanes : {1u, 8u, 32u})
        for (unsigned warps : {4u, 8u, 32u}) RUN(swap_shared, u, 132, warps, {lanes, 1, 64});
    for (unsigned lanes : {1u, 8u, 32u})
        for (unsigned warps : {1u, 8u, 32u}) RUN(add_int, u, 132, warps, {lanes, 1, 64});
    for (unsigned lanes : {1u, 8u, 32u}) RUN(swap_loop, u, 132, 1, {lanes, 1, 16});
    for (unsigned warps : {2u, 8u, 16u}) RUN(swap_loop, u, 132, warps, {32, 1, 4});
    for (unsigned lanes : {1u, 4u, 32u}) RUN(global_loop, u, 1, 1, {lanes, 1, 8});
    for (unsigned warps : {2u, 8u, 32u}) RUN(global_loop, u, 1, warps, {32, 1, 2});
    for (unsigned warps : {2u, 8u, 32u}) RUN(global_loop, u, 1, warps, {1, 1, 4});
    for (unsigned warps : {1u, 8u}) RUN(global_loop, u, 132, warps, {1, 1, 1});
    for (unsigned warps : {1u, 8u}) RUN(global_loop, u, 8, warps, {1, 32, 4});
    for (unsigned warps : {1u, 2u, 8u, 32u}) RUN(global_lock, u, 1, warps, {1, 1, 4});
    for (unsigned warps : {1u, 4u}) RUN(global_lock, u, 8, warps, {1, 1, 2});
}
