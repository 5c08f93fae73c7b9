// Which lanes of a warp run on after a divergent branch, and which of those that wait are one group when they run again:
// 600 launches of one warp whose lanes leave two nested loops at different times. How often BSYNC was executed in each is in
// tests/golden/execute/co_rank_groups.csv:
//   nvcc -arch=sm_90 -o co_rank_groups co_rank_groups.cu
//   ncu --clock-control none --cache-control none --metrics inst_executed --csv --page source ./co_rank_groups
#include <cstdio>
#include <cstdint>
#include <cstdlib>
#include <vector>
#include <string>
#include <algorithm>
extern "C" __global__ void rank(const unsigned* a, int m, const unsigned* b, int n, const int* where, int* out) {
    const int i = where[threadIdx.x];
    int j = min(i, m);
    int k = i - j;
    int j_low = max(0, i - n);
    int k_low = max(0, i - m);
    while (true) {
        if (j > 0 && k < n && a[j - 1] > b[k]) {
            const int delta = ((j - j_low - 1) >> 1) + 1;
            k_low = k; j -= delta; k += delta;
        } else if (k > 0 && j < m && b[k - 1] >= a[j]) {
            const int delta = ((k - k_low - 1) >> 1) + 1;
            j_low = j; j += delta; k -= delta;
        } else break;
    }
    out[threadIdx.x] = j;
}
std::string steps(const unsigned* a, int m, const unsigned* b, int n, int i) {
    int j = std::min(i, m), k = i - j, j_low = std::max(0, i - n), k_low = std::max(0, i - m);
    std::string s;
    while (true) {
        if (j > 0 && k < n && a[j - 1] > b[k]) { int d = ((j - j_low - 1) >> 1) + 1; k_low = k; j -= d; k += d; s += 'L'; }
        else if (k > 0 && j < m && b[k - 1] >= a[j]) { int d = ((k - k_low - 1) >> 1) + 1; j_low = j; j += d; k -= d; s += 'M'; }
        else { s += j > 0 && k < n ? '.' : 'e'; s += k > 0 && j < m ? '.' : 'e'; return s; }
    }
}
int main(int argc, char** argv) {
    const int count = 32768;
    unsigned *a, *b; int *where, *out;
    cudaMallocManaged(&a, count * 4); cudaMallocManaged(&b, count * 4); cudaMallocManaged(&where, 128); cudaMallocManaged(&out, 128);
    uint32_t s = 7; auto rnd = [&] { s = s * 1664525u + 1013904223u; return s >> 2; };
    for (int i = 0; i < count; ++i) { a[i] = rnd(); b[i] = rnd(); }
    std::sort(a, a + count); std::sort(b, b + count);
    int launches = argc > 1 ? atoi(argv[1]) : 600;
    for (int trial = 0; trial < launches; ++trial) {
        const int size = trial % 3 == 0 ? 32768 : trial % 3 == 1 ? 1024 : 4096;
        const int chunk = trial % 2 ? 17 + trial / 8 % 5 : 1 + rnd() % 300;
        const int begin = rnd() % (2 * size - 32 * std::min(chunk, 2 * size / 33));
        for (int l = 0; l < 32; ++l) where[l] = begin + l * std::min(chunk, 2 * size / 33);
        printf("launch %d size %d chunk %d steps", trial, size, chunk);
        for (int l = 0; l < 32; ++l) printf(" %s", steps(a, size, b, size, where[l]).c_str());
        printf("\n");
        rank<<<1, 32>>>(a, size, b, size, where, out);
        cudaDeviceSynchronize();
    }
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
