// Runs a kernel whose loop body is replaced by each of many bodies, word by word. register_ports.py makes both, and says how to build and run.
//   ./register_ports template.cubin bodies.bin words warps-a-sub-core...
// Prints for each body its name and the cycles of a trip of the loop, of a sub-core, with so many warps in each; 0 is one warp alone.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)

// Where the template has its placeholders: FFMAs with an immediate that numbers them.
std::vector<std::size_t> places(const std::vector<char>& cubin, std::size_t words) {
    std::vector<std::size_t> at(words, 0);
    for (std::size_t i = 0; i + 8 <= cubin.size(); i += 8) {
        std::uint64_t word;
        std::memcpy(&word, &cubin[i], 8);
        const auto immediate = static_cast<std::uint32_t>(word >> 32);
        if ((word & 0xffff) == 0x7823 && immediate >> 8 == 0x3f0000 && (immediate & 0xff) < words) at[immediate & 0xff] = i;
    }
    for (std::size_t n = 0; n < words; ++n)
        if (at[n] == 0) { std::printf("no place for word %zu\n", n); std::exit(1); }
    return at;
}

int main(int argc, char** argv) {
    if (argc < 5) return 1;
    std::ifstream cubin_file(argv[1], std::ios::binary), bodies(argv[2], std::ios::binary);
    const std::vector<char> cubin((std::istreambuf_iterator<char>(cubin_file)), {});
    const std::size_t words = std::strtoul(argv[3], nullptr, 10);
    const std::vector<std::size_t> at = places(cubin, words);
    float *from, *to;
    long long* spent;
    CHECK(cudaMalloc(&from, 1 << 16));
    CHECK(cudaMemset(from, 0, 1 << 16));
    CHECK(cudaMalloc(&to, 1 << 20));
    CHECK(cudaMalloc(&spent, 1024));
    char name[64];
    std::vector<char> body(16 * words);
    std::vector<long long> clocks(64);
    while (bodies.read(name, 64) && bodies.read(body.data(), static_cast<std::streamsize>(body.size()))) {
        std::vector<char> image = cubin;
        for (std::size_t n = 0; n < words; ++n) std::memcpy(&image[at[n]], &body[16 * n], 16);
        cudaLibrary_t library;
        cudaKernel_t kernel;
        CHECK(cudaLibraryLoadData(&library, image.data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
        CHECK(cudaLibraryGetKernel(&kernel, library, "body"));
        std::printf("%s", name);
        for (int a = 4; a < argc; ++a) {
            const int warps = std::atoi(argv[a]);
            double least = 1e30;
            for (int launch = 0; launch < 2; ++launch) {
                void* arguments[] = {&from, &to, &spent};
                const int all = warps == 0 ? 1 : 4 * warps;
                CHECK(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(1), dim3(32 * all), arguments, 0, nullptr));
                CHECK(cudaMemcpy(clocks.data(), spent, 16 * all, cudaMemcpyDeviceToHost));
                long long first = clocks[0], last = 0;
                for (int w = 0; w < all; ++w) { first = std::min(first, clocks[2 * w]); last = std::max(last, clocks[2 * w + 1]); }
                least = std::min(least, double(last - first) / (32.0 * std::max(1, warps)));
            }
            std::printf(",%.2f", least);
        }
        std::printf("\n");
        CHECK(cudaLibraryUnload(library));
    }
}
