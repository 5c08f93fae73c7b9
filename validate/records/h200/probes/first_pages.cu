// In which of L2's partitions the memory lies that a new process gets, page by page of 2 MiB, in the order of its allocations.
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o first_pages first_pages.cu && for i in 1 2 3; do ./first_pages 0; ./first_pages 126; done
// The argument: MiB that are allocated before all others, as what empties L2 does. A page's granules of 4 KiB are near or far by the parity of address bits 12,
// 13, 15, 17 and 19 (slice_map.cu) and a bit of the page, which is printed: 1 if the granule at its beginning is far from SM 0; ? if its loads do not say.
#include <cstdio>
#include <cstdlib>
#include <vector>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)
__global__ void evict(const uint4* from, size_t count, unsigned* sink) {
    unsigned sum = 0;
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) sum += from[i].x;
    if (sum == 12345) *sink = sum;
}
__global__ void probe(const char* const* pages, unsigned count, unsigned* latencies, unsigned* sink) {
    unsigned sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    if (sm != 0 || threadIdx.x != 0) return;
    unsigned sum = 0;
    for (unsigned page = 0; page < count; ++page) {
        for (unsigned i = 0; i < 64; ++i) {
            const char* at = pages[page] + i * 32768 + (i % 8) * 4096 + 128 * (i % 5);
            const unsigned begin = clock();
            unsigned v;
            asm volatile("ld.global.u32 %0, [%1];" : "=r"(v) : "l"(at + (sum & 1)) : "memory");
            sum += v;
            latencies[page * 64 + i] = clock() + (sum & 1) - begin;
        }
    }
    if (sum != 0) *sink = sum;
}
int main(int count, char** arguments) {
    const size_t before = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 0;
    char* first;
    if (before != 0) CHECK(cudaMalloc(&first, before << 20));
    // Some small, which share a page, then larger ones.
    std::vector<char*> allocated;
    std::vector<const char*> pages;
    std::vector<size_t> sizes{1 << 20, 1 << 20, 1 << 20, 1 << 20};
    for (size_t mib : {2, 2, 4, 8, 16, 32, 64}) sizes.push_back(mib << 20);
    for (size_t size : sizes) {
        char* a;
        CHECK(cudaMalloc(&a, size));
        CHECK(cudaMemset(a, 0, size));
        allocated.push_back(a);
        const size_t page = 2u << 20;
        char* begin = reinterpret_cast<char*>((reinterpret_cast<size_t>(a) + (allocated.size() == 1 ? 0 : page - 1)) / page * page);
        for (char* at = begin; at + page <= a + size || allocated.size() == 1; at += page) {
            pages.push_back(at);
            if (allocated.size() == 1 || at - begin >= 8 << 20) break;
        }
    }
    uint4* big;
    unsigned *latencies, *sink;
    const char** list;
    CHECK(cudaMalloc(&big, 256u << 20)); CHECK(cudaMemset(big, 0, 256u << 20));
    CHECK(cudaMalloc(&latencies, pages.size() * 256)); CHECK(cudaMalloc(&sink, 4)); CHECK(cudaMalloc(&list, pages.size() * 8));
    CHECK(cudaMemcpy(list, pages.data(), pages.size() * 8, cudaMemcpyHostToDevice));
    evict<<<1056, 256>>>(big, (256u << 20) / 16, sink);
    probe<<<1056, 32>>>(list, pages.size(), latencies, sink);
    CHECK(cudaDeviceSynchronize());
    std::vector<unsigned> l(pages.size() * 64);
    CHECK(cudaMemcpy(l.data(), latencies, l.size() * 4, cudaMemcpyDeviceToHost));
    std::printf("%zu MiB before; first at %p:", before, static_cast<const void*>(pages[0]));
    for (size_t page = 0; page < pages.size(); ++page) {
        double sum[2] = {0, 0};
        int of[2] = {0, 0};
        for (unsigned i = 0; i < 64; ++i) {
            const unsigned offset = i * 32768 + (i % 8) * 4096;
            const int parity = (offset >> 12 ^ offset >> 13 ^ offset >> 15 ^ offset >> 17 ^ offset >> 19) & 1;
            if (l[page * 64 + i] > 900) continue;
            sum[parity] += l[page * 64 + i];
            ++of[parity];
        }
        const double more = sum[1] / of[1] - sum[0] / of[0];
        std::printf(" %s", more > 60 ? "0" : more < -60 ? "1" : "?");
    }
    std::printf("\n");
}
