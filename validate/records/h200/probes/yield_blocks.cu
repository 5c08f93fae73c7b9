// How long an older block and a younger one take side by side that begin 40 trips of 96 instructions at once, by what their code says of yields. issue_turns.py makes
// template and bodies, and says how to build and run.
//   ./yield_blocks template.cubin bodies.bin LAUNCHES
// A row: the bodies' name, warps of a sub-core of each block, cycles until the last warp of the older block is through, and of the younger (medians over the SMs).
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)
constexpr std::size_t words = 96;
struct OfSm { unsigned arrived, halves; unsigned long long start; };
int main(int argc, char** argv) {
    if (argc < 3) return 1;
    const int launches = argc > 3 ? std::atoi(argv[3]) : 2;
    std::ifstream cubin_file(argv[1], std::ios::binary), bodies(argv[2], std::ios::binary);
    const std::vector<char> cubin((std::istreambuf_iterator<char>(cubin_file)), {});
    std::vector<std::size_t> at(2 * words, 0);
    for (std::size_t i = 0; i + 8 <= cubin.size(); i += 8) {
        std::uint64_t word;
        std::memcpy(&word, &cubin[i], 8);
        const auto immediate = static_cast<std::uint32_t>(word >> 32);
        const std::uint32_t n = immediate & 0xfff, half = immediate >> 12 & 1;
        if ((word & 0xffff) == 0x7823 && immediate >> 16 == 0x3f00 && (immediate & 0xe000) == 0 && n < words) at[half * words + n] = i;
    }
    for (const std::size_t a : at)
        if (a == 0) { std::printf("no place\n"); return 1; }
    float* from; unsigned* to; OfSm* sms; int count = 0;
    CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0));
    CHECK(cudaMalloc(&from, 1 << 16));
    CHECK(cudaMemset(from, 0, 1 << 16));
    CHECK(cudaMalloc(&to, 4 << 20));
    CHECK(cudaMalloc(&sms, count * sizeof(OfSm)));
    char name[96]; int shape[2];
    std::vector<char> body(2 * 16 * words);
    std::vector<unsigned> host(1 << 20);
    while (bodies.read(name, 96) && bodies.read(reinterpret_cast<char*>(shape), 8) && bodies.read(body.data(), static_cast<std::streamsize>(body.size()))) {
        std::vector<char> image = cubin;
        for (std::size_t n = 0; n < 2 * words; ++n) std::memcpy(&image[at[n]], &body[16 * n], 16);
        cudaLibrary_t library; cudaKernel_t kernel;
        CHECK(cudaLibraryLoadData(&library, image.data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
        CHECK(cudaLibraryGetKernel(&kernel, library, "body"));
        int na = shape[0], nb = shape[1], trips = 41;
        const int threads = 128 * std::max(na, nb), grid = nb == 0 ? 1 : 2 * count;
        for (int launch = 0; launch < launches; ++launch) {
            CHECK(cudaMemset(sms, 0, count * sizeof(OfSm)));
            void* arguments[] = {&from, &to, &na, &nb, &sms, &trips};
            const std::size_t shared = nb == 0 ? 0 : 90 << 10;
            CHECK(cudaKernelSetAttributeForDevice(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 << 10, 0));
            CHECK(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(grid), dim3(threads), arguments, shared, nullptr));
            CHECK(cudaDeviceSynchronize());
        }
        const int warps = threads / 32;
        CHECK(cudaMemcpy(host.data(), to, 4ull * 44 * warps * grid, cudaMemcpyDeviceToHost));
        std::vector<OfSm> halves(count);
        CHECK(cudaMemcpy(halves.data(), sms, count * sizeof(OfSm), cudaMemcpyDeviceToHost));
        std::vector<unsigned> took[2];
        for (int b = 0; b < grid; ++b) {
            const unsigned* block = host.data() + 44ull * warps * b;
            if (halves[block[40]].halves != 257) continue;
            unsigned most = 0;
            const int side = b < count ? 0 : 1;
            for (int w = 0; w < 4 * (side ? nb : na); ++w) most = std::max(most, block[44 * w + 42] - block[44 * w + 41]);
            took[side].push_back(most);
        }
        if (took[0].empty()) { std::printf("%s,%d,none\n", name, na); continue; }
        for (auto& each : took) std::sort(each.begin(), each.end());
        std::printf("%s,%d,%u,%u\n", name, na, took[0][took[0].size() / 2], took[1][took[1].size() / 2]);
        CHECK(cudaLibraryUnload(library));
    }
}
