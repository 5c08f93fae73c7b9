// What a process's first launch takes longer than the same launch later.
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o first_launch first_launch.cu
//   ncu --cache-control all --clock-control none --metrics sm__cycles_elapsed.max --csv ./first_launch MODE
// MODE: a letter a launch: s: one block stores a word; e: nothing; c: 391 blocks copy 100,096 words; d: the same kernel, other buffers; r: another kernel reads the first buffers.
// Prints for each launch: nanoseconds from the first block's begin to the last one's end, the median and longest block in cycles, and of the begins' spread in nanoseconds.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)
struct Span { unsigned long long begin, end; unsigned cycles, first; };
__device__ unsigned long long now() { unsigned long long t; asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)); return t; }
__device__ void note(Span* spans, unsigned long long begin, unsigned c0, unsigned c1) {
    if (threadIdx.x == 0) spans[blockIdx.x] = {begin, now(), static_cast<unsigned>(clock()) - c0, c1 - c0};
}
__global__ void empty() {}
__global__ void store(Span* spans) { const auto b = now(); const unsigned c = clock(); note(spans, b, c, c); }
__global__ void copy(const unsigned* in, unsigned* out, Span* spans) {
    const auto b = now(); const unsigned c = clock();
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned v = in[i];
    out[i] = v;
    const unsigned d = clock() + (v == 0x12345);
    note(spans, b, c, d);
}
__global__ void reads(const unsigned* in, Span* spans) {
    const auto b = now(); const unsigned c = clock();
    const unsigned v = in[blockIdx.x * blockDim.x + threadIdx.x];
    const unsigned d = clock() + (v == 0x12345);
    note(spans, b, c, d);
}
int main(int count, char** arguments) {
    unsigned *a, *b, *x, *y; Span* spans;
    CHECK(cudaMalloc(&a, 400384)); CHECK(cudaMalloc(&b, 400384)); CHECK(cudaMalloc(&spans, 391 * sizeof(Span)));
    CHECK(cudaMalloc(&x, 8 << 20)); CHECK(cudaMalloc(&y, 8 << 20));
    CHECK(cudaMemset(a, 0, 400384)); CHECK(cudaMemset(x, 0, 8 << 20));
    for (const char* m = count > 1 ? arguments[1] : "ccc"; *m; ++m) {
        CHECK(cudaMemset(spans, 0, 391 * sizeof(Span)));
        if (*m == 's') store<<<1, 32>>>(spans);
        if (*m == 'e') empty<<<1, 32>>>();
        if (*m == 'c') copy<<<391, 256>>>(a, b, spans);
        if (*m == 'd') copy<<<391, 256>>>(x, y, spans);
        if (*m == 'r') reads<<<391, 256>>>(a, spans);
        std::vector<Span> s(391);
        CHECK(cudaMemcpy(s.data(), spans, 391 * sizeof(Span), cudaMemcpyDeviceToHost));
        s.erase(std::remove_if(s.begin(), s.end(), [](const Span& p) { return p.begin == 0; }), s.end());
        if (s.empty()) { std::printf("@ %c\n", *m); continue; }
        unsigned long long begin = ~0ULL, last = 0, end = 0;
        std::vector<unsigned> c, f;
        for (const Span& p : s) { begin = std::min(begin, p.begin); last = std::max(last, p.begin); end = std::max(end, p.end); c.push_back(p.cycles); f.push_back(p.first); }
        std::sort(c.begin(), c.end()); std::sort(f.begin(), f.end());
        std::printf("@ %c span_ns %llu begins_ns %llu block median %u longest %u first-access median %u longest %u\n", *m, end - begin, last - begin, c[c.size() / 2], c.back(), f[f.size() / 2], f.back());
    }
}
